import Foundation
import History
import Judging
import ProgramStage
import RankKit
import Testing

@testable import Reports

/// What the demo is there to show.
@Suite struct DemoTests {
    @Test func `its release stands alone, so that what it did can be said`() async throws {
        let demo = try await GoldenDemo.shared.value
        let app = try #require(BundleID("com.northwind.daylight"))
        let reader = try demo.reader()
        let releases = try Releases(of: app, from: reader, zone: .gmt, now: demo.now)
        let effect = try ReleaseEffect(
            of: try #require(releases.find("2.4")), from: reader, zone: .gmt, now: demo.now)
        #expect(effect.finding == .verdict(.helped), "\(effect.sentence)")
        #expect(effect.events.filter(\.isOwn).isEmpty)
        #expect(effect.sentence.hasPrefix("It looks as if version 2.4 helped. "))
    }

    @Test func `its month is told as a person would tell it`() async throws {
        let demo = try await GoldenDemo.shared.value
        let reader = try demo.reader()
        let month = try Movers(from: reader, since: demo.now - 30 * Timestamp.secondsPerDay, now: demo.now)
        func told(_ text: String, _ platform: Platform = .iphone) -> [String] {
            month.rows.filter { $0.mine && $0.query.text == text && $0.query.platform == platform }.map { row in
                let way =
                    switch row.judgement {
                    case .real(let move): move.direction.rawValue
                    case .left(_, let since): "left on \(CivilTime.date(.startOfDay(since)))"
                    case .entered: "entered"
                    case .unconfirmed, .withinNoise, .notJudged: "nothing"
                    }
                return "\(row.query.country) \(way)"
            }.sorted()
        }
        #expect(told("streaks") == ["de down", "gb down", "us down"])
        #expect(told("habit tracker") == ["de up", "gb up", "us up"])
        #expect(told("habit tracker", .ipad) == ["us up"])
        #expect(told("study timer") == ["de left on 2026-11-17", "us left on 2026-11-17"])
        // What to do follows from the same.
        let doing = try Opportunities(from: reader, now: demo.now).rows
        func kinds(_ text: String) -> Set<Opportunities.Kind> {
            Set(doing.filter { $0.query.text == text }.map(\.kind))
        }
        #expect(kinds("streaks") == [.recover] && kinds("study timer") == [.recover])
        #expect(doing.filter { $0.query.text == "habit tracker" }.allSatisfy { $0.kind == .push })
        // The head of the report has it all on its first screen.
        let screen = StandingsReport(try Standings(from: reader, withTrend: true, now: demo.now))
            .render(as: .table, style: TerminalStyle(colour: false, width: 100)).split(separator: "\n").prefix(24)
        for text in ["streaks", "habit tracker", "study timer"] {
            for country in text == "study timer" ? ["us", "de"] : ["us", "gb", "de"] {
                #expect(screen.contains { $0.contains(text) && $0.contains("  \(country)  ") }, "\(text) \(country)")
            }
        }
    }

    @Test func `a day of its month is bad, and shows as a gap`() async throws {
        let demo = try await GoldenDemo.shared.value
        let standings = try Standings(from: try demo.reader(), withTrend: true, now: demo.now)
        #expect(standings.rows.filter(\.mine).contains { Sparkline($0.trend).text.contains(Sparkline.gap) })
    }

    @Test func `the demo refuses an option that is given twice`() async throws {
        try await Stage.run { stage async throws in
            let demo = try stage.start(.demo, ["--folder", "/nowhere/demo", "--seed", "1", "--seed", "2"])
            #expect(try await demo.ends() == .code(64))
            #expect(demo.errors.contains("--seed is given 2 times and takes one value"), "\(demo.errors)")
        }
    }

    /// The demo's program under the name by which `script/demo` has it looked at.
    private func rankctl(on stage: Stage) throws -> String {
        let path = stage.path + "/rankctl"
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: Program.Name.demo.path)
        return path
    }

    @Test func `its rankctl shows what rankctl shows`() async throws {
        let demo = try await GoldenDemo.shared.value
        try await Stage.run { stage async throws in
            let asked = ["report", "--at", GoldenDemo.now, "--format", "csv", "--database", demo.database]
            let whole = try stage.start(.rankctl, asked)
            let small = try stage.start(path: rankctl(on: stage), asked)
            #expect(try await whole.ends() == .code(0))
            #expect(try await small.ends() == .code(0), "\(small.errors)")
            #expect(small.output == whole.output && small.output.contains("habit tracker"))
        }
    }

    @Test func `its rankctl says where the rest of rankctl is`() async throws {
        try await Stage.run { stage async throws in
            let path = try rankctl(on: stage)
            let help = try stage.start(.rankctl, ["--help"])
            #expect(try await help.ends() == .code(0))
            let lines = help.output.split(separator: "\n").drop { $0 != "SUBCOMMANDS:" }.dropFirst()
            let names = lines.filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") && !$0.hasPrefix("  See ") }
                .compactMap { $0.split(separator: " ").first.map(String.init) }
            #expect(names.contains("alerts") && names.contains("export"), "\(help.output)")
            for name in names where !["report", "status", "apps", "watch"].contains(name) {
                let small = try stage.start(path: path, [name])
                #expect(try await small.ends() == .code(64))
                #expect(small.errors.contains("there is no command “\(name)” here"), "\(small.errors)")
                #expect(small.errors.contains("script/build-release rankd builds the rest too"), "\(small.errors)")
            }
        }
    }

    @Test func `its rankctl ends well where nobody reads on`() async throws {
        let demo = try await GoldenDemo.shared.value
        try await Stage.run { stage async throws in
            let path = try rankctl(on: stage)
            let script = "'\(path)' report --database '\(demo.database)'; echo $? >&2"
            let shell = try stage.start(path: "/bin/sh", ["-c", "{ \(script); } | true"])
            #expect(try await shell.ends() == .code(0))
            #expect(!shell.errors.contains("141"), "\(shell.errors)")
        }
    }
}
