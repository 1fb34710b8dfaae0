import Crypto
import Foundation
import History
import ProgramStage
import RankKit
import TestSupport
import Testing

extension ProgramTests {
    /// What rankd sends by itself, and what `rankctl alerts` says of it.
    @Suite struct AlertProgramTests {
        private static let day: Int64 = 86_400
        private static let app = "com.example.app1"
        /// The key that signs: 32 bytes.
        private static let key = Data((Stage.secret + String(repeating: "k", count: 32)).utf8.prefix(32))
        private static let canary = key.base64EncodedString()

        /// A history of a check a day. The app stood around 40, and stands around 12 since three days. rankd has looked
        /// at it five days ago for the last time.
        private func record(_ stage: Stage) async throws {
            let now = Timestamp(Date())
            let timer = query("timer")
            let store = try HistoryStore(path: stage.database)
            try await store.adopt(Watchlist(timer, Self.app, every: 28 * Self.day), now: now - 90 * Self.day)
            let places = (0..<40).map { [40, 41, 40, 39, 40, 42, 38, 40][$0 % 8] } + [12, 11, 12]
            for (index, place) in places.enumerated() {
                let moment = now - Int64(places.count - 1 - index) * Self.day - 60
                try await store.record(
                    Check(query: timer, at: moment, outcome: .answered(list(Self.names(place)))))
            }
            let mark = AlertMark(since: now - 6 * Self.day, check: 1, judgedAt: now - 5 * Self.day)
            #expect(try await store.decide(OutboxDecision(mark: mark), from: nil))
            try await store.close()
        }

        /// A hundred apps, with the one that is tracked at this place.
        private static func names(_ place: Int) -> [String] {
            (1...100).map { $0 == place ? app : "com.example.other\($0)" }
        }

        /// Starts rankd with a channel `hook` to `sink` and a store in which the app stays where it is.
        private func serve(_ stage: Stage, to sink: WebhookSink) async throws -> (rankd: Program, store: Simulator) {
            let store = try await prepare(stage, to: sink)
            return (try stage.rankd(store: store.origin), store)
        }

        private func prepare(_ stage: Stage, to sink: WebhookSink) async throws -> Simulator {
            var recordings = try Recordings("recordings", on: stage)
            try recordings.add(Recordings.list(Self.names(12)), as: "list.json", for: ["timer", "clock"])
            let store = try await stage.simulator(["--replay", recordings.folder])
            try FileManager.default.createDirectory(
                atPath: stage.file("secrets"), withIntermediateDirectories: true)
            try keep("whsec_" + Self.canary, mode: 0o600, stage)
            try stage.watch(Self.watchlist(["timer"], to: sink))
            return store
        }

        private static func watchlist(_ texts: [String], to sink: WebhookSink) -> String {
            let lines = texts.map { #"    { "query": "\#($0)", "bundleId": "\#(app)", "every": "4w" },"# }
            return """
                {
                  "watch": [
                \(lines.joined(separator: "\n"))
                  ],
                  "service": { "requestsPerMinute": 100000 },
                  "alerts": {
                    "channels": { "hook": { "webhook": "\(sink.origin)/", "secret": "secret:hook-key" } },
                    "to": ["hook"],
                  },
                }

                """
        }

        private func keep(_ text: String, mode: mode_t, _ stage: Stage) throws {
            let path = try stage.write(text + "\n", to: "secrets/hook-key")
            try #require(chmod(path, mode) == 0)
        }

        @Test func `a move arrives once and signed, and is known from then on`() async throws {
            try await withSink { stage, sink in
                try await record(stage)
                let (rankd, store) = try await serve(stage, to: sink)
                let message = try await eventually("a message; rankd said: \(rankd.errors)") { sink.requests.first }
                #expect(message.text.contains(Self.app) && message.text.contains("timer"), "\(message.text)")
                try expectSigned(message)

                let log = ["log", "--format", "json", "--database", stage.database]
                try await eventually("the log says that it was delivered") {
                    let log = try await stage.rankctl(["alerts"] + log)
                    return log.output.contains(#""state":"delivered""#) ? true : nil
                }
                let id = try #require(message.headers["webhook-id"])
                #expect(try await stage.rankctl(["alerts"] + log).output.contains(id))

                // Whoever starts it again, and lets it judge something new, is told nothing twice.
                rankd.signal(SIGTERM)
                #expect(try await rankd.ends() == .code(0), "\(rankd.errors)")
                try stage.watch(Self.watchlist(["timer", "clock"], to: sink))
                let again = try stage.rankd(store: store.origin)
                try await again.says("pass ended")
                let history = try RecordedHistory(stage.database)
                try await eventually("all checks are judged; rankd said: \(again.errors)") {
                    let left = "SELECT max(id) - (SELECT check_id FROM alert_mark) FROM check_log"
                    return try history.number(left) == 0 ? true : nil
                }
                again.signal(SIGTERM)
                #expect(try await again.ends() == .code(0), "\(again.errors)")
                #expect(try history.number("SELECT count(*) FROM alert_message") == 1)
                #expect(sink.requests.count == 1)
            }
        }

        @Test func `rankd --once decides and sends after its pass, and sends nothing twice`() async throws {
            try await withSink { stage, sink in
                try await record(stage)
                let store = try await prepare(stage, to: sink)
                let first = try await stage.pass(store: store.origin)
                #expect(first.ending == .code(0), "\(first.errors)")
                #expect(first.errors.contains("messages sent: 1 to hook"), "\(first.errors)")
                try expectSigned(try #require(sink.requests.first))
                let second = try await stage.pass(store: store.origin)
                #expect(second.ending == .code(0), "\(second.errors)")
                #expect(sink.requests.count == 1 && !second.errors.contains("messages sent"), "\(second.errors)")
            }
        }

        @Test func `rankd --once hands mails to sendmail, and keeps one that is not taken for the next run`()
            async throws
        {
            try await withSink { stage, sink in
                try await record(stage)
                let store = try await prepare(stage, to: sink)
                let list = try String(contentsOfFile: stage.watchlistFile, encoding: .utf8)
                let hook = #"{ "webhook": "\#(sink.origin)/", "secret": "secret:hook-key" }"#
                try stage.watch(list.replacing(hook, with: #"{ "mail": "me@example.com" }"#))
                let without = try await stage.pass(
                    store: store.origin, environment: ["RANKD_SENDMAIL": stage.file("none")])
                #expect(without.ending == .code(0), "\(without.errors)")
                #expect(without.errors.contains("message not delivered yet"), "\(without.errors)")
                let mail = stage.file("mail")
                let sendmail = try stage.write("#!/bin/sh\ncat >'\(mail)'\n", to: "sendmail")
                try #require(chmod(sendmail, 0o755) == 0)
                let retry = try await stage.rankctl(["alerts", "retry", "--database", stage.database])
                #expect(retry.ending == .code(0), "\(retry.errors)")
                let with = try await stage.pass(store: store.origin, environment: ["RANKD_SENDMAIL": sendmail])
                #expect(with.errors.contains("messages sent: 1 to hook"), "\(with.errors)")
                let text = try String(contentsOfFile: mail, encoding: .utf8)
                #expect(text.contains("To: me@example.com") && text.contains("Subject: "), "\(text)")
            }
        }

        @Test func `a digest is sent to a channel when somebody asks for it`() async throws {
            try await withSink { stage, sink in
                try await record(stage)
                _ = try await prepare(stage, to: sink)
                let files = ["--watchlist", stage.watchlistFile, "--database", stage.database]
                let sent = try await stage.rankctl(["report", "digest", "--to", "hook"] + files)
                #expect(sent.ending == .code(0) && sent.errors.contains("hook: delivered"), "\(sent.errors)")
                let message = try #require(sink.requests.first)
                #expect(message.text.contains("Digest of"), "\(message.text)")
                try expectSigned(message)
                for (options, words) in [
                    (["--to", "none"], "there is no channel “none”"),
                    (["--to", "hook", "--format", "json"], "leave out"),
                    (["--to", "hook", "--mail", "me@example.com"], "not both"),
                ] {
                    let refused = try await stage.rankctl(["report", "digest"] + options + files)
                    #expect(refused.ending == .code(64) && refused.errors.contains(words), "\(refused.errors)")
                }
                #expect(sink.requests.count == 1)
            }
        }

        @Test func `rankctl shows, tries and mutes, and nothing keeps the secret`() async throws {
            try await withSink { stage, sink in
                try await record(stage)
                let (rankd, _) = try await serve(stage, to: sink)
                try await eventually("a message; rankd said: \(rankd.errors)") { sink.requests.first }
                let files = ["--watchlist", stage.watchlistFile, "--database", stage.database]
                try await eventually("the list knows that it was delivered") {
                    let list = try await stage.rankctl(["alerts", "list", "--format", "csv"] + files)
                    #expect(list.ending == .code(0) && list.output.contains(",on,"), "\(list.output)\(list.errors)")
                    return list.output.contains("Z,0,0") ? true : nil
                }

                let test = try await stage.rankctl(["alerts", "test", "hook"] + files)
                #expect(test.ending == .code(0) && test.errors.contains("hook: delivered"), "\(test.errors)")
                #expect(sink.requests.count == 2)
                try expectSigned(try #require(sink.requests.last))

                try keep("whsec_" + Self.canary, mode: 0o644, stage)
                let open = try await stage.rankctl(["alerts", "test", "hook"] + files)
                #expect(open.ending == .code(69) && open.errors.contains("has the mode 0644"), "\(open.errors)")
                #expect(open.errors.contains("chmod 600") && sink.requests.count == 2)

                let mute = try await stage.rankctl([
                    "alerts", "mute", "query:timer", "--until", "2099-12-24", "--watchlist", stage.watchlistFile,
                ])
                #expect(mute.ending == .code(0), "\(mute.errors)")
                let list = try String(contentsOfFile: stage.watchlistFile, encoding: .utf8)
                #expect(list.contains(#"{ "query": "timer", "until": "2099-12-24" }"#), "\(list)")

                let preview = try await stage.rankctl(["alerts", "preview"] + files)
                #expect(preview.ending == .code(0), "\(preview.errors)")
                #expect(preview.output.contains("1 mute hides messages about: query “timer” until 2099-12-24"))

                let same = try await stage.rankctl(["alerts", "list", "--format", "json"] + files)
                #expect(same.output.contains(#""changed":false"#), "\(same.output)")
                try stage.watch(list.replacing("\(sink.origin)/", with: "\(sink.origin)/elsewhere"))
                let edited = try await stage.rankctl(["alerts", "list"] + files)
                #expect(edited.output.contains("hook was changed after rankd read the watchlist"), "\(edited.output)")
                _ = try await stage.rankctl(["status", "--database", stage.database])
                let copy = stage.file("copy.sqlite")
                let backup = try await stage.rankctl(["backup", copy, "--database", stage.database])
                #expect(backup.ending == .code(0), "\(backup.errors)")
                rankd.signal(SIGTERM)
                #expect(try await rankd.ends() == .code(0), "\(rankd.errors)")
                try expectNoCanary(stage)
            }
        }

        @Test func `a preview counts its days in the zone of the watchlist that is named, and not of the one in force`()
            async throws
        {
            try await withSink { stage, sink in
                try await record(stage)
                let now = Timestamp(Date())
                var days: [String: String] = [:]
                // Between these it is always another day in one than in the other.
                for zone in ["Pacific/Kiritimati", "Pacific/Pago_Pago"] {
                    let list = Self.watchlist(["timer"], to: sink)
                    try stage.watch(
                        list.replacing(
                            "\"service\": {",
                            with: "\"defaults\": { \"timeZone\": \"\(zone)\" },\n  \"service\": {"))
                    let preview = try await stage.rankctl([
                        "alerts", "preview", "--since", "2d", "--format", "json", "--watchlist", stage.watchlistFile,
                        "--database", stage.database,
                    ])
                    #expect(preview.ending == .code(0), "\(preview.errors)")
                    let wanted = CivilTime.date(
                        ZoneDays(try #require(TimeZone(identifier: zone))).local(now - 2 * Self.day))
                    #expect(preview.output.contains("\"since\":\"\(wanted)\""), "\(zone): \(preview.output)")
                    days[zone] = wanted
                }
                #expect(Set(days.values).count == 2)
            }
        }

        @Test func `what a month would have brought is part of a check, where there is a month`() async throws {
            try await withSink { stage, sink in
                let (rankd, _) = try await serve(stage, to: sink)
                try await rankd.says("pass ended")
                rankd.signal(SIGTERM)
                #expect(try await rankd.ends() == .code(0), "\(rankd.errors)")
                let check = ["watch", "check", "--watchlist", stage.watchlistFile, "--database"]
                for database in [stage.file("none.sqlite"), stage.database] {
                    let young = try await stage.rankctl(check + [database])
                    #expect(young.ending == .code(0) && !young.output.contains("alerts:"), "\(young.errors)")
                }
                for end in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: stage.database + end) {
                    try FileManager.default.removeItem(atPath: stage.database + end)
                }
                try await record(stage)
                let old = try await stage.rankctl(check + [stage.database])
                #expect(
                    old.ending == .code(0)
                        && old.output.contains(
                            "in the last 30 days rankd would have sent 1 message (at each sensitivity: calm 1, normal 1, keen 1)"
                        ),
                    "\(old.output)")
            }
        }

        private func withSink(_ body: (Stage, WebhookSink) async throws -> Void) async throws {
            try await Stage.run { stage async throws in
                let sink = try await WebhookSink.start()
                try await body(stage, sink)
                try await sink.stop()
            }
        }

        /// By the words of https://www.standardwebhooks.com alone.
        private func expectSigned(_ message: WebhookSink.Request) throws {
            let id = try #require(message.headers["webhook-id"])
            let stamp = try #require(message.headers["webhook-timestamp"])
            let signed = Data("\(id).\(stamp).".utf8) + Data(message.body)
            let code = HMAC<SHA256>.authenticationCode(for: signed, using: SymmetricKey(data: Self.key))
            #expect(message.headers["webhook-signature"] == "v1," + Data(code).base64EncodedString())
        }

        /// Every file of the stage: what the programs wrote, the history, its copy and the watchlist.
        private func expectNoCanary(_ stage: Stage) throws {
            let files = try FileManager.default.subpathsOfDirectory(atPath: stage.path)
            #expect(files.contains("copy.sqlite") && files.contains("history.sqlite"))
            for file in files where file != "secrets/hook-key" {
                guard let data = FileManager.default.contents(atPath: stage.file(file)) else { continue }
                for canary in [Self.canary, Stage.secret] {
                    #expect(data.firstRange(of: Data(canary.utf8)) == nil, "\(file)")
                }
            }
        }
    }
}

extension Watchlist {
    fileprivate init(_ query: Query, _ app: String, every: Int64) {
        self = watchlist([(query, [app])], every: every)
    }
}
