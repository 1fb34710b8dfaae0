import AppStore
import RankKit

/// What `rankctl watch check --online` was told, each app asked about once.
struct OnlineCheck: Sendable {
    private var found: [StorefrontApp] = []
    private var missing: [StorefrontApp] = []
    /// By why nothing was learnt about them.
    private var unanswered: [(why: String, apps: [StorefrontApp])] = []

    /// The fewest requests that name every app of the watchlist in each of its countries.
    static func batches(of watchlist: Watchlist) -> [LookupSchedule.Batch] {
        var apps: [Country: Set<BundleID>] = [:]
        for watched in watchlist.queries {
            apps[watched.query.country, default: []].formUnion(watched.pairs.map(\.bundleID))
        }
        return apps.sorted { $0.key < $1.key }
            .flatMap { LookupSchedule.batches(of: $0.value.sorted(), in: $0.key) }
    }

    mutating func add<C>(_ answer: LookupLane<C>.Answer, to batch: LookupSchedule.Batch) {
        switch answer {
        case .answered(let list, _):
            for (app, outcome) in batch.outcomes(in: list).sorted(by: { $0.key < $1.key }) {
                switch outcome {
                case .found: found.append(app)
                case .empty: missing.append(app)
                case .failed: leave([app], because: "parts of the answer could not be read")
                }
            }
        case .throttled(let status, _):
            leave(batch.apps, because: "the App Store refused the request (status \(status)); wait half an hour")
        case .failed(let failure, _):
            let detail = failure.detail.isEmpty ? "" : " (\(SafeText.escaped(failure.detail)))"
            leave(batch.apps, because: failure.explanation + detail)
        case .paused:
            leave(batch.apps, because: "not asked, because earlier requests got no answer")
        }
    }

    private mutating func leave(_ apps: [StorefrontApp], because why: String) {
        if let index = unanswered.firstIndex(where: { $0.why == why }) {
            unanswered[index].apps += apps
        } else {
            unanswered.append((why, apps))
        }
    }

    var isAnyAnswered: Bool { !found.isEmpty || !missing.isEmpty }
    var isAnyMissing: Bool { !missing.isEmpty }
    var isEmpty: Bool { !isAnyAnswered && unanswered.isEmpty }

    /// What was learnt, in lines that end in a line feed.
    var text: String {
        guard isAnyAnswered else { return "" }
        var lines = missing.map { "not found: \($0.bundleID) in \($0.country)" }
        let asked = found.count + missing.count
        lines.append("online: \(found.count) of \(asked) found (each app counted once per country)")
        if !missing.isEmpty {
            lines.append(
                "One answer is no proof. Check the spelling of the apps that were not found, and whether that country's "
                    + "store sells them.")
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// What could not be asked, and why; `nil` if everything could.
    var problem: String? {
        guard !unanswered.isEmpty else { return nil }
        return unanswered.map { why, apps in
            let named = apps.prefix(3).map { "\($0.bundleID) in \($0.country)" }.joined(separator: ", ")
            let more = apps.count > 3 ? " and \(apps.count - 3) more" : ""
            return "no answer about \(named)\(more): \(why)"
        }.joined(separator: "\n")
    }
}

extension Failure {
    /// For people: what happened, and what to do where no one was reached.
    fileprivate var explanation: String {
        isUnreachable ? "\(reason.explanation); is this machine online?" : reason.explanation
    }
}
