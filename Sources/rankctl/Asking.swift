import AppStore
internal import ArgumentParser
import Console
import Foundation
import History
import RankKit
import UnixSignals

/// Asks an App Store one thing, until it answers or Ctrl-C.
///
/// - Throws: `ExitCode`, after saying why there is no answer.
func ask(
    _ origin: Origin, _ question: @escaping @Sendable (AppStore) async throws -> AppStore.Reply
) async throws -> ResultList {
    let reply: AppStore.Reply
    do {
        reply = try await Interruption.cancelling(on: .sigint, .sigterm) {
            try await AppStore.withHTTP(origin) { try await question($0) }
        }
    } catch is CancellationError {
        Terminal.say("the request was cancelled")
        // As shells report an end by SIGINT.
        throw ExitCode(130)
    }
    switch reply {
    case .answered(let list): return list
    case .throttled(let status, _):
        Terminal.say(
            "the App Store refused the request (status \(status)): too many requests from this address; "
                + "wait half an hour and try again")
    case .failed(let failure):
        let detail = failure.detail.isEmpty ? "" : " (\(SafeText.escaped(failure.detail)))"
        let advice = failure.reason == .rejected ? "change the query" : "try again in a while"
        Terminal.say("no answer: \(failure.reason.explanation)\(detail); \(advice)")
    }
    throw ExitStatus.unavailable
}

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
            Terminal.say("not asked: the App Store refused rankd's requests, and rankd pauses until \(until)")
            throw ExitStatus.unavailable
        case .offline?, nil: return
        }
    }
}
