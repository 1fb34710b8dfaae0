import RankKit
import Reports

/// How the service has been for a while: what comes and goes within minutes is no news.
struct TroubleWatch: Sendable {
    private var isTroubled: Bool?
    private var since: Timestamp?

    /// In seconds: as long it has to be so before it is told.
    static let patience: Int64 = 600

    /// What is worth telling.
    struct Finding: Sendable, Hashable {
        /// `nil` where all is well.
        var trouble: ServiceTrouble?
    }

    /// - Returns: `nil` until it has been so for `patience`.
    mutating func look(_ trouble: ServiceTrouble?, now: Timestamp) -> Finding? {
        if isTroubled != (trouble != nil) || since.map({ now < $0 }) ?? true {
            isTroubled = trouble != nil
            since = now
        }
        guard let since, now - since >= Self.patience else { return nil }
        return Finding(trouble: trouble)
    }
}
