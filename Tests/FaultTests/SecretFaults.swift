#if os(Linux)
    import Foundation
    import ProgramStage
    import TestSupport
    import Testing

    extension FaultTests {
        /// Secrets of every kind of channel, each of which fails: none is in anything that the programs write.
        @Suite(.timeLimit(.minutes(30))) struct SecretFaults {
            /// In every secret.
            private static let canary = "canary7b3e4d"
            /// A key that signs, of 32 bytes, which begin with the canary.
            private static let key = Data((canary + String(repeating: "k", count: 32)).utf8.prefix(32))
                .base64EncodedString()

            /// Where the secrets of a stage are: those that are well formed, and those that are not.
            private func keepSecrets(_ sink: WebhookSink, on stage: Stage) throws -> [String: String] {
                for folder in ["secrets", "credentials"] {
                    try FileManager.default.createDirectory(
                        atPath: stage.file(folder), withIntermediateDirectories: true)
                }
                let canary = Self.canary
                let files = [
                    "credentials/hook-key": "whsec_" + Self.key,
                    "secrets/hook-url": "\(sink.origin)/wrong/\(canary)",
                    "secrets/slack-url": "\(sink.origin)/elsewhere/\(canary)",
                    "secrets/discord-url": "http://127.0.0.1:1/\(canary)",
                    "secrets/telegram-token": "123456:\(canary)",
                    "secrets/chat": "-100\(canary)",
                    "secrets/ntfy-topic": "\(canary)-topic",
                    "secrets/bad-key": "whsec_\(canary)!",
                    "secrets/bad-url": "\(canary) is no address",
                    "secrets/bad-user": "https://rankd:\(canary)@example.com/",
                    "secrets/bad-token": "\(canary):123456",
                    "secrets/bad-topic": "\(canary) \(canary)",
                    "secrets/open": "https://example.com/\(canary)",
                    "secrets/long": String(repeating: canary, count: 1_000),
                ]
                for (name, text) in files {
                    let path = try stage.write(text + "\n", to: name)
                    try #require(chmod(path, name.hasSuffix("/open") ? 0o644 : 0o600) == 0)
                }
                return [
                    "CREDENTIALS_DIRECTORY": stage.file("credentials"), "RANKD_SECRET_NTFY_TOKEN": canary,
                    "RANKD_SECRET_BAD_SCHEME": "ftp://example.com/\(canary)",
                ]
            }

            private static func channels(_ sink: WebhookSink) -> [String: String] {
                [
                    "hook": #"{ "webhook": "secret:hook-url", "secret": "secret:hook-key" }"#,
                    "slack": #"{ "slack": "secret:slack-url" }"#,
                    "discord": #"{ "discord": "secret:discord-url" }"#,
                    "telegram": #"{ "telegram": "secret:telegram-token", "chat": "secret:chat" }"#,
                    "ntfy": """
                    { "ntfy": "\(sink.origin)", "topic": "secret:ntfy-topic", "token": "secret:ntfy-token" }
                    """,
                    "mail": #"{ "mail": "me@example.com" }"#,
                    "command": #"{ "command": ["/bin/false"] }"#,
                    "bad-key": #"{ "webhook": "secret:hook-url", "secret": "secret:bad-key" }"#,
                    "bad-url": #"{ "slack": "secret:bad-url" }"#,
                    "bad-user": #"{ "webhook": "secret:bad-user" }"#,
                    "bad-scheme": #"{ "discord": "secret:bad-scheme" }"#,
                    "bad-token": #"{ "telegram": "secret:bad-token", "chat": "secret:chat" }"#,
                    "bad-topic": #"{ "ntfy": "https://ntfy.sh", "topic": "secret:bad-topic" }"#,
                    "open": #"{ "webhook": "secret:open" }"#,
                    "long": #"{ "webhook": "secret:long" }"#,
                ]
            }

            private func withFailingChannels(
                _ body: (Stage, _ store: Simulator, WebhookSink, _ environment: [String: String]) async throws -> Void
            ) async throws {
                let sink = try await WebhookSink.start { request in
                    switch request.path.split(separator: "/").first {
                    case "elsewhere": .status(307, headers: [("location", "https://example.com/\(Self.canary)")])
                    case "wrong": .status(500, length: 100)
                    default: .status(401)
                    }
                }
                try await Stage.run { stage async throws in
                    // Nobody speaks to Telegram from here.
                    let resolver = try await LyingResolver(["api.telegram.org": ["10.0.0.1"]], on: stage)
                    let environment = try keepSecrets(sink, on: stage).merging(resolver.environment) { $1 }
                    try await stage.rememberMove()
                    let store = try await stage.storeAfterMove()
                    try stage.watchMove(telling: Self.channels(sink))
                    try await body(stage, store, sink, environment)
                }
                try await sink.stop()
            }

            @Test(.needs("cc"), arguments: ["text", "json"])
            func `no secret is in logs, reports, errors or copies`(_ format: String) async throws {
                try await withFailingChannels { stage, store, sink, environment in
                    let socket = try NotifySocket(path: stage.file("notify"))
                    let rankd = try stage.rankd(
                        ["--log-level", "trace", "--log-format", format, "--metrics", "127.0.0.1:0"],
                        store: store.origin, environment: environment.merging(["NOTIFY_SOCKET": socket.path]) { $1 })
                    try await eventually("a failure of each: \(rankd.errors)") {
                        let tried = try RecordedHistory(stage.database).number(
                            "SELECT count(*) FROM alert_delivery WHERE answer IS NOT NULL")
                        // All that can be used: hook, Slack, Discord, Telegram, ntfy, mail and command.
                        return tried == 7 ? true : nil
                    }
                    #expect(sink.requests.count { $0.path.contains(Self.canary) } >= 2)
                    rankd.signal(SIGHUP)
                    try await rankd.says("watchlist reloaded")
                    try await show(stage, environment)
                    rankd.signal(SIGTERM)
                    try await socket.message { message in
                        #expect(!message.values.contains { $0.contains(Self.canary) }, "\(message)")
                        return message["STOPPING"] == "1"
                    }
                    #expect(try await rankd.ends() == .code(0), "\(rankd.errors)")
                    let mails = try FileManager.default.contentsOfDirectory(atPath: stage.file("outgoing-mail"))
                    #expect(!mails.isEmpty)
                    try expectNoSecret(stage)
                    try await stage.isSound()
                }
            }

            /// Everything that rankctl can be asked about a history, and about its channels.
            private func show(_ stage: Stage, _ environment: [String: String]) async throws {
                let (history, list) = (["--database", stage.database], ["--watchlist", stage.watchlistFile])
                for format in ["table", "json", "csv", "html", "markdown"] {
                    for command in [
                        ["status"] + history, ["report"] + history, ["alerts", "list"] + list + history,
                        ["alerts", "log"] + history, ["alerts", "preview"] + list + history,
                    ] {
                        _ = try await stage.rankctl(command + ["--format", format], environment: environment)
                    }
                }
                for channel in Self.channelNames {
                    let test = try await stage.rankctl(
                        ["alerts", "test", channel] + list + history, environment: environment)
                    #expect(test.ending == .code(channel == "mail" ? 0 : 69), "\(channel): \(test.errors)")
                    // Without the environment some secrets are nowhere.
                    _ = try await stage.rankctl(["alerts", "test", channel] + list + history)
                }
                for command in [
                    ["watch", "check"] + list + history, ["plan"] + list + history, ["verify"] + history,
                    ["backup", stage.file("copy.sqlite")] + history,
                    ["export"] + history, ["report", "movers"] + history, ["alerts", "retry"] + history,
                    ["alerts", "mute", "weather"] + list,
                ] {
                    _ = try await stage.rankctl(command, environment: environment)
                }
                #expect(FileManager.default.fileExists(atPath: stage.file("copy.sqlite")))
            }

            private static let channelNames = [
                "hook", "slack", "discord", "ntfy", "mail", "command", "bad-key", "bad-url", "bad-user", "bad-scheme",
                "bad-token", "bad-topic", "open", "long",
            ]

            /// Looks into every file of the stage but those that hold the secrets.
            private func expectNoSecret(_ stage: Stage) throws {
                let files = try FileManager.default.subpathsOfDirectory(atPath: stage.path)
                    .filter { !$0.hasPrefix("secrets/") && !$0.hasPrefix("credentials/") }
                #expect(files.contains("history.sqlite"))
                for file in files {
                    guard let data = FileManager.default.contents(atPath: stage.file(file)) else { continue }
                    for secret in [Self.canary, Self.key, Data(Self.canary.utf8).base64EncodedString()] {
                        #expect(data.firstRange(of: Data(secret.utf8)) == nil, "\(file)")
                    }
                }
            }

            /// Whether this machine writes the memory of programs that crash to a file beside them.
            private static let makesCores: Bool = {
                guard let folder = try? TemporaryFolder(),
                    let shell = try? Program(
                        path: "/bin/sh",
                        arguments: ["-c", "ulimit -c unlimited && cd '\(folder.path)' && kill -ABRT $$"],
                        environment: ["PATH": "/usr/bin:/bin"], output: "/dev/null", errors: "/dev/null")
                else { return false }
                while shell.ending == nil { usleep(1_000) }
                return shell.leftCore
            }()

            @Test(
                .needs("cc"), .enabled(if: makesCores, "this machine writes no core files"),
                arguments: [SIGABRT, SIGSEGV])
            func `no core file is made of a rankd that holds secrets`(_ signal: Int32) async throws {
                try await withFailingChannels { stage, store, sink, environment in
                    let rankd = try stage.start(
                        path: "/bin/sh",
                        [
                            "-c",
                            "ulimit -c unlimited && cd '\(stage.path)' && exec '\(Program.Name.rankd.path)' "
                                + "--watchlist watchlist.json --database history.sqlite --search-url \(store.origin)",
                        ], environment: environment)
                    try await eventually("a message to the webhook: \(rankd.errors)") {
                        sink.requests.first { $0.path.contains(Self.canary) }
                    }
                    rankd.signal(signal)
                    #expect(try await rankd.ends() == .signal(signal), "\(rankd.errors)")
                    #expect(!rankd.leftCore)
                    let files = try FileManager.default.contentsOfDirectory(atPath: stage.path)
                    #expect(!files.contains { $0.hasPrefix("core") }, "\(files)")
                    try expectNoSecret(stage)
                }
            }
        }
    }
#endif
