import Console
import Foundation
import History
import RankKit

extension DatabaseOption {
    /// A pause that rankd is keeping holds for everyone at this address.
    ///
    /// - Throws: `ExitStatus.unavailable`, after saying until when, where the App Store has turned rankd away. A history
    ///   that is not there or cannot be read knows of none.
    func respectPause(of endpoint: Endpoint, _ surroundings: Surroundings) throws {
        let path = surroundings.locations.database(flag: database)
        guard FileManager.default.fileExists(atPath: path) else { return }
        let health: EndpointHealth
        do { health = try HistoryReader(path: path).health(of: endpoint) } catch { return }
        guard health.secondsLeft(at: surroundings.now) > 0, let until = health.pausedUntil else { return }
        switch health.pause {
        case .throttled?:
            Terminal.say("not asked: the App Store turned rankd's requests away, and it keeps still until \(until)")
            throw ExitStatus.unavailable
        case .offline?, nil: return
        }
    }
}
