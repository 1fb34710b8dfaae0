import Foundation
import ProgramStage
import RankKit
import TestSupport
import Testing

extension ProgramTests {
    /// Times in words for people are told by the clock of the watchlist's zone, whichever program says them.
    @Suite struct ZonedTimesTests {
        /// Nowhere is further ahead of UTC.
        private static let zone = "Pacific/Kiritimati"

        private func watch(_ stage: Stage, every: String = "4w") throws {
            try stage.watch(
                watchlist(terms(5), ["com.example.app1"], every: every, parallelism: 1, timeZone: Self.zone))
        }

        @Test func `rankd --once, searches, look-ups and prune tell times by the watchlist's zone`() async throws {
            try await Stage.run { stage async throws in
                let store = try await stage.simulator(["--seed", "1", "--apps", "50", "--limit-per-minute", "3"])
                try watch(stage)
                let pass = try await stage.pass(store: store.origin)
                #expect(pass.errors.contains(try time(after: "rankd asks nothing before")), "\(pass.errors)")
                let files = ["--database", stage.database, "--search-url", store.origin]
                let search = try await stage.rankctl(["search", "x"] + files)
                #expect(search.ending == .code(69))
                #expect(search.errors.contains(try time(after: "rankd pauses until")), "\(search.errors)")

                let other = try await stage.simulator(["--seed", "1", "--apps", "50"])
                #expect(try await stage.pass(store: other.origin).ending == .code(0))
                let idle = try await stage.pass(store: other.origin)
                #expect(idle.errors.contains(try time(after: "nothing is due before")), "\(idle.errors)")

                let prune = try await stage.rankctl(
                    ["prune", "--query", "query 1", "--before", "2099-01-01", "--database", stage.database])
                #expect(
                    prune.errors.contains("of 1 query from before 2099-01-01 00:00 \(Self.zone)"), "\(prune.errors)")
            }
        }

        private func time(after words: String) throws -> Regex<Substring> {
            try Regex("\(words) [0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2} \(Self.zone)")
        }

        @Test func `a message that is a test has the day of the watchlist's zone`() async throws {
            let sink = try await WebhookSink.start()
            try await Stage.run { stage async throws in
                // In one of these it is another day than in UTC, whenever it is.
                for zone in [Self.zone, "Etc/GMT+12"] {
                    try stage.watch(
                        """
                        { "defaults": { "timeZone": "\(zone)" }, "watch": [{ "query": "x", "bundleId": "com.a" }],
                          "alerts": { "channels": { "hook": { "webhook": "\(sink.origin)/" } }, "to": ["hook"] } }
                        """)
                    let days = ZoneDays(kept: zone)
                    func today() -> String { CivilTime.date(.startOfDay(days.day(of: Timestamp(Date())))) }
                    let before = today()
                    let test = try await stage.rankctl([
                        "alerts", "test", "hook", "--watchlist", stage.watchlistFile, "--database", stage.database,
                    ])
                    #expect(test.ending == .code(0), "\(test.errors)")
                    let body = try #require(sink.requests.last).text
                    #expect([before, today()].contains { body.contains(#""since":"\#($0)""#) }, "\(body)")
                    #expect([before, today()].contains { body.contains("▲25 since \($0)") }, "\(body)")
                }
            }
            try await sink.stop()
        }

        #if os(Linux)
            @Test func `systemd's status has the clock of the watchlist in force`() async throws {
                try await Stage.run { stage async throws in
                    let socket = try NotifySocket(path: stage.file("notify"))
                    let recordings = try Recordings.ofFiveApps(for: terms(5), on: stage)
                    let store = try await stage.simulator(["--replay", recordings.folder])
                    try watch(stage)
                    let rankd = try stage.rankd(store: store.origin, environment: ["NOTIFY_SOCKET": socket.path])
                    let idle = try await socket.message { $0["STATUS"]?.hasPrefix("idle, next due") == true }
                    #expect(idle["STATUS"]?.hasSuffix(" " + Self.zone) == true, "\(idle)")
                    try stage.watch(watchlist(terms(4), ["com.example.app1"], timeZone: "Asia/Kolkata"))
                    rankd.signal(SIGHUP)
                    try await socket.message { $0["STATUS"]?.hasSuffix(" Asia/Kolkata") == true }
                    rankd.signal(SIGTERM)
                    #expect(try await rankd.ends() == .code(0))
                }
            }
        #endif
    }
}
