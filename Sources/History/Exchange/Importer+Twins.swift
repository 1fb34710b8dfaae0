import GRDB
import RankKit

/// Which check of a file is one that is there already: two machines may have asked the same query in the same second.
///
/// Two checks of one query and moment are the same if they say the same: the same list, or, where one of the two is not
/// kept, nothing that contradicts the other; the same failure. Of two that say different things both are kept, each with
/// its own list and the positions from it. Only a failed check gives way to one that was answered.
extension Importer {
    enum Meeting {
        /// There is none like it. The failed checks of the same moment are to go.
        case new(instead: [Int64])
        case same(Int64)
        /// A failed one, where there is another check of that moment.
        case givesWay
    }

    /// - Parameter list: the line's, in this history's numbers.
    mutating func meeting(
        of line: ExchangeLine.Check, _ outcome: CheckOutcome, list: [Int64?]?, query: Int64,
        _ database: Database
    ) throws -> Meeting {
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT id, outcome, within, reason FROM check_log WHERE query = ? AND at = ? ORDER BY id"),
            arguments: [query, line.at])
        if !isSurelyBrought, try isNumberOfAnother(line, query: query, database) { throw OtherFile() }
        guard !rows.isEmpty else { return .new(instead: []) }
        var others: [(id: Int64, outcome: CheckOutcome)] = []
        for row in rows {
            let other: Int64 = try row[0]
            let known = try CheckOutcome(row, at: 1, ofCheck: other)
            let ofFile = (blocks.filter { $0.file == brought } + [block]).filter {
                $0.first <= other && other <= $0.last
            }
            // An earlier import of the file has brought this very line.
            if ofFile.contains(where: { other - $0.offset == line.n }) {
                if !isSurelyBrought,
                    try contradicts(line, outcome, list: list, other, known, query: query, database)
                {
                    throw OtherFile()
                }
                return .same(other)
            }
            // Two of one file are no twins.
            guard !ofFile.isEmpty else { others.append((other, known)); continue }
            // Where that is not sure, another number shows another file.
            if !isSurelyBrought { throw OtherFile() }
        }
        for other in others
        where try says(line, outcome, list: list, sameAs: other.id, other.outcome, query: query, database) {
            return .same(other.id)
        }
        let failed = others.filter { if case .failed = $0.outcome { true } else { false } }
        if case .failed = outcome { return others.isEmpty ? .new(instead: []) : .givesWay }
        return .new(instead: failed.map(\.id))
    }

    private mutating func says(
        _ line: ExchangeLine.Check, _ outcome: CheckOutcome, list: [Int64?]?, sameAs other: Int64,
        _ known: CheckOutcome, query: Int64, _ database: Database
    ) throws -> Bool {
        let (words, others) = (outcome.columns, known.columns)
        // Of two that saw the same, later lists may have spoken against the one.
        let isJudgedLater = [words.reason, others.reason].contains(Suspicion.outgrown.rawValue)
        guard words.outcome == others.outcome || isJudgedLater else { return false }
        let kept = try self.list(of: StoredList.Key(at: line.at, check: other), query: query, database)
        if let isSame = Self.isSame(outcome, list, known, kept) {
            return try isSame && !callsOtherwise(line, other, database)
        }
        // One of the two is not kept any more: what pairs were told of it must not contradict the rest.
        for position in line.positions ?? [] {
            guard let pair = pairs[position.pair] else { continue }
            let row = try Row.fetchOne(
                database.cachedStatement(
                    sql: "SELECT position FROM position WHERE pair = ? AND at = ? AND check_id = ?"),
                arguments: [pair, line.at, other])
            if let row, try row[0] as Int? != position.position { return false }
            if let kept, try !Self.admits(position.position, of: pair, at: line.at, in: kept, database) { return false }
        }
        guard let list else { return true }
        let told = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT position.pair, position.position FROM pair
                    JOIN position ON position.pair = pair.id AND position.at = ? AND position.check_id = ?
                    WHERE pair.query = ?
                    """), arguments: [line.at, other, query])
        return try told.allSatisfy { try Self.admits($0[1], of: $0[0], at: line.at, in: list, database) }
    }

    /// Whether an entry without a number of Apple's called its app otherwise than the line says.
    private func callsOtherwise(_ line: ExchangeLine.Check, _ other: Int64, _ database: Database) throws -> Bool {
        var names: [Int: Set<String>] = [:]
        for position in line.positions ?? [] {
            if let place = position.position, let pair = filePairs[position.pair] {
                names[place, default: []].insert(pair.key)
            }
        }
        for place in line.unnumbered ?? [] { names[place.position] = [place.bundleId.lowercased()] }
        let told = try UnnumberedPlaces.told(of: other, in: database)
        return (line.list ?? []).indices.contains { index in
            guard line.list?[index] == 0, let names = names[index + 1], let other = told[index + 1] else {
                return false
            }
            return !names.contains { fileApps.areOfOneApp($0, other.folded) }
        }
    }

    /// Takes up what entries called their apps in the list of a check that is there already, and has the same list.
    mutating func addUnnumbered(
        _ line: ExchangeLine.Check, _ list: [Int64?]?, to check: Int64, query: Int64, _ database: Database
    ) throws {
        guard let places = line.unnumbered, let list,
            try self.list(of: StoredList.Key(at: line.at, check: check), query: query, database) == list
        else { return }
        named.insert(query)
        for place in places {
            try UnnumberedPlaces.add(place.bundleId, at: place.position, of: check, in: database)
        }
    }

    /// Whether the number that the line has in a block which may be its file's is that of a check of another moment or query.
    private func isNumberOfAnother(_ line: ExchangeLine.Check, query: Int64, _ database: Database) throws -> Bool {
        try (blocks.filter { $0.file == brought } + [block]).contains { block in
            let id = line.n + block.offset
            guard block.first <= id, id <= block.last else { return false }
            return try Bool.fetchOne(
                database.cachedStatement(
                    sql: "SELECT EXISTS (SELECT 1 FROM check_log WHERE id = ? AND (query <> ? OR at <> ?))"),
                arguments: [id, query, line.at]) ?? false
        }
    }

    /// Whether a check of the same number says what the line cannot have said, whatever was learnt, judged or dropped
    /// since.
    private mutating func contradicts(
        _ line: ExchangeLine.Check, _ outcome: CheckOutcome, list: [Int64?]?, _ other: Int64, _ known: CheckOutcome,
        query: Int64, _ database: Database
    ) throws -> Bool {
        let kept = try self.list(of: StoredList.Key(at: line.at, check: other), query: query, database)
        if let isSame = Self.isSame(outcome, list, known, kept) { return !isSame }
        for position in line.positions ?? [] {
            guard let told = position.position, let pair = pairs[position.pair] else { continue }
            let place = try Int.fetchOne(
                database.cachedStatement(sql: "SELECT position FROM position WHERE pair = ? AND check_id = ?"),
                arguments: [pair, other])
            if let place, place != told { return true }
        }
        return false
    }

    /// Whether two checks of one question and moment say the same, by what each says as a whole: why it failed, how many
    /// places it saw, its list. `nil` if that leaves it open, because one of the lists is not kept.
    private static func isSame(
        _ outcome: CheckOutcome, _ list: [Int64?]?, _ known: CheckOutcome, _ kept: [Int64?]?
    ) -> Bool? {
        if case .failed = outcome, case .failed = known { return outcome.columns.reason == known.columns.reason }
        guard outcome.within == known.within else { return false }
        guard let list, let kept else { return nil }
        return list == kept
    }

    /// Whether a list can have told a pair this place, `nil` for an absence.
    private static func admits(
        _ position: Int?, of pair: Int64, at moment: Int64, in list: [Int64?], _ database: Database
    ) throws -> Bool {
        let numbers = try PairFill.numbers(of: pair, in: database)
        let first = list.firstIndex { $0.map { numbers.contains(DenseID($0), at: moment) } ?? false }.map { $0 + 1 }
        if position == first { return true }
        // An entry without a number of Apple's may have told it.
        guard let position, position >= 1, position <= list.count, position < first ?? .max else { return false }
        return list[position - 1] == nil
    }

    /// The kept list of a check; `nil` if there is none that can be read.
    private mutating func list(
        of key: StoredList.Key, query: Int64, _ database: Database
    ) throws -> [Int64?]? {
        let bytes = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT places FROM result_list WHERE check_id = ?"), arguments: [key.check]
        ).flatMap { try $0.bytesIfAny(0) }
        if let bytes {
            do { return try ResultListCodec.decode(bytes) } catch { return nil }
        }
        if page.map({ $0.query != query || key < $0.first || $0.last < key }) ?? true {
            guard let row = try PageRow.beginning(upTo: key, of: query, in: database), key <= row.last else {
                return nil
            }
            page = try DecodedPage(row)
        }
        return page?.lists[key]
    }

    /// The page that was looked at last: the checks of a query come by time.
    struct DecodedPage {
        let query: Int64
        let first: StoredList.Key
        let last: StoredList.Key
        let lists: [StoredList.Key: [Int64?]]

        /// A page that cannot be read has none.
        init(_ row: PageRow) throws {
            (query, first, last) = (row.query, row.first, row.last)
            do {
                lists = Dictionary(
                    try row.decoded().map { ($0.head.key, $0.places.map { $0?.number }) },
                    uniquingKeysWith: { one, _ in one })
            } catch is UnreadableLists { lists = [:] }
        }
    }
}
