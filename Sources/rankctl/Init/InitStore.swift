import AppStore
import Console
import Foundation
import RankKit
import Reports

/// The App Store as `rankctl init` asks it: at the usual pace, with a word about what is asked, and no search twice.
actor InitStore {
    private let origin: Origin
    private let searches: Lane<Query, ContinuousClock>
    private let lookups: Lane<Lookup, ContinuousClock>
    private var lists: [Query: ResultList] = [:]

    /// - Parameter pace: of searches, where it is shared with rankd.
    init(_ store: AppStore, at origin: Origin, searches pace: Pace<ContinuousClock>?) {
        self.origin = origin
        let clock = ContinuousClock()
        let perMinute = ServiceSettings.defaultRequestsPerMinute
        searches = Lane(
            .search(at: origin.description), pace: pace ?? Pace(requestsPerMinute: perMinute, clock: clock),
            clock: clock,
            now: { Timestamp(Date()) }, request: store.search)
        lookups = Lane(
            .lookup(at: origin.description), pace: Pace(requestsPerMinute: perMinute, clock: clock), clock: clock,
            now: { Timestamp(Date()) }, request: store.lookup)
    }

    func search(_ query: Query) async throws -> ResultList {
        if let list = lists[query] { return list }
        Terminal.say("searching the \(query.country) store for “\(SafeText.escaped(query.text))” …")
        let list = try await list(searches, query)
        lists[query] = list
        return list
    }

    /// The app in the store of one country; `nil` if that does not sell it.
    func find(_ app: InitApp, in country: Country) async throws -> SeenApp? {
        switch app {
        case .link(let link): try await find(link.id, in: country)
        case .id(let id): try await find(id, in: country)
        case .bundleID(let bundleID):
            try await list(lookups, .bundleIDs([bundleID], country)).places.compactMap(\.self)
                .first { $0.bundleID == bundleID }
        case .name: nil
        }
    }

    private func find(_ id: AppID, in country: Country) async throws -> SeenApp? {
        try await list(lookups, .ids([id], country)).places.compactMap(\.self).first { $0.id == id }
    }

    /// - Throws: `ExitStatus.unavailable`, after saying why there is no answer; `CancellationError`.
    private func list<Question>(
        _ lane: Lane<Question, ContinuousClock>, _ question: Question
    ) async throws -> ResultList {
        let answer: Lane<Question, ContinuousClock>.Answer
        do { answer = try await lane.ask(question) } catch is TurnsFile.Trouble {
            throw refusal(
                "not asked: the file in which programs share their turns is of no use; look at "
                    + ReportAudience.command("rankctl status"))
        }
        switch answer {
        case .answered(let list, _): return list
        case .throttled(let status, _):
            throw refusal(
                "the App Store refused the request (status \(status)): too many requests from this address; "
                    + "wait half an hour and try again")
        case .failed(let failure, _):
            let detail = failure.detail.isEmpty ? "" : " (\(SafeText.escaped(failure.detail)))"
            let advice = failure.isUnreachable ? "is this machine online?" : "try again in a while"
            throw refusal("no answer from \(origin): \(failure.reason.explanation)\(detail); \(advice)")
        case .paused:
            throw refusal(
                "not asked: the App Store refuses requests from this address; wait half an hour and try again")
        }
    }

    private func refusal(_ words: String) -> any Error {
        Terminal.say(words + "; nothing was written")
        return ExitStatus.unavailable
    }
}
