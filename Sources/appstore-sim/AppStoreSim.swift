import AppStoreSimulator
import ArgumentParser
import Console
import Foundation
import Logging
import NIOCore
import RankKit
import ServiceLifecycle
import UnixSignals

@main
struct AppStoreSim: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "appstore-sim",
        abstract: "A stand-in App Store on 127.0.0.1: recordings, or a store of invented apps.",
        discussion: """
            Prints one line when it is ready, “listening on http://127.0.0.1:PORT”, and serves until SIGTERM or SIGINT.
            /image/… serves an icon or a screenshot for every address that Apple's image hosts could have, without the
            host. /_stats counts the requests; /_truth?term=…&country=…&entity=… gives the order of the invented store.
            """)

    @Option(help: ArgumentHelp("The port; 0 chooses a free one.", valueName: "n"))
    var port = 0

    @Option(
        help: ArgumentHelp("Serve the recordings in this folder, as its MANIFEST.json lists them.", valueName: "dir"))
    var replay: String?

    @Option(help: ArgumentHelp("Serve the invented store of this seed.", valueName: "s"))
    var seed: UInt64?

    @Option(help: ArgumentHelp("How many apps to invent (default: 4000).", valueName: "n"))
    var apps: Int?

    @Flag(help: "Make entries of about 9.6 kB instead of 1.5 kB.")
    var fullSize = false

    @Flag(help: "Compress answers for clients that accept gzip.")
    var gzip = false

    @Option(help: ArgumentHelp("Wait so many milliseconds before each answer.", valueName: "ms"))
    var latency = 0

    @Option(
        help: ArgumentHelp("Requests a minute at each endpoint; any more get an empty 403.", valueName: "n"))
    var limitPerMinute: Int?

    @Option(
        name: .customLong("fault"),
        help: ArgumentHelp(
            "How often a fault happens, 0–1; may be repeated. Kinds: "
                + Fault.allCases.map(\.rawValue).joined(separator: ", ") + ".",
            valueName: "kind=probability"))
    var faults: [FaultChance] = []

    @Option(
        help: ArgumentHelp(
            "What to serve in place of every icon and screenshot. Kinds: "
                + ImageTrick.allCases.map(\.rawValue).joined(separator: ", ") + ".",
            valueName: "kind"))
    var images: ImageTrick?

    func validate() throws {
        guard (replay == nil) != (seed == nil) else {
            throw ValidationError("Say what to serve: either --replay DIR or --seed S.")
        }
        guard replay == nil || (!fullSize && apps == nil) else {
            throw ValidationError("--full-size and --apps belong to the invented store: leave them out with --replay.")
        }
        guard (0...65_535).contains(port) else {
            throw ValidationError("--port is \(port): write a number from 0 to 65535.")
        }
        guard (0...600_000).contains(latency) else {
            throw ValidationError("--latency is \(latency): write 0 to 600000 milliseconds.")
        }
        guard (limitPerMinute ?? 0) >= 0 else {
            throw ValidationError("--limit-per-minute is \(limitPerMinute ?? 0): write 0 or more.")
        }
        guard (1...100_000).contains(apps ?? 1) else {
            throw ValidationError("--apps is \(apps ?? 0): write a number from 1 to 100000.")
        }
        let sum = faults.reduce(0) { $0 + $1.chance.probability }
        guard sum <= 1 + 1e-9 else {
            throw ValidationError("The probabilities of --fault add up to \(sum): at most 1 is possible.")
        }
    }

    /// On the main thread, because there is no other yet.
    @MainActor static func main() async {
        RepeatedOption.refuse(in: Self.self)
        await main(nil)
    }

    func run() async throws {
        let simulator = AppStoreSimulator(try backend(), options: options, now: { Timestamp(Date()) })
        let announcing = AnnouncedSimulator(simulator: simulator)
        let logger = Logger(label: "appstore-sim") { _ in SwiftLogNoOpLogHandler() }
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [
                    .init(
                        service: announcing, successTerminationBehavior: .gracefullyShutdownGroup,
                        failureTerminationBehavior: .cancelGroup)
                ],
                gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
        do {
            try await group.run()
        } catch is CancellationError {
            return
        } catch {
            let cause = (error as? IOError).map { ListeningFailure.Cause(code: $0.errnoCode) } ?? .other("\(error)")
            let failure = ListeningFailure(HostPort(host: "127.0.0.1", port: port), option: "--port", cause)
            try fail("\(failure)", 69)
        }
    }

    private func backend() throws -> any StoreBackend {
        guard let replay else {
            return SyntheticStore(
                seed: seed ?? 0, options: SyntheticStore.Options(appCount: apps ?? 4_000, isFullSize: fullSize))
        }
        do {
            return try Replay(folder: URL(filePath: replay, directoryHint: .isDirectory))
        } catch {
            try fail(error.description, 65)
        }
    }

    private var options: SimulatorOptions {
        SimulatorOptions(
            port: port, gzip: gzip, latency: .milliseconds(latency), limitPerMinute: limitPerMinute,
            faults: FaultPlan(chances: faults.map(\.chance), seed: seed ?? 1), images: images)
    }

    private func fail(_ message: String, _ code: Int32) throws -> Never {
        FileHandle.standardError.write(Data("appstore-sim: \(message)\n".utf8))
        throw ExitCode(code)
    }
}

/// The simulator, with its one line on stdout.
private struct AnnouncedSimulator: Service {
    let simulator: AppStoreSimulator

    func run() async throws {
        try await simulator.run { origin in
            // Unbuffered, unlike print: whoever waits for the line gets it at once.
            FileHandle.standardOutput.write(Data("listening on \(origin)\n".utf8))
        }
    }
}

extension ImageTrick: ExpressibleByArgument {}

/// `KIND=PROBABILITY`, as `--fault` takes it.
struct FaultChance: ExpressibleByArgument {
    let chance: FaultPlan.Chance

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2, let fault = Fault(rawValue: parts[0]), let probability = Double(parts[1]),
            (0...1).contains(probability)
        else { return nil }
        chance = FaultPlan.Chance(fault, probability: probability)
    }
}
