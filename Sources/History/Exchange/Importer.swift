import Foundation
import GRDB
import RankKit

/// Brings the lines of an exported history into another one.
///
/// Into a history that has no plan and no checks of its own everything comes as it was. Where there is a plan, it
/// stays: what is new comes as retired, and reports show it when it is asked for or watched again.
struct Importer {
    let queue: DatabaseQueue
    let file: String
    private(set) var result = ImportResult()
    private var header: ExchangeLine.Header?
    private var storefronts: [Int64: Int64] = [:]
    private var apps: [Int64: Int64] = [:]
    private var queries: [Int64: Int64] = [:]
    private var pairs: [Int64: Int64] = [:]
    /// Whether the history's own plan stays.
    private var keepsPlan = false
    private var blocks: [RecordedOrder.Block] = []
    private var block = RecordedOrder.Block(first: .max, last: .min, offset: 0, file: "")
    /// Days of pairs whose roll-ups may have changed in this transaction.
    private var touched: Set<PairDay> = []

    private struct PairDay: Hashable {
        let pair: Int64
        let day: Int64
    }

    init(queue: DatabaseQueue, file: String) {
        self.queue = queue
        self.file = file
    }

    private static let linesPerTransaction = 500
    private static let bytesPerTransaction = 1 << 20

    mutating func run(_ work: BlockingWork, progress: (_ done: Int64, _ total: Int64) -> Void) throws {
        let reader = try LineReader(file)
        let decoder = JSONDecoder()
        var batch: [(number: Int, line: ExchangeLine)] = []
        var bytes = 0
        var ended = false
        while let text = try reader.line() {
            if ended { throw refusal(reader.number, "something follows the last line", "remove it") }
            let line: ExchangeLine
            do { line = try decode(text, decoder, reader.number) } catch {
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
        for query in Set(queries.values).sorted() {
            try work.checkCancellation()
            try queue.write { try Derivation.derive(query: query, in: $0) }
        }
        guard header != nil else { throw refusal(nil, "the file is empty", "name a file of rankctl export") }
        guard ended else {
            throw refusal(
                reader.number, "the file was cut off here",
                "what is whole has been imported; run again with the whole file, what is there already is skipped")
        }
    }

    private func refusal(_ line: Int?, _ problem: String, _ remedy: String) -> ImportRefusal {
        ImportRefusal(file: file, line: line, problem: problem, remedy: remedy)
    }

    private mutating func decode(
        _ text: [UInt8], _ decoder: JSONDecoder, _ number: Int
    ) throws -> ExchangeLine {
        let line: ExchangeLine
        do { line = try decoder.decode(ExchangeLine.self, from: Data(text)) } catch {
            throw number == 1
                ? refusal(
                    1, "is no export of rankctl",
                    "name a file of rankctl export, or add --csv for another tool's table")
                : refusal(
                    number, "is no line of an export (\(Self.reason(error)))", "export again, or correct the line")
        }
        if case .header(let header) = line {
            guard number == 1, header.format == ExchangeLine.format else {
                throw refusal(number, "is no header of an export", "name a file of rankctl export")
            }
            guard header.version == ExchangeLine.version else {
                throw refusal(
                    1, "has version \(header.version) of the format, this rankctl knows \(ExchangeLine.version)",
                    "install the rankd that wrote it, or a later one")
            }
            self.header = header
            block.file = Self.fingerprint(text)
        } else if number == 1 {
            throw refusal(1, "there is no header", "name a whole file of rankctl export")
        }
        return line
    }

    private static func reason(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return "\(error)" }
        switch error {
        case .keyNotFound(let key, _): return "“\(key.stringValue)” is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            return "“\(context.codingPath.map(\.stringValue).joined(separator: "."))” has the wrong type"
        case .dataCorrupted: return "not whole JSON, or a value that no export has"
        @unknown default: return "not understood"
        }
    }

    /// FNV-1a.
    private static func fingerprint(_ bytes: [UInt8]) -> String {
        String(bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }, radix: 16)
    }

    /// Writes `batch` in one transaction: all of it or nothing.
    private mutating func commit(_ batch: inout [(number: Int, line: ExchangeLine)]) throws {
        guard !batch.isEmpty else { return }
        let lines = batch
        batch = []
        var next = self
        try queue.write { database in
            for (number, line) in lines {
                do { try next.take(line, database) } catch let problem as Unfitting {
                    throw next.refusal(number, problem.what, "nothing of it was imported: export again")
                } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
                    throw next.refusal(
                        number, "does not fit (\(error.message ?? "a rule of the history is broken"))",
                        "nothing of it was imported: export again, or correct the line")
                }
                next.result.lines += 1
            }
            for entry in next.touched { try DayRollUp.refresh(day: entry.day, pairs: [entry.pair], in: database) }
            next.touched = []
            if next.block.first <= next.block.last { try RecordedOrder.keep(next.blocks + [next.block], in: database) }
        }
        self = next
    }

    /// A line that names what no line before it has brought, or that cannot be.
    private struct Unfitting: Error {
        let what: String
    }

    private func known(_ number: Int64, in map: [Int64: Int64], _ what: String) throws -> Int64 {
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
        case .query(let line): try take(line, database)
        case .pair(let line): try take(line, database)
        case .check(let line): try take(line, database)
        case .failures(let line): try take(line, database)
        case .pass(let line): try take(line, database)
        case .end: break
        }
    }

    // MARK: The file and its plan

    private mutating func begin(_ header: ExchangeLine.Header, _ database: Database) throws {
        blocks = try RecordedOrder.blocks(in: database)
        let newest = try Int64.fetchOne(database, sql: "SELECT max(id) FROM check_log") ?? 0
        let mine = blocks.last { $0.file == block.file }
        if let mine, mine.last >= newest {
            // The same file once more, and nothing has been recorded since: it goes on where it ended.
            block = mine
            blocks.removeAll { $0 == mine }
        } else {
            block.offset = newest == 0 ? 0 : newest + 1 - (header.firstCheck ?? 1)
        }
    }

    private mutating func take(_ plan: ExchangeLine.Plan, _ database: Database) throws {
        let own = try Setting.adoptedAt.integer(in: database)
        keepsPlan = own != nil && own != plan.adoptedAt
        guard own == nil else { return }
        for (ordinal, app) in plan.apps.enumerated() {
            let key = app.bundleId.lowercased()
            try database.execute(
                literal: """
                    INSERT INTO watched_app (bundle_key, bundle_id, alias, mine, ordinal)
                    VALUES (\(key), \(app.bundleId), \(app.alias), \(app.mine), \(ordinal))
                    """)
            for rival in app.competitors {
                try database.execute(
                    literal: "INSERT INTO competitor (bundle_key, competitor_key) VALUES (\(key), \(rival))")
            }
        }
        for (ordinal, note) in plan.notes.enumerated() {
            try database.execute(
                literal: """
                    INSERT INTO note (ordinal, on_date, bundle_key, version, text, added, removed)
                    VALUES (\(ordinal), \(note.on), \(note.bundleId), \(note.version), \(note.text),
                        \(note.added.joined(separator: "\n")), \(note.removed.joined(separator: "\n")))
                    """)
        }
        try Setting.timeZone.set(plan.timeZone, in: database)
        try Setting.requestsPerMinute.set(plan.requestsPerMinute, in: database)
        try Setting.parallelism.set(plan.parallelism, in: database)
        try Setting.adoptedAt.set(plan.adoptedAt, in: database)
    }

    /// Where the history has a plan of its own, what the file brings ends with the file.
    private func retirement(_ moment: Int64?) -> Int64? { keepsPlan ? moment ?? header?.exportedAt : moment }

    // MARK: Apps

    private mutating func take(_ line: ExchangeLine.Storefront, _ database: Database) throws {
        let known = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT id FROM storefront WHERE country = ? AND language = ?"),
            arguments: [line.country, line.language])
        storefronts[line.n] =
            try known
            ?? insert("storefront", at: line.n, [("country", line.country), ("language", line.language)], database)
    }

    private mutating func take(_ line: ExchangeLine.App, _ database: Database) throws {
        let known = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT id FROM app WHERE app_id = ?"), arguments: [line.appId])
        if let known {
            try database.cachedStatement(
                sql: """
                    UPDATE app SET first_seen_at = min(first_seen_at, ?), last_seen_day = max(last_seen_day, ?)
                    WHERE id = ?
                    """
            ).execute(arguments: [line.firstSeenAt, line.lastSeenDay, known])
        }
        apps[line.n] =
            try known
            ?? insert(
                "app", at: line.n,
                [
                    ("app_id", line.appId), ("bundle_id", line.bundleId), ("bundle_key", line.bundleId.lowercased()),
                    ("first_seen_at", line.firstSeenAt), ("last_seen_day", line.lastSeenDay),
                ], database)
    }

    private func take(_ line: ExchangeLine.Listing, _ database: Database) throws {
        let app = try known(line.app, in: apps, "app")
        let storefront = try known(line.storefront, in: storefronts, "storefront")
        if let fingerprint = line.fingerprint {
            try database.cachedStatement(
                sql: """
                    INSERT INTO sighting (storefront, app, fingerprint, rating, rating_count) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT DO NOTHING
                    """
            ).execute(arguments: [storefront, app, fingerprint, line.rating, line.ratingCount])
        }
        try database.cachedStatement(
            sql: """
                INSERT INTO listing (app, storefront, name, developer, seller, version, released_at,
                    version_released_at, price, currency, genre, icon_url, store_url, screenshot_urls)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
                """
        ).execute(
            arguments: [
                app, storefront, line.name, line.developer, line.seller, line.version, line.releasedAt,
                line.versionReleasedAt, line.price, line.currency, line.genre, line.iconUrl, line.storeUrl,
                line.screenshotUrls,
            ])
    }

    private func take(_ line: ExchangeLine.ListingChange, _ database: Database) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO listing_change (app, storefront, at, field, was) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT DO NOTHING
                """
        ).execute(
            arguments: [
                known(line.app, in: apps, "app"), known(line.storefront, in: storefronts, "storefront"), line.at,
                line.field, line.was,
            ])
    }

    // MARK: Queries and pairs

    private mutating func take(_ line: ExchangeLine.Query, _ database: Database) throws {
        let folded = RankKit.Query.fold(line.text)
        let existing = try Int64.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT id FROM query
                    WHERE folded = ? AND country = ? AND platform = ? AND source = ? AND language = ?
                    """), arguments: [folded, line.country, line.platform, line.source, line.language])
        queries[line.n] =
            try existing
            ?? insert(
                "query", at: line.n,
                [
                    ("text", line.text), ("folded", folded), ("country", line.country), ("platform", line.platform),
                    ("source", line.source), ("language", line.language), ("cadences", line.cadences),
                    ("cadence_seconds", line.cadenceSeconds), ("popularity", line.popularity),
                    ("ordinal", line.ordinal), ("retired_at", retirement(line.retiredAt)),
                    ("baseline_from", line.baselineFrom == 0 ? 0 : line.baselineFrom + block.offset),
                ], database)
    }

    private mutating func take(_ line: ExchangeLine.Pair, _ database: Database) throws {
        let query = try known(line.query, in: queries, "query")
        guard let bundleID = BundleID(line.bundleId) else { throw Unfitting(what: "has a bundleId that cannot be") }
        let existing = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT id FROM pair WHERE query = ? AND bundle_key = ?"),
            arguments: [query, bundleID.folded])
        let tags = String(decoding: try JSONEncoder().encode(line.tags), as: UTF8.self)
        let pair =
            try existing
            ?? insert(
                "pair", at: line.n,
                [
                    ("query", query), ("bundle_id", bundleID.text), ("bundle_key", bundleID.folded), ("tags", tags),
                    ("retired_at", retirement(line.retiredAt)),
                ], database)
        pairs[line.n] = pair
        for period in line.periods {
            try database.cachedStatement(
                sql: "INSERT INTO pair_period (pair, from_at, until_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
            ).execute(arguments: [pair, period.from, retirement(period.until)])
        }
    }

    /// Inserts a row, with the number that it has in the file where that is free.
    private func insert(
        _ table: String, at number: Int64, _ values: [(String, (any DatabaseValueConvertible)?)],
        _ database: Database
    ) throws -> Int64 {
        let isTaken =
            try Bool.fetchOne(
                database.cachedStatement(sql: "SELECT 1 FROM \(table) WHERE id = ?"), arguments: [number]) ?? false
        let columns = values.map(\.0).joined(separator: ", ")
        let marks = String(repeating: ", ?", count: values.count)
        try database.cachedStatement(sql: "INSERT INTO \(table) (id, \(columns)) VALUES (?\(marks))").execute(
            arguments: StatementArguments([isTaken ? nil : number] + values.map(\.1)))
        return database.lastInsertedRowID
    }

    // MARK: Checks

    private mutating func take(_ line: ExchangeLine.Check, _ database: Database) throws {
        let query = try known(line.query, in: queries, "query")
        let id = line.n + block.offset
        if let existing = try twin(of: line, query: query, id: id, database) {
            result.duplicates += 1
            try addPositions(line, to: existing, database, asOfTwin: existing != id)
            return
        }
        try database.cachedStatement(
            sql: "INSERT INTO check_log (id, query, at, outcome, within, reason, detail) VALUES (?, ?, ?, ?, ?, ?, ?)"
        ).execute(arguments: [id, query, line.at, line.outcome, line.within, line.reason, line.detail])
        if let list = line.list {
            let places: [Int64?] = try list.map { $0 == 0 ? nil : try known($0, in: apps, "app") }
            try KeptCheck.keep(places, of: id, in: database)
        }
        (block.first, block.last) = (min(block.first, id), max(block.last, id))
        result.checks += 1
        try addPositions(line, to: id, database, asOfTwin: false)
    }

    /// The check of the same query and time that is there already; two of one file are no twins.
    private func twin(
        of line: ExchangeLine.Check, query: Int64, id: Int64, _ database: Database
    ) throws -> Int64? {
        let there = try Int64.fetchAll(
            database.cachedStatement(sql: "SELECT id FROM check_log WHERE query = ? AND at = ?"),
            arguments: [query, line.at])
        if there.contains(id) { return id }
        return there.first { other in
            !(blocks + [block]).contains { $0.file == block.file && $0.first <= other && other <= $0.last }
        }
    }

    /// - Parameter asOfTwin: only where the check that is there says the same of the list's length.
    private mutating func addPositions(
        _ line: ExchangeLine.Check, to check: Int64, _ database: Database, asOfTwin: Bool
    ) throws {
        guard let positions = line.positions else { return }
        guard line.outcome == "good" else { throw Unfitting(what: "has positions, though the check is not good") }
        if asOfTwin {
            let within = try Int.fetchOne(
                database, sql: "SELECT within FROM check_log WHERE id = ? AND outcome = 'good'", arguments: [check])
            guard within == line.within else { return }
        }
        for position in positions {
            let pair = try known(position.pair, in: pairs, "pair")
            try database.cachedStatement(
                sql: """
                    INSERT INTO position (pair, at, check_id, position, within) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT DO NOTHING
                    """
            ).execute(arguments: [pair, line.at, check, position.position, position.within ?? line.within])
            guard database.changesCount > 0 else { continue }
            result.positions += 1
            touched.insert(PairDay(pair: pair, day: Timestamp(secondsSinceEpoch: line.at).day))
        }
    }

    // MARK: Counts

    private func take(_ line: ExchangeLine.FailureDay, _ database: Database) throws {
        try database.cachedStatement(
            sql: "INSERT INTO failure_day (query, day, reason, failed) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
        ).execute(arguments: [known(line.query, in: queries, "query"), line.day, line.reason, line.failed])
    }

    /// Only beside a plan of the file's: how another rankd's passes went says nothing about this one.
    private func take(_ line: ExchangeLine.Pass, _ database: Database) throws {
        guard !keepsPlan else { return }
        try database.cachedStatement(
            sql: """
                INSERT INTO pass (started_at, finished_at, due, succeeded, failed, throttled, requests, suspect, bad_day)
                SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9
                WHERE NOT EXISTS (SELECT 1 FROM pass WHERE started_at = ?1 AND finished_at = ?2)
                """
        ).execute(
            arguments: [
                line.startedAt, line.finishedAt, line.due, line.succeeded, line.failed, line.throttled, line.requests,
                line.suspect, line.badDay,
            ])
    }
}
