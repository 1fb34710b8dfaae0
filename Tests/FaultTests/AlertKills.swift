#if os(Linux)
    import Foundation
    import GRDB
    import ProgramStage
    import RankKit
    import Synchronization
    import TestSupport
    import Testing

    extension FaultTests {
        /// rankd killed between deciding on a message, sending it and noting that it was sent.
        @Suite(.timeLimit(.minutes(30))) struct AlertKills {
            /// When rankd is killed.
            enum Moment: Sendable, Hashable, CustomStringConvertible {
                /// At the so-manieth such call of one of its threads.
                case call(String, Int)
                /// The receiver has the message and has not answered.
                case beforeAnswer
                /// The receiver has answered; rankd has not heard it.
                case beforeNoting
                /// So long after the answer, in microseconds: rankd hears it, notes it, has noted it.
                case afterAnswer(Int)
                /// So long after the start, in milliseconds.
                case sinceStart(Int)

                var description: String {
                    switch self {
                    case .call(let name, let number): "\(name) \(number)"
                    case .beforeAnswer: "before the answer"
                    case .beforeNoting: "before the answer is heard"
                    case .afterAnswer(let time): "\(time) µs after the answer"
                    case .sinceStart(let time): "\(time) ms after the start"
                    }
                }
            }

            /// How far the message was when rankd died.
            enum Stretch: String, Sendable, CaseIterable {
                case undecided, unsent, onItsWay = "on its way", unnoted, noted
            }

            private static let calls = [
                "pwrite64", "fdatasync", "write", "writev", "sendto", "connect", "rename",
            ]
            private static let kills = 200

            @Test
            func `a message whose sender is killed arrives under one id, and once for whoever drops what he knows`()
                async throws
            {
                let certain: [Moment] = [.beforeAnswer, .beforeNoting, .beforeAnswer, .beforeNoting]
                // By then it may have noted all of it.
                let moments = certain + [.afterAnswer(200), .afterAnswer(3_000)]
                let met = try await Self.withTemplate { template in
                    try await Self.life(of: template, killed: moments)
                }
                #expect(met.count >= certain.count)
            }

            @Test(.longRun, .needs("strace")) func `killed two hundred times, each message arrives under one id`()
                async throws
            {
                let met = try await Self.withTemplate { template in
                    var met: [Stretch] = []
                    // Wherever the program writes, waits for the disk or speaks to somebody.
                    for call in Self.calls {
                        for number in 1... {
                            let more = try await Self.life(of: template, killed: [.call(call, number)])
                            met += more
                            if more.isEmpty { break }
                        }
                    }
                    print("ALERT KILLS: \(met.count) at calls of the system")
                    var random = SplitMix(seed: 20_261_123)
                    while met.count < Self.kills {
                        let moments: [Moment] = (0..<4).map { _ in
                            switch Int.random(in: 0..<4, using: &random) {
                            case 0: .beforeAnswer
                            case 1: .beforeNoting
                            case 2: .afterAnswer(Int.random(in: 0..<20_000, using: &random))
                            default: .sinceStart(Int.random(in: 0..<1_000, using: &random))
                            }
                        }
                        met += try await Self.life(of: template, killed: moments)
                    }
                    return met
                }
                let counts = Stretch.allCases.map { stretch in (stretch, met.count { $0 == stretch }) }
                print("ALERT KILLS: \(met.count); " + counts.map { "\($0.0.rawValue) \($0.1)" }.joined(separator: ", "))
                #expect(met.count >= Self.kills)
                for (stretch, count) in counts { #expect(count >= 5, "\(stretch)") }
            }

            private static func withTemplate<Value>(_ body: (Template) async throws -> Value) async throws -> Value {
                try await Stage.run { outer async throws in
                    try await outer.rememberMove()
                    return try await body(Template(stage: outer, store: try await outer.storeAfterMove()))
                }
            }

            struct Template {
                let stage: Stage
                let store: Simulator
            }

            /// One message to two channels, by programs each of which is killed at its moment, and by one that is not.
            ///
            /// - Returns: what each kill met; it has fewer than `moments` where all had arrived before.
            private static func life(of template: Template, killed moments: [Moment]) async throws -> [Stretch] {
                try await Stage.run { stage async throws in
                    for end in ["", "-wal", "-shm"]
                    where FileManager.default.fileExists(atPath: template.stage.database + end) {
                        try FileManager.default.copyItem(
                            atPath: template.stage.database + end, toPath: stage.database + end)
                    }
                    let killer = Killer()
                    let sink = try await WebhookSink.start(manner: killer.manner, answered: killer.answered)
                    try stage.watchMove(telling: [
                        "hook": "{ \"webhook\": \"\(sink.origin)/hook\" }",
                        "team": "{ \"webhook\": \"\(sink.origin)/team\" }",
                    ])
                    var met: [Stretch] = []
                    for moment in moments {
                        guard try await run(stage, template.store, sink, killer, until: moment) else { break }
                        met.append(try stretch(of: stage, sink))
                        try await stage.isSound("\(moment)")
                        try await minutePasses(stage)
                    }
                    #expect(try await run(stage, template.store, sink, killer, until: nil) == false)
                    try check(stage, sink, "\(moments)")
                    try await stage.isSound("\(moments), afterwards")
                    try await sink.stop()
                    return met
                }
            }

            /// Runs rankd until it is killed or everything has arrived.
            ///
            /// - Returns: whether it was killed.
            private static func run(
                _ stage: Stage, _ store: Simulator, _ sink: WebhookSink, _ killer: Killer, until moment: Moment?
            ) async throws -> Bool {
                let before = sink.requests.count
                let rankd = try killer.start(moment) {
                    guard case .call(let name, let number) = moment else { return try stage.rankd(store: store.origin) }
                    // The tracer is the grandchild, so that the process that was started is rankd itself.
                    return try stage.start(
                        path: FaultTests.tool("strace") ?? "strace",
                        [
                            "-D", "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(name)", "-e",
                            "inject=\(name):signal=KILL:when=\(number)", Program.Name.rankd.path, "--watchlist",
                            stage.watchlistFile, "--database", stage.database, "--search-url", store.origin,
                        ])
                }
                if case .sinceStart(let time) = moment {
                    try await Task.sleep(for: .milliseconds(time))
                    rankd.signal(SIGKILL)
                }
                let wasKilled: Bool = try await eventually("a kill or all that is to come: \(rankd.errors)") {
                    if let ending = rankd.ending {
                        #expect(
                            ending == .signal(SIGKILL), "\(String(describing: moment)): \(ending) \(rankd.errors)")
                        return true
                    }
                    let isOnItsWay = killer.waitsForRequests && sink.requests.count > before
                    if !isOnItsWay, try stage.deliveries() == ["hook": "delivered", "team": "delivered"] {
                        return false
                    }
                    try await Task.sleep(for: .milliseconds(20))
                    return nil
                }
                // All has arrived: what it does after that is not looked at.
                rankd.end()
                return wasKilled
            }

            private static func stretch(of stage: Stage, _ sink: WebhookSink) throws -> Stretch {
                let history = try RecordedHistory(stage.database)
                let all = "SELECT count(*) FROM alert_delivery"
                if try history.number(all) == 0 { return .undecided }
                let noted = try history.number(all + " WHERE state = 'delivered'")
                if Set(sink.requests.map(\.path)).count > noted { return .unnoted }
                let tried = try history.number(all + " WHERE state = 'due' AND tries > 0")
                if tried > 0 { return .onItsWay }
                return noted > 0 ? .noted : .unsent
            }

            /// What was being sent when rankd died is due again after a minute: nobody waits for it here.
            private static func minutePasses(_ stage: Stage) async throws {
                let queue = try DatabaseQueue(path: stage.database)
                try await queue.writeWithoutTransaction {
                    try $0.execute(sql: "UPDATE alert_delivery SET due_at = due_at - 120 WHERE state = 'due'")
                }
                try queue.close()
            }

            private static func check(_ stage: Stage, _ sink: WebhookSink, _ moment: String) throws {
                let history = try RecordedHistory(stage.database)
                let ids = try history.table("SELECT id FROM alert_message").map { $0[0] }
                #expect(ids.count == 1, "\(moment): \(ids)")
                for path in ["/hook", "/team"] {
                    let requests = sink.requests.filter { $0.path == path }
                    #expect(!requests.isEmpty, "\(moment): \(path)")
                    // Who drops by id what he knows has each once.
                    #expect(Set(requests.map { $0.headers["webhook-id"] }) == Set(ids), "\(moment): \(path)")
                    #expect(try Set(requests.map(Self.content)).count == 1, "\(moment): \(path)")
                }
            }

            /// The body without the moment of the try, which is all that may differ.
            private static func content(_ request: WebhookSink.Request) throws -> String {
                let text = request.text
                return text.replacing(/"sentAt": ?"[^"]*"/, with: "")
            }
        }
    }

    /// Kills the program that sends, from the receiver's side.
    private final class Killer: Sendable {
        private struct State {
            var pid: pid_t = 0
            var moment: FaultTests.AlertKills.Moment?
        }

        private let state = Mutex(State())

        /// Starts the program that is to be killed. A request that comes meanwhile waits.
        func start(_ moment: FaultTests.AlertKills.Moment?, _ body: () throws -> Program) throws -> Program {
            try state.withLock { state in
                let program = try body()
                state = State(pid: program.pid, moment: moment)
                return program
            }
        }

        /// Whether it is a request that has the program killed.
        var waitsForRequests: Bool {
            state.withLock { state in
                switch state.moment {
                case .beforeAnswer, .beforeNoting, .afterAnswer: true
                default: false
                }
            }
        }

        func manner(_ request: WebhookSink.Request) -> WebhookSink.Manner {
            state.withLock { state in
                switch state.moment {
                case .beforeAnswer:
                    kill(state.pid, SIGKILL)
                    return .silence
                case .beforeNoting:
                    kill(state.pid, SIGSTOP)
                    return .status(204)
                default: return .status(204)
                }
            }
        }

        func answered(_ request: WebhookSink.Request) {
            let (pid, wait): (pid_t, Int?) = state.withLock { state in
                switch state.moment {
                case .beforeNoting: (state.pid, 0)
                case .afterAnswer(let time): (state.pid, time)
                default: (0, nil)
                }
            }
            guard let wait else { return }
            usleep(UInt32(wait))
            kill(pid, SIGKILL)
        }
    }
#endif
