package import History
import RankKit
package import TestSupport

/// A history with the apps of two clients of an agency. Whatever is the other client's alone has the word “zebra” in it.
package struct TwoClients {
    package let folder: TemporaryFolder
    package let store: HistoryStore

    package static let ownTag = "acme"
    package static let otherTag = "zebratag"
    package static let marker = "zebra"

    /// What the report's examples are about: all of it is the client's own.
    package static let own = Names(app: "focus", queries: ["timer", "clock"], countries: ["us", "de"], version: "2.4")

    package struct Names {
        package var app: String
        package var queries: [String]
        package var countries: [String]
        package var version: String
    }

    /// - Parameter more: how many queries the other client has beside the few that it always has, in each country.
    package init(more: Int = 0) async throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
        let others = (0..<more).flatMap { number in ["us", "de", "jp"].map { query("zebra more \(number)", $0) } }
        let plan = Self.plan(others)
        var earlier = plan
        earlier.queries.append(Self.watched(query("zebra gone"), ["com.zebra.own"], Self.otherTag))
        try await store.adopt(earlier, now: noon - 61 * day)
        // With more queries the other client has seen some apps of the own lists earlier, and later.
        let earlierToo = more > 0 ? ["com.newcomer"] : []
        try await record(query("zebra gone"), daysAgo: 60, ["com.zebra.own", "com.zebra.gone"] + earlierToo)
        try await store.adopt(plan, now: noon - 60 * day)
        for daysAgo in (0...59).reversed() as ReversedCollection<ClosedRange<Int64>> {
            try await record(daysAgo: daysAgo, others)
        }
        try await store.record(
            Check(
                query: query("zebra stripes", "jp"), at: noon - hour,
                outcome: .failed(Failure(.rejected, "zebra status"))))
        try await store.record(
            Check(
                query: query("zebra food", "jp"), at: noon - hour,
                outcome: .suspect(list(["com.zebra.suspect"], details: Self.details), .collapsed)))
        try await store.noteRefusal("watch[3]: no zebra is an app", at: noon - hour)
        try await keepCounts(more)
    }

    /// What the service counts of everybody's queries together.
    private func keepCounts(_ more: Int) async throws {
        let asked = 6 + 3 * more
        try await store.record(
            PassResult(
                startedAt: noon - 2 * hour, finishedAt: noon - hour, due: asked, succeeded: asked - 1, failed: 1,
                requests: asked + 1))
        let reader = try HistoryReader(path: store.path)
        while let days = try await store.nextCountryDays(now: .startOfDay(noon.day), limit: 100) {
            var draft = try CountryDayDraft(days, from: reader)
            while try draft.countNext(from: reader) {}
            try await store.enter(draft)
        }
        var cleanUp = CleanUp()
        cleanUp.listsCompacted = 60 * asked
        try await store.finishHousekeeping(cleanUp, at: noon - hour)
        guard more > 0 else { return }
        try await store.note(WaitedResults(from: noon - 3 * hour, until: noon - 2 * hour, written: more, lost: 0))
    }

    private static func watched(_ query: Query, _ apps: [String], _ tags: String...) -> WatchedQuery {
        WatchedQuery(
            query: query, cadences: [.every(seconds: day)],
            pairs: apps.map { WatchedPair(bundleID: bundle($0), tags: tags) })
    }

    /// One query is both clients', and so is one pair. An app of the other client's stands in a list of the own ones.
    private static func plan(_ more: [Query]) -> Watchlist {
        var plan = watchlist([(query("timer"), ["com.acme.focus", "com.acme.rival"])])
        plan.apps = [
            WatchedApp(bundleID: bundle("com.acme.focus"), alias: "focus", competitors: [bundle("com.acme.rival")]),
            WatchedApp(bundleID: bundle("com.acme.rival"), alias: "rival", isMine: false),
            WatchedApp(bundleID: bundle("com.zebra.own"), alias: "zebraown", competitors: [bundle("com.common")]),
            WatchedApp(bundleID: bundle("com.common"), alias: "zebracommon", isMine: false),
        ]
        let both = ["com.acme.focus", "com.acme.rival"]
        plan.queries =
            [
                watched(query("timer"), both, ownTag), watched(query("clock"), both, ownTag),
                watched(query("timer", "de"), both, ownTag, otherTag),
                watched(query("zebra stripes"), ["com.zebra.own", "com.common"], otherTag),
                watched(query("zebra stripes", "jp"), ["com.zebra.own", "com.common"], otherTag),
                watched(query("zebra food", "jp"), ["com.zebra.own"], otherTag),
            ] + more.map { watched($0, ["com.zebra.own"], otherTag) }
        plan.queries[0].pairs += ["com.zebra.own", "com.common"].map {
            WatchedPair(bundleID: bundle($0), tags: [otherTag])
        }
        plan.notes = [
            Note(
                on: "2026-11-05", bundleID: bundle("com.acme.focus"), version: "2.4", text: "new subtitle",
                added: ["clock"]),
            Note(
                on: "2026-11-06", bundleID: bundle("com.zebra.own"), version: "7.7", text: "a zebra subtitle",
                added: ["zebra food"]),
            Note(on: "2026-11-07", text: "the zebra moved house"),
        ]
        plan.timeZone = "UTC"
        return plan
    }

    private static func details(_ bundleID: String) -> AppDetails {
        AppDetails(
            name: bundleID.hasPrefix("com.zebra") ? "Zebra \(bundleID.count)" : "App \(bundleID)",
            developer: bundleID.hasPrefix("com.zebra") ? "Zebra Ltd" : "Somebody", version: "1.0", price: 0,
            currency: "USD", rating: 4.5, ratingCount: 100 + Int64(bundleID.count))
    }

    private func record(_ query: Query, daysAgo: Int64, _ names: [String]) async throws {
        try await store.record(
            Check(
                query: query, at: noon - daysAgo * day - 2 * hour,
                outcome: .answered(list(names, details: Self.details))))
    }

    /// The client's app rises and its rival falls, and a stranger comes among the first ten.
    private func record(daysAgo: Int64, _ more: [Query]) async throws {
        let mine = daysAgo > 12 ? 25 : 6
        var names = (1...40).map { "com.other\($0)" }
        names[mine] = "com.acme.focus"
        names[daysAgo > 12 ? 5 : 30] = "com.acme.rival"
        names[2] = daysAgo > 3 ? "com.common" : "com.newcomer"
        if daysAgo > 20 { names[39] = "com.leaver" }
        for asked in [query("timer"), query("clock"), query("timer", "de")] {
            try await record(asked, daysAgo: daysAgo, names)
        }
        var others = (1...40).map { "com.zebra.other\($0)" }
        others[Int(daysAgo % 7)] = "com.zebra.own"
        others[20] = "com.common"
        others[21] = "com.acme.rival"
        for asked in [query("zebra stripes"), query("zebra stripes", "jp"), query("zebra food", "jp")] {
            try await record(asked, daysAgo: daysAgo, others)
        }
        others[39] = "com.leaver"
        // They are all stormy on the same day, and fail on another.
        for asked in more {
            if daysAgo == 5 {
                try await store.record(
                    Check(query: asked, at: noon - 5 * day, outcome: .failed(Failure(.timedOut, "zebra byte"))))
            } else {
                try await record(asked, daysAgo: daysAgo, daysAgo == 3 ? others.reversed() : others)
            }
        }
    }
}
