import Foundation
import GRDB
import RankKit

/// Brings the lines of an exported history into another one.
///
/// Into a history that has no plan and no checks of its own everything comes as it was. Where there is a plan, it
/// stays: what is new comes as retired, and reports show it when it is asked for or watched again.
struct Importer {
    let queue: CountingQueue
    private let input: ExportFile
    private var file: String { input.path }
    private let decoder = JSONDecoder()
    var result = ImportResult()
    var header: ExchangeLine.Header?
    var storefronts: [Int64: Int64] = [:]
    var apps: [Int64: Int64] = [:]
    var queries: [Int64: Int64] = [:]
    var pairs: [Int64: Int64] = [:]
    /// Whether the history's own plan stays.
    var keepsPlan = false
    var blocks: [RecordedOrder.Block] = []
    var block = RecordedOrder.Block(first: .max, last: .min, offset: 0, file: "")
    /// Days of pairs whose roll-ups may have changed in this transaction.
    var touched: Set<PairDay> = []
    /// Queries that checks or positions were added to in this transaction.
    var changed: Set<Int64> = []
    /// The active pairs on each query.
    var activePairs: [Int64: Set<Int64>] = [:]
    /// Those that a list was added for in this transaction, but no position.
    var unfilled: Set<Int64> = []

    /// The page of lists that was looked at last.
    var page: DecodedPage?

    struct PairDay: Hashable {
        let pair: Int64
        let day: Int64
    }

    init(queue: CountingQueue, file: ExportFile) {
        self.queue = queue
        input = file
    }

    private static let linesPerTransaction = 500
    private static let bytesPerTransaction = 1 << 20

    mutating func run(_ work: BlockingWork, progress: (_ done: Int64, _ total: Int64) -> Void) throws {
        // What came before a mistake or an interruption is to be as whole as all the rest.
        do { try read(work, progress) } catch {
            try Derivation.finish(queue)
            throw error
        }
        try Derivation.finish(queue)
    }

    private mutating func read(_ work: BlockingWork, _ progress: (_ done: Int64, _ total: Int64) -> Void) throws {
        let reader = try LineReader(file, after: input.beginning)
        var batch: [(number: Int, line: ExchangeLine)] = []
        var bytes = 0
        var ended = false
        while let text = try reader.line() {
            if ended {
                try commit(&batch)
                throw refusal(reader.number, "something follows the last line", "remove it")
            }
            let line: ExchangeLine
            do { line = try decode(text, reader.number) } catch {
                try commit(&batch)
                throw error
            }
            batch.append((reader.number, line))
            bytes += text.count
            if case .end(let end) = line {
                ended = true
                guard end.lines == reader.number else {
                    try commit(&batch)
                    throw refusal(
                        reader.number, "there should be \(end.lines) lines",
                        "some are missing or were added: export again")
                }
            }
            if batch.count >= Self.linesPerTransaction || bytes >= Self.bytesPerTransaction {
                try work.checkCancellation()
                try commit(&batch)
                bytes = 0
                progress(reader.bytesRead, reader.size)
            }
        }
        try commit(&batch)
        guard header != nil else { throw Self.isEmpty(file) }
        guard ended else {
            throw refusal(
                reader.number, "the file was cut off here",
                "everything up to here was imported; import the complete file, and what is already there is skipped")
        }
    }

    private func refusal(_ line: Int?, _ problem: String, _ remedy: String) -> ImportRefusal {
        ImportRefusal(file: file, line: line, problem: problem, remedy: remedy)
    }

    private mutating func decode(_ text: [UInt8], _ number: Int) throws -> ExchangeLine {
        let line = try Self.decode(text, number: number, of: file, decoder)
        if case .header(let header) = line {
            self.header = header
            block.file = Self.fingerprint(text)
        }
        return line
    }

    /// FNV-1a.
    private static func fingerprint(_ bytes: [UInt8]) -> String {
        String(bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }, radix: 16)
    }

    private static let isKept = "lines before it may already be in the history, and are then skipped"

    /// Writes `batch` in one transaction: all of it or nothing.
    private mutating func commit(_ batch: inout [(number: Int, line: ExchangeLine)]) throws {
        guard !batch.isEmpty else { return }
        let lines = batch
        batch = []
        var next = self
        try queue.write { database in
            for (number, line) in lines {
                do { try next.take(line, database) } catch let problem as Unfitting {
                    throw next.refusal(number, problem.what, "export again, and import that: \(Self.isKept)")
                } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
                    throw next.refusal(
                        number, "does not fit (\(error.message ?? "a rule of the history is broken"))",
                        "export again or correct the line, and import that: \(Self.isKept)")
                }
                next.result.lines += 1
            }
            for entry in next.touched { try DayRollUp.refresh(day: entry.day, pairs: [entry.pair], in: database) }
            next.touched = []
            for pair in next.unfilled { try PairFill.note(pair, in: database) }
            next.unfilled = []
            try Derivation.note(next.changed, in: database)
            next.changed = []
            if next.block.first <= next.block.last { try RecordedOrder.keep(next.blocks + [next.block], in: database) }
        }
        self = next
    }

    /// A line that names what no line before it has brought, or that cannot be.
    struct Unfitting: Error {
        let what: String
    }

    func known(_ number: Int64, in map: [Int64: Int64], _ what: String) throws -> Int64 {
        guard let id = map[number] else { throw Unfitting(what: "names \(what) \(number), which no line before has") }
        return id
    }

    private mutating func take(_ line: ExchangeLine, _ database: Database) throws {
        switch line {
        case .header(let header): try begin(header, database)
        case .plan(let plan): try take(plan, database)
        case .storefront(let line): try take(line, database)
        case .app(let line): try take(line, database)
        case .listing(let line): try take(line, database)
        case .listingChange(let line): try take(line, database)
        case .presence(let line): try take(line, database)
        case .query(let line): try take(line, database)
        case .pair(let line): try take(line, database)
        case .check(let line): try take(line, database)
        case .failures(let line): try take(line, database)
        case .pass(let line): try take(line, database)
        case .bestPlace(let line): try take(line, database)
        case .countryDay(let line): try take(line, database)
        case .end: break
        }
    }
}
