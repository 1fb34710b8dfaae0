import ArgumentParser
import Foundation
import History
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Reports

/// Times as people name them, in the days of a report's zone.
@Suite struct TimeReadingTests {
    @Test func `every report that takes --until takes --at for the same moment`() throws {
        for request in ReportCatalogue.reports {
            let help = request.helpMessage()
            #expect(help.contains("--until") == help.contains("--at <"), "\(request.about.name)")
        }
        #expect(try MoversRequest.parse(["--at", "yesterday"]).options.end.text == "yesterday")
    }

    @Test func `a moment in the future is refused under each name, by every report, and today is not one`() async throws
    {
        let folder = try TemporaryFolder()
        let store = try HistoryStore(path: folder.file("history.sqlite"))
        try await store.adopt(watchlist([(query("timer"), ["com.me"])], every: day), now: noon - 30 * day)
        let context = try ReportContext(HistoryReader(path: store.path), now: noon, zone: .gmt)
        for request in ReportCatalogue.reports where request.options.contains(where: { $0.name == "until" }) {
            let needed = request.options.filter(\.isRequired).map {
                RequestParameter($0.name, $0.name == "app" ? "com.me" : "timer")
            }
            for name in ["at", "until"] {
                let refused = ReportRefusal.option(
                    "--\(name) is in the future: the latest that it takes is now, 2026-11-20 12:00 UTC")
                for value in ["2999-01-01", "\(noon + 61)"] {
                    #expect(throws: refused, "\(request.about.name)") {
                        try request.request(needed + [.init(name, value)]).answer(in: context)
                    }
                }
                for value in ["today", "now", "\(noon + 60)"] {
                    do {
                        _ = try request.request(needed + [.init(name, value)]).answer(in: context)
                    } catch {
                        #expect(error as? ReportRefusal != refused, "\(request.about.name) \(value)")
                    }
                }
            }
        }
    }

    @Test func `a span that has not begun is refused with the present moment`() async throws {
        let folder = try TemporaryFolder()
        let store = try HistoryStore(path: folder.file("history.sqlite"))
        let times = TimeReading(try ReportContext(HistoryReader(path: store.path), now: noon, zone: .gmt))
        let refused = ReportRefusal.option(
            "--since is in the future: name a time before now, 2026-11-20 12:00 UTC")
        #expect(throws: refused) { try times.beginning("2999-01-01", before: noon) }
        #expect(throws: refused) { try times.span(since: "2999-01-01", until: EndOption.parse([])) }
    }

    @Test func `the day of a release that a note names is of the report's zone, whatever the machine's is`()
        async throws
    {
        let folder = try TemporaryFolder()
        let store = try HistoryStore(path: folder.file("history.sqlite"))
        var plan = watchlist([(query("timer"), ["com.me"])], every: day)
        plan.notes = [Note(on: "2026-11-10", bundleID: bundle("com.me"), version: "2.0", text: "new words")]
        try await store.adopt(plan, now: noon - 30 * day)
        // No machine's zone can be all of these.
        for name in ["Pacific/Auckland", "America/Los_Angeles", "UTC"] {
            let zone = try #require(TimeZone(identifier: name))
            let context = try ReportContext(HistoryReader(path: store.path), now: noon, zone: zone)
            let time = try TimeReading(context).time("release", for: "--since")
            #expect(time.first == NamedTime("2026-11-10", now: noon, zone: zone)?.first, "\(name)")
        }
    }

    @Test func `the release of an app is found by each of its names`() async throws {
        let folder = try TemporaryFolder()
        let store = try HistoryStore(path: folder.file("history.sqlite"))
        var plan = watchlist([(query("timer"), ["com.old"])], every: day)
        plan.notes = [Note(on: "2026-11-10", bundleID: bundle("com.old"), version: "2.0", text: "new words")]
        try await store.adopt(plan, now: noon - 30 * day)
        for (index, name) in ["com.old", "com.new"].enumerated() {
            let app = SeenApp(id: AppID(777), bundleID: bundle(name), fingerprint: nil) { AppDetails() }
            try await store.record(
                Check(
                    query: query("timer"), at: noon - Int64(20 - index) * day,
                    outcome: .answered(ResultList(places: [app]))))
        }
        let context = try ReportContext(HistoryReader(path: store.path), now: noon, zone: .gmt)
        let times = try ["com.old", "COM.new"].map {
            try TimeReading(context, apps: [$0]).time("release", for: "--since").first
        }
        #expect(times[0] == times[1])
    }
}
