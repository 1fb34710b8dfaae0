import Foundation
import ProgramStage
import Testing

extension ProgramTests {
    /// What `rankctl import` leaves where it refuses a file: nothing, where there was no history.
    @Suite struct RefusedImportTests {
        /// Records one pass of some queries.
        private func record(_ stage: Stage) async throws {
            let recordings = try Recordings.ofFiveApps(for: terms(3), on: stage)
            let store = try await stage.simulator(["--replay", recordings.folder])
            try stage.watch(watchlist(terms(3), ["com.example.app2"]))
            try #require(try await stage.pass(store: store.origin).ending == .code(0))
        }

        private struct RefusedImport: Sendable {
            var name: String
            var text: String
            var options: [String]
            var words: String

            init(_ name: String, _ text: String, _ options: [String] = [], _ words: String) {
                (self.name, self.text, self.options, self.words) = (name, text, options, words)
            }
        }

        private static let refusedImports = [
            RefusedImport("x.ndjson", "", [], "the file is empty"),
            RefusedImport("x.ndjson", "date,keyword,rank\n", [], "is not an export of rankctl"),
            RefusedImport("x.ndjson", #"{"type":"end","lines":1}"# + "\n", [], "line 1: there is no header"),
            RefusedImport(
                "x.ndjson", #"{"type":"header","format":"rankd-history","version":99,"exportedAt":1}"# + "\n", [],
                "has version 99 of the format"
            ),
            RefusedImport("x.csv", "", [], "there is no header"), RefusedImport("x.csv", "a,b\n1,2\n", [], "x.csv"),
            RefusedImport(
                "x.csv", "date,keyword,rank\n2026-11-01,habits,soon\n", ["--app", "a", "--country", "us"], "line 2:"),
            RefusedImport("x.csv", "date,keyword,rank\r", ["--app", "a", "--country", "us"], "there are no rows"),
            RefusedImport("x.csv", "[{}]", ["--app", "a", "--country", "us"], "is JSON, not a table"),
            RefusedImport(
                "x.csv", "date,keyword,rank,app_id\n2026-11-01,habits,3,12345\n", ["--country", "us"],
                "no search has shown the apps 12345"
            ),
            RefusedImport(
                "x.csv", "date,keyword,rank\n1999-11-01,habits,3\n", ["--app", "a", "--country", "us"],
                "before there was"
            ),
            RefusedImport(
                "x.csv",
                "day,bundleId,appName,mark,first,to3,to10,to30,to50,to100,to200,beyond200,absent,noFreshCheck,"
                    + "notYetChecked\r\n2026-11-01,com.a,A,mine,1,0,2,0,0,0,0,0,1,0,0\r\n", ["--country", "us"],
                "import the history itself: rankctl export --output history.ndjson"
            ),
            RefusedImport(
                "x.csv",
                "kind,query,country,platform,bundleId,appName,popularity,position,why,gain\r\n"
                    + "push,timer,us,iphone,com.a,A,,12,rising,3\r\n", ["--date", "2026-11-01"],
                "is the CSV of “rankctl report opportunities”, which does not say how each check ended"
            ),
        ]

        @Test(arguments: refusedImports)
        private func `an import that is refused leaves no history where there was none`(
            _ wrong: RefusedImport
        ) async throws {
            try await Stage.run { stage async throws in
                let (name, options, words) = (wrong.name, wrong.options, wrong.words)
                let file = try stage.write(wrong.text, to: name)
                let refused = try await stage.rankctl(
                    ["import", file, "--database", stage.file("new/history.sqlite"), "--within", "100"].filter {
                        name.hasSuffix(".csv") || !["--within", "100"].contains($0)
                    } + options)
                #expect(refused.ending == .code(65) && refused.errors.contains(words), "\(refused.errors)")
                #expect(!FileManager.default.fileExists(atPath: stage.file("new")))
            }
        }

        @Test func `a table may name apps as the watchlist does, also before rankd has read that`() async throws {
            try await Stage.run { stage async throws in
                let watchlist = try stage.write(
                    """
                    {"apps": {"habits": {"bundleId": "com.example.habits"}},
                        "watch": [{"query": "a", "country": "us", "bundleId": "habits"}]}
                    """, to: "named.json")
                let environment = ["RANKD_WATCHLIST": watchlist]
                let database = ["--database", stage.file("aliases.sqlite"), "--within", "100", "--country", "us"]
                let table = try stage.write("date,keyword,app,rank\n2026-11-01,a,Habits,3\n", to: "one.csv")
                let named = try await stage.rankctl(["import", table] + database, environment: environment)
                #expect(named.ending == .code(0), "\(named.errors)")
                let full = try stage.write(
                    "date,keyword,app,rank\n2026-11-03,a,com.example.HABITS,5\n", to: "three.csv")
                let known = try await stage.rankctl(
                    ["import", full, "--database", stage.file("bundles.sqlite"), "--within", "100", "--country", "us"],
                    environment: environment)
                #expect(known.ending == .code(0), "\(known.errors)")
                let bare = try stage.write("date,keyword,rank\n2026-11-02,a,4\n", to: "two.csv")
                let given = try await stage.rankctl(
                    ["import", bare, "--app", "habits", "--source", "one"] + database, environment: environment)
                #expect(given.ending == .code(0), "\(given.errors)")
                let export = try await stage.rankctl(["export", "--database", stage.file("aliases.sqlite")])
                #expect(export.output.contains(#""bundleId":"com.example.habits""#))
                #expect(!export.output.contains(#""bundleId":"habits""#))
            }
        }

        @Test func `a day of a table is the watchlist's, and the import says whose`() async throws {
            try await Stage.run { stage async throws in
                let watchlist = try stage.write(
                    """
                    {"defaults": {"timeZone": "America/Sao_Paulo"}, "apps": {"habits": {"bundleId": "com.example.habits"}},
                        "watch": [{"query": "a", "country": "us", "bundleId": "habits"}]}
                    """, to: "zoned.json")
                let environment = ["RANKD_WATCHLIST": watchlist]
                let database = ["--database", stage.file("zoned.sqlite")]
                let options = database + ["--within", "100", "--country", "us", "--app", "habits"]
                let table = try stage.write("date,keyword,rank\n2026-11-10,a,3\n", to: "days.csv")
                let undated = try stage.write("keyword,rank\na,4\n", to: "undated.csv")
                for _ in 1...2 {
                    let days = try await stage.rankctl(["import", table] + options, environment: environment)
                    #expect(
                        days.ending == .code(0)
                            && days.errors.contains("dates without a time are days of America/Sao_Paulo"),
                        "\(days.errors)")
                }
                let dated = try await stage.rankctl(
                    ["import", undated, "--source", "days", "--date", "2026-11-11"] + options, environment: environment)
                #expect(
                    dated.ending == .code(0) && dated.errors.contains("the date is a day of America/Sao_Paulo"),
                    "\(dated.errors)")
                let named = try await stage.rankctl(
                    ["import", table, "--source", "named", "--time-zone", "UTC"] + options, environment: environment)
                #expect(named.ending == .code(0), "\(named.errors)")
                let rows = try await stage.rankctl(["export", "--format", "csv"] + database).output.split(
                    whereSeparator: \.isNewline)
                #expect(
                    rows.count { $0.contains("2026-11-10T03:00:00Z") && $0.contains("import:days") } == 1, "\(rows)")
                #expect(
                    rows.count { $0.contains("2026-11-11T03:00:00Z") && $0.contains("import:days") } == 1, "\(rows)")
                #expect(rows.count { $0.contains("2026-11-10T00:00:00Z") && $0.contains("import:named") } == 1)
                #expect(rows.count == 4)
            }
        }

        @Test
        func `an import that goes wrong leaves no history, and one that was there as it was`() async throws {
            try await Stage.run { stage async throws in
                try await record(stage)
                let lines = try await stage.rankctl(["export", "--database", stage.database]).output.split(
                    separator: "\n"
                ).map(String.init)
                let database = stage.file("new.sqlite")
                let query = try #require(lines.first { $0.hasPrefix(#"{"query""#) || $0.contains(#""cadences""#) })
                let check = try #require(lines.first { $0.contains(#""outcome""#) })
                let unfit = try stage.write([lines[0], check].joined(separator: "\n") + "\n", to: "unfit.ndjson")
                let refused = try await stage.rankctl(["import", unfit, "--database", database])
                #expect(refused.ending == .code(65) && refused.errors.contains("line 2"), "\(refused.errors)")
                for suffix in ["", "-wal", "-shm"] {
                    #expect(!FileManager.default.fileExists(atPath: database + suffix))
                }
                let cut = try stage.write([lines[0], query].joined(separator: "\n") + "\n", to: "cut.ndjson")
                let other = try await stage.rankctl(["import", cut, "--database", database])
                #expect(other.ending == .code(65) && other.errors.contains("was cut off here"), "\(other.errors)")
                #expect(!FileManager.default.fileExists(atPath: database))
                let before = try await stage.rankctl(["export", "--database", stage.database]).output
                let again = try await stage.rankctl(["import", unfit, "--database", stage.database])
                #expect(again.ending == .code(65))
                func history(_ text: String) -> [Substring] { text.split(separator: "\n").dropFirst().dropLast() }
                let after = try await stage.rankctl(["export", "--database", stage.database]).output
                #expect(history(after) == history(before))
            }
        }
    }
}
