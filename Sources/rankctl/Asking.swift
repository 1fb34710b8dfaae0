import AppStore
internal import ArgumentParser
import Console
import Foundation
import History
import RankKit
import ReportCommands
import UnixSignals

/// Asks an App Store one thing, until it answers or Ctrl-C.
///
/// - Parameters:
///   - pace: whose turn is waited for; `nil` asks at once.
///   - days: whose clock a pause is told by.
/// - Throws: `ExitCode`, after saying why there is no answer.
func ask(
    _ origin: Origin, inTurnOf pace: Pace<ContinuousClock>? = nil, _ days: ZoneDays = .utc,
    _ question: @escaping @Sendable (AppStore) async throws -> AppStore.Reply
) async throws -> ResultList {
    try Descriptors.require(16)
    let reply: AppStore.Reply
    do {
        reply = try await Interruption.cancelling(on: .sigint, .sigterm) {
            try await waitForTurn(of: pace, days)
            return try await AppStore.withHTTP(origin) { try await question($0) }
        }
    } catch is CancellationError {
        Terminal.say("the request was cancelled")
        // As shells report an end by SIGINT.
        throw ExitCode(130)
    }
    await pace?.note(reply.endpointOutcome, at: Timestamp(Date()))
    switch reply {
    case .answered(let list): return list
    case .throttled(let status, _):
        Terminal.say(
            "the App Store refused the request (status \(status)): too many requests from this address; "
                + "wait half an hour and try again")
    case .failed(let failure):
        let detail = failure.detail.isEmpty ? "" : " (\(SafeText.escaped(failure.detail)))"
        let advice =
            switch failure.reason {
            case .rejected: "change the query"
            case .otherPage, .wrongStorefront, .changedPage, .cutList: "try again in a while, or ask --source itunes"
            default: "try again in a while"
            }
        Terminal.say("no answer: \(failure.reason.explanation)\(detail); \(advice)")
    }
    throw ExitStatus.unavailable
}

private func waitForTurn(of pace: Pace<ContinuousClock>?, _ days: ZoneDays) async throws {
    guard let pace else { return }
    do {
        guard case .paused(let left) = try await pace.turn() else { return }
        let until = Timestamp(Date()) + left.components.seconds + 1
        Terminal.say(
            "not asked: the App Store refused requests from this address, and nothing is asked until "
                + days.minute(until: until))
        throw ExitStatus.unavailable
    } catch TurnsFile.Trouble.held(let path) {
        Terminal.say("not asked: other programs keep this one waiting through \(path); look at who writes it")
        throw ExitStatus.unavailable
    } catch is TurnsFile.Trouble {
        // Somebody else's file is of no use: the request goes as it would without it.
    }
}

extension DatabaseOption {
    /// The pace that is shared with rankd and rankweb beside this history.
    ///
    /// - Parameter perMinute: how many requests a minute, if not the watchlist's number.
    /// - Returns: `nil` where there is no history, nobody shares, or this user may not.
    func sharedPace(
        of endpoint: Endpoint, perMinute: Int? = nil, _ surroundings: Surroundings
    ) -> Pace<ContinuousClock>? {
        let path = surroundings.locations.database(flag: database)
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let turns = TurnsFile(beside: HistoryReader.resolved(path))
        do {
            let reader = try HistoryReader(path: path)
            guard try turns.isShared(by: reader.writer) else { return nil }
            return try .sharing(
                turns, of: endpoint, as: "rankctl", requestsPerMinute: try perMinute ?? reader.requestsPerMinute(),
                now: { Timestamp(Date()) }, clock: ContinuousClock())
        } catch { return nil }
    }

    /// Whose days the history counts; UTC's where there is none, or none that can be read.
    func days(_ surroundings: Surroundings) -> ZoneDays {
        do {
            let path = surroundings.locations.database(flag: database)
            guard FileManager.default.fileExists(atPath: path) else { return .utc }
            return ZoneDays(kept: try HistoryReader(path: path).timeZone())
        } catch { return .utc }
    }

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
            Terminal.say(
                "not asked: the App Store refused rankd's requests, and rankd pauses until "
                    + days(surroundings).minute(until: until))
            throw ExitStatus.unavailable
        case .offline?, .failing?, nil: return
        }
    }
}
