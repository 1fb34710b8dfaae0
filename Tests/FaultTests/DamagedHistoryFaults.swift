import Alerts
import ArgumentParser
import Foundation
import History
import JudgingStage
import ProgramStage
import RankKit
import Reports
import TestSupport
import Testing
import Tracking

extension FaultTests {
    /// Histories in which a byte is another, or a column holds what no rankd writes. Whoever reads them answers or refuses.
    /// A trap ends the tests.
    @Suite struct DamagedHistoryFaults {
        /// `RANKD_DAMAGED_BYTES`: how many bytes are damaged, one after the other; a few hundred unless given.
        static let bytes = number("RANKD_DAMAGED_BYTES") ?? 200
        /// Where the sequence of damaged places begins.
        static let seed = number("RANKD_DAMAGE_SEED") ?? 1

        private static func number(_ name: String) -> Int? {
            ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
        }

        /// Writes down what is about to be tried, for whoever looks after a trap.
        private static func note(_ what: String) throws {
            guard let file = ProcessInfo.processInfo.environment["RANKD_DAMAGE_NOTE"] else { return }
            try Data((what + "\n").utf8).write(to: URL(fileURLWithPath: file))
        }

        @Test func `a single damaged byte leads to an answer or a refusal`() async throws {
            let history = try await DamagedHistory()
            var random = SplitMix(seed: UInt64(Self.seed))
            let questions = Questions(history)
            var refused = 0
            for turn in 0..<Self.bytes {
                let (byte, mask) = (Int(random.next() % UInt64(history.bytes.count)), UInt8(1 << (random.next() % 8)))
                try history.write(byte: byte, xor: mask, to: questions.path)
                try Self.note("byte \(byte) ^ \(mask), turn \(turn)")
                refused += try await questions.ask(turn)
            }
            #expect(refused < Self.bytes * 2, "nothing was answered")
        }

        @Test func `whatever a column holds, there is an answer or a refusal`() async throws {
            let history = try await DamagedHistory()
            let questions = Questions(history)
            var random = SplitMix(seed: UInt64(Self.seed))
            var turn = Int(random.next() % 1_000)
            for _ in 0..<Self.bytes {
                let cell = history.cell(Int(random.next() % UInt64(history.cellCount)))
                let value = DamagedHistory.values[Int(random.next() % UInt64(DamagedHistory.values.count))]
                let (ofAll, row) = (random.next() % 4 == 0, Int(random.next() % 1_000))
                guard try history.write(value, into: cell, ofAll: ofAll, row: row, to: questions.path) else { continue }
                for _ in 0..<3 {
                    turn += 1
                    try Self.note("\(cell) = \(value), all \(ofAll), row \(row), turn \(turn): \(questions.name(turn))")
                    _ = try await questions.ask(turn)
                }
            }
        }
    }

    /// Everything that can be asked of a history.
    private struct Questions {
        let path: String
        private let asked: [(name: String, ask: @Sendable (String) async throws -> Void)]

        init(_ history: DamagedHistory) {
            path = history.clients.folder.file("damaged.sqlite")
            let own = TwoClients.own
            let names = ExampleNames(app: own.app, queries: own.queries, countries: own.countries, version: own.version)
            let reports = ReportCatalogue.reports.flatMap { request in
                request.examples(names).map { example in
                    let arguments = example.arguments
                    let ask: @Sendable (String) async throws -> Void = { try Self.report(request, arguments, $0) }
                    return (example.name, ask)
                }
            }
            asked = reports + Self.further
        }

        func name(_ turn: Int) -> String { asked[turn % asked.count].name }

        /// - Returns: 1 if it was refused, in words.
        func ask(_ turn: Int) async throws -> Int {
            let question = asked[turn % asked.count]
            do {
                try await question.ask(path)
                return 0
            } catch {
                #expect(!"\(error)".isEmpty, "\(question.name)")
                return 1
            }
        }

        private static func report<Request: ReportRequest>(
            _ request: Request.Type, _ arguments: [String], _ path: String
        ) throws {
            let context = try ReportContext(try HistoryReader(path: path), now: DamagedHistory.now, zone: .gmt)
            let value = try request.parse(arguments).answer(in: context)
            for form in ReportFormat.allCases { _ = value.render(as: form) }
        }

        private static let further: [(name: String, ask: @Sendable (String) async throws -> Void)] = [
            ("verify", { _ = try await HistoryReader(path: $0).verify(found: { _ in }) }),
            (
                "export",
                {
                    _ = try await HistoryReader(path: $0).export(
                        since: nil, now: DamagedHistory.now, progress: { _, _ in }, write: { _ in })
                }
            ),
            (
                "positions",
                {
                    _ = try await HistoryReader(path: $0).exportPositions(
                        since: nil, progress: { _, _ in }, write: { _ in })
                }
            ),
            (
                "backup",
                { path in
                    unlink(path + ".copy")
                    _ = try await HistoryReader(path: path).backUp(to: path + ".copy", replaces: true)
                }
            ),
            (
                "preview",
                { path in
                    let now = DamagedHistory.now
                    _ = try AlertPreview(
                        AlertSettings(to: ["team"]), since: now.day - 20, until: now, now: now, zone: .gmt,
                        from: HistoryReader(path: path).snapshot())
                }
            ),
            (
                "outbox",
                { path in
                    let reader = try HistoryReader(path: path)
                    _ = (try reader.alertMark(), try reader.deliveries(limit: 10), try reader.outboxEvents(since: nil))
                    _ = (try reader.untriedMessages(), try reader.version(), try reader.watchedApps())
                    _ = try reader.passesUnderWay(now: DamagedHistory.now)
                }
            ),
            (
                "record",
                { path in
                    let store = try HistoryStore(path: path)
                    try await store.record(
                        Check(
                            query: query("timer"), at: DamagedHistory.now,
                            outcome: .answered(list((1...30).map { "com.other\($0)" } + ["com.acme.focus"]))))
                }
            ),
            (
                "adopt",
                { path in
                    let store = try HistoryStore(path: path)
                    try await store.adopt(
                        watchlist([(query("timer"), ["com.acme.focus"]), (query("new"), ["com.b"])]),
                        now: DamagedHistory.now)
                }
            ),
            (
                "clean-up",
                { path in
                    _ = try await Housekeeping(history: HistoryStore(path: path)).run(now: DamagedHistory.now + 86_400)
                }
            ),
        ]
    }
}
