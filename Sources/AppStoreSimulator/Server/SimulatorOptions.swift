/// How the simulator answers, whatever it answers with.
package struct SimulatorOptions: Sendable {
    /// The port on 127.0.0.1; 0 takes a free one.
    package var port: Int
    /// Compresses bodies for clients that accept gzip.
    package var gzip: Bool
    /// Slept before each answer of the store.
    package var latency: Duration
    /// Requests a minute and endpoint, beyond which the answer is 403 with an empty body; `nil` is no limit.
    package var limitPerMinute: Int?
    package var faults: FaultPlan

    package init(
        port: Int = 0, gzip: Bool = false, latency: Duration = .zero, limitPerMinute: Int? = nil,
        faults: FaultPlan = FaultPlan()
    ) {
        self.port = port
        self.gzip = gzip
        self.latency = latency
        self.limitPerMinute = limitPerMinute
        self.faults = faults
    }
}
