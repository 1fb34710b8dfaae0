import Foundation
import GRDB
import RankKit

/// Brings the lines of an exported history into another one.
///
/// Into a history that has no plan and no checks of its own everything comes as it was. Where there is a plan, it
/// stays: what is new comes as retired, and reports show it when it is asked for or watched again.
struct Importer {
    let queue: CountingQueue
    let input: ExportFile
    /// What the clock shows; `nil` where no clock is to be held against the histories' own.
    let now: Timestamp?
    /// What is read instead of the standard input, which gives nothing twice.
    var copy: SpooledInput?
    var file: String { input.path }
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
    /// Which file this is, where that had to be known beforehand.
    var identity: ExportIdentity?
    /// The name of the blocks that this file has brought before; `nil` where it is new.
    var brought: String?
    /// Which apps and pairs the file has.
    var fileApps = FileApps()
    var filePairs: [Int64: FilePair] = [:]
    /// Days of pairs whose roll-ups may have changed since the last step.
    var touched: Set<PairDay> = []
    /// When the newest check of the file began that counted where it was recorded; `nil` before the first.
    var newestCounted: Int64?
    /// The same of this history, before the import.
    var newestBefore: Int64?
    /// Of queries that were here before: whether the file has their first checks, and when the first one here began.
    var beginnings: [Int64: (isCut: Bool, first: Int64?)] = [:]
    /// Whether the file has checks that did not count where they were recorded.
    var hasUncounted = false
    /// Of days of stores.
    var storeDays = StoreDays()
    /// Of listings that were here before.
    var listings = ListingMerge()
    /// Queries that checks or positions were added to since the last step.
    var changed: Set<Int64> = []
    /// Queries that the file brought a list with a named entry of.
    var named: Set<Int64> = []
    /// The active pairs on each query.
    var activePairs: [Int64: Set<Int64>] = [:]
    /// The pairs on each query that are retired.
    var retiredPairs: [Int64: [RetiredPair]] = [:]
    /// Those that a list was added for since the last step, but no position.
    var unfilled: Set<Int64> = []

    /// The page of lists that was looked at last.
    var page: DecodedPage?

    struct PairDay: Hashable {
        let pair: Int64
        let day: Int64
    }

    init(queue: CountingQueue, file: ExportFile, now: Timestamp?) {
        self.queue = queue
        input = file
        self.now = now
    }

    /// After so many lines what is noted in memory is written.
    private static let linesPerStep = 500

    /// Reads the whole file in one transaction: of a file that is wrong, or an import that is broken off, nothing stays.
    mutating func run(_ work: BlockingWork, progress: (_ done: Int64, _ total: Int64) -> Void) throws {
        var next = self
        next.listings.work = work
        try queue.write { try next.bring($0, work, progress) }
        self = next
        try Derivation.finish(queue)
    }

    /// Brings the file, whether or not it has come before.
    private mutating func bring(
        _ database: Database, _ work: BlockingWork, _ progress: (_ done: Int64, _ total: Int64) -> Void
    ) throws {
        try identify(database, work)
        let former = try formerNames(database)
        for (index, name) in former.enumerated() {
            var attempt = self
            attempt.brought = name
            do {
                try database.inSavepoint {
                    try attempt.readAll(database, work, progress)
                    return .commit
                }
                self = attempt
                return
            } catch is OtherFile where index + 1 < former.count { continue }
        }
    }

    private mutating func readAll(
        _ database: Database, _ work: BlockingWork, _ progress: (_ done: Int64, _ total: Int64) -> Void
    ) throws {
        // What an entry without a number tells depends on who has its name.
        let names = try NameChange(of: UnnumberedPlaces.keys(in: database), in: database)
        let checksum = try read(work, database, progress)
        try listings.finish(fileSince: fileListsSince, database)
        try reconsider(database)
        try names.note(in: database)
        try Derivation.note(named, isRenamed: true, in: database)
        try noteCuts(database)
        try settle(database)
        try name(checksum, database)
        if let note = storeDays.note { result.notes.append(note) }
        if let newest = newestCounted ?? lastBeforeUncounted {
            let changed =
                try clockThatTheFileDoubts.map { clock in
                    let clock = clock.secondsSinceEpoch
                    return try CountedChecks.takeBack(
                        upTo: newestCounted ?? min(newest, clock), by: clock, in: database)
                } ?? CountedChecks.admit(upTo: newest, after: newestBefore, in: database)
            try Derivation.note(changed, in: database)
        }
    }

    /// What the clock shows, where this history counts checks as past that the file, by a clock like this one, does not:
    /// it is a copy that was made while the clock was ahead.
    private var clockThatTheFileDoubts: Timestamp? {
        guard let now, let end = header?.countedUntil, let newestBefore, end <= newestBefore,
            !CountedChecks.counts(end, by: now.secondsSinceEpoch)
        else { return nil }
        return now
    }

    /// The last moment that counted in the history of the file, where it has only checks that did not count there.
    private var lastBeforeUncounted: Int64? {
        guard hasUncounted, let end = header?.countedUntil, end > .min else { return nil }
        return end - 1
    }

    /// - Returns: the checksum of all lines but the last.
    private mutating func read(
        _ work: BlockingWork, _ database: Database, _ progress: (_ done: Int64, _ total: Int64) -> Void
    ) throws -> Checksum {
        let reader = try reader()
        var checksum = Checksum()
        var end: ExchangeLine.End?
        while let text = try reader.line() {
            guard end == nil else { throw refusal(reader.number, "something follows the last line", "remove it") }
            let line = try decode(text, reader.number)
            if case .end(let last) = line {
                try hold(last, against: checksum, reader.number)
                end = last
            } else {
                checksum.add(text)
            }
            try enter(line, reader.number, database)
            guard reader.number.isMultiple(of: Self.linesPerStep) else { continue }
            try work.checkCancellation()
            try settle(database)
            progress(reader.bytesRead, reader.size)
        }
        guard header != nil else { throw Self.isEmpty(file) }
        guard end != nil else {
            throw refusal(reader.number, "the file was cut off here", "import the complete file: \(Self.isLeft)")
        }
        return checksum
    }

    /// Holds what the last line says of the file against the file.
    private mutating func hold(_ end: ExchangeLine.End, against checksum: Checksum, _ number: Int) throws {
        guard end.lines == number else {
            throw refusal(
                number, "there should be \(end.lines) lines", "some are missing or were added: export again")
        }
        guard let told = end.checksum else {
            result.notes.append(
                "this export has no checksum, as earlier versions wrote it: whether it has changed since cannot be told"
            )
            return
        }
        guard told == checksum.text else {
            throw refusal(
                number, "the file is not what rankctl wrote: its checksum is \(checksum.text), it should be \(told)",
                "copy the file once more, or export again: \(Self.isLeft)")
        }
        result.hasChecksum = true
    }

    func refusal(_ line: Int?, _ problem: String, _ remedy: String) -> ImportRefusal {
        ImportRefusal(file: file, line: line, problem: problem, remedy: remedy)
    }

    private mutating func decode(_ text: [UInt8], _ number: Int) throws -> ExchangeLine {
        let line = try Self.decode(text, number: number, of: file, decoder)
        if case .header(let header) = line {
            self.header = header
            block.file = ExportIdentity.fingerprint(of: text)
        }
        return line
    }

    static let isLeft = "nothing of it was imported"

    private mutating func enter(_ line: ExchangeLine, _ number: Int, _ database: Database) throws {
        do { try take(line, database) } catch let problem as Unfitting {
            throw refusal(number, problem.what, "export again, and import that: \(Self.isLeft)")
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            throw refusal(
                number, "does not fit (\(error.message ?? "a rule of the history is broken"))",
                "export again or correct the line, and import that: \(Self.isLeft)")
        }
        result.lines += 1
    }

    /// Writes what follows from the lines so far.
    private mutating func settle(_ database: Database) throws {
        for entry in touched { try DayRollUp.refresh(day: entry.day, pairs: [entry.pair], in: database) }
        touched = []
        for pair in unfilled { try PairFill.note(pair, in: database) }
        unfilled = []
        try Derivation.note(changed, in: database)
        changed = []
        if block.first <= block.last { try RecordedOrder.keep(blocks + [block], in: database) }
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
