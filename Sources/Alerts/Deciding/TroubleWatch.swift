import RankKit
import Reports

/// How the service has been for a while: what comes and goes within minutes is no news.
struct TroubleWatch: Sendable {
    private struct Sign: Sendable {
        var isThere: Bool
        var since: Timestamp
    }

    private var signs: [ServiceTrouble.Matter: Sign] = [:]

    /// In seconds: as long it has to be so before it is told.
    static let patience: Int64 = 600
    /// In seconds: what was away for less is the same trouble when it is back.
    static let memory: Int64 = 3_600

    /// What is worth telling.
    struct Finding: Sendable, Hashable {
        /// `nil` where all is well.
        var trouble: ServiceTrouble?
        /// What has been wrong for `patience`: none where all is well, else one at least.
        var lasting: Set<ServiceTrouble.Matter>
        /// What is not wrong now, and may have been so within `memory`.
        var fading: Set<ServiceTrouble.Matter>

        init(
            trouble: ServiceTrouble?, lasting: Set<ServiceTrouble.Matter>? = nil,
            fading: Set<ServiceTrouble.Matter> = []
        ) {
            self.trouble = trouble
            self.lasting = lasting ?? trouble?.matters ?? []
            self.fading = fading
        }
    }

    /// - Returns: `nil` until something is wrong, or all is well, for `patience`.
    mutating func look(_ trouble: ServiceTrouble?, now: Timestamp) -> Finding? {
        let wrong = trouble?.matters ?? []
        for matter in ServiceTrouble.Matter.allCases {
            let isThere = wrong.contains(matter)
            if let sign = signs[matter], sign.isThere == isThere, sign.since <= now { continue }
            signs[matter] = Sign(isThere: isThere, since: now)
        }
        func younger(than seconds: Int64) -> Set<ServiceTrouble.Matter> {
            Set(signs.filter { now - $0.value.since < seconds }.keys)
        }
        let young = younger(than: Self.patience)
        let lasting = wrong.subtracting(young)
        guard !lasting.isEmpty || trouble == nil && young.isEmpty else { return nil }
        return Finding(
            trouble: trouble, lasting: lasting, fading: younger(than: Self.memory).subtracting(wrong))
    }
}
