#if os(Linux)
    import Console
    import Foundation
    import ProgramStage
    import Testing

    @testable import rankd

    extension ProgramTests {
        /// What `rankd` tells systemd, as a socket in systemd's place hears it.
        @Suite struct NotificationTests {
            @Test func `systemd is told of readiness, of a reload and of the end`() async throws {
                try await Stage.run { stage async throws in
                    let socket = try NotifySocket(path: stage.file("notify"))
                    let recordings = try Recordings.ofFiveApps(for: terms(1), on: stage)
                    let store = try await stage.simulator(["--replay", recordings.folder])
                    try stage.watch(watchlist(terms(1), ["com.example.app1"]))
                    let rankd = try stage.rankd(
                        store: store.origin, environment: ["NOTIFY_SOCKET": socket.path, "WATCHDOG_USEC": "180000000"])

                    let ready = try await socket.message { $0["READY"] == "1" }
                    #expect(ready["STATUS"] == "watching 1 queries" || ready["STATUS"] == "watching 1 query")
                    let alive = try await socket.message { $0["STATUS"]?.hasPrefix("idle") == true }
                    #expect(alive["WATCHDOG"] == "1")

                    let before = Self.monotonicMicroseconds()
                    rankd.signal(SIGHUP)
                    let reloading = try await socket.message { $0["RELOADING"] == "1" }
                    let moment = try #require(reloading["MONOTONIC_USEC"].flatMap { Int64($0) })
                    #expect((before...Self.monotonicMicroseconds()).contains(moment))
                    try await socket.message { $0["READY"] == "1" }

                    try stage.watch("{")
                    rankd.signal(SIGHUP)
                    try await socket.message { $0["RELOADING"] == "1" }
                    let kept = try await socket.message { $0["READY"] == "1" }
                    #expect(kept["STATUS"] == "watchlist not reloaded: the previous one stays in force")

                    rankd.signal(SIGTERM)
                    try await socket.message { $0["STOPPING"] == "1" }
                    #expect(try await rankd.ends() == .code(0))
                    #expect(socket.isSilent)
                }
            }

            @Test func `a socket that nobody listens on is no reason to fail`() async throws {
                try await Stage.run { stage async throws in
                    let recordings = try Recordings.ofFiveApps(for: terms(1), on: stage)
                    let store = try await stage.simulator(["--replay", recordings.folder])
                    try stage.watch(watchlist(terms(1), ["com.example.app1"]))
                    let rankd = try stage.rankd(
                        store: store.origin, environment: ["NOTIFY_SOCKET": stage.file("nobody")])
                    try await rankd.says("pass ended")
                    rankd.signal(SIGTERM)
                    #expect(try await rankd.ends() == .code(0))
                }
            }

            @Test func `a hostile status is one harmless line`() async throws {
                try await Stage.run { stage async throws in
                    let socket = try NotifySocket(path: stage.file("notify"))
                    let notifier = SystemdNotifier(environment: ["NOTIFY_SOCKET": socket.path])
                    notifier.alive("\u{1B}]0;x\u{7}a\r\nWATCHDOG=1\nREADY=1\u{202E}\u{9B}2J\u{2028}")
                    let message = try await socket.message { _ in true }
                    #expect(
                        message == [
                            "STATUS": #"\u{1B}]0;x\u{7}a\u{D}\u{A}WATCHDOG=1\u{A}READY=1\u{202E}\u{9B}2J\u{2028}"#
                        ])
                }
            }

            @Test func `nothing is told after the end`() async throws {
                try await Stage.run { stage async throws in
                    let socket = try NotifySocket(path: stage.file("notify"))
                    let notifier = SystemdNotifier(environment: ["NOTIFY_SOCKET": socket.path])
                    notifier.stopping()
                    notifier.alive("idle")
                    notifier.reloading()
                    notifier.ready("watching")
                    #expect(try await socket.message { _ in true }["STOPPING"] == "1")
                    #expect(socket.isSilent)
                }
            }

            private static func monotonicMicroseconds() -> Int64 {
                var time = timespec()
                clock_gettime(CLOCK_MONOTONIC, &time)
                return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
            }
        }
    }
#endif
