import GRDB
import RankKit

/// The listings that both this history and a file have: of each column one chain of values is made of the two, as one
/// history would have it that had made all checks itself.
///
/// A row of `listing_change` says what a column held before, so that rows of two histories cannot stand side by side.
/// What each of the two knew at a check of its own is known all the same: where they differ, the checks whose lists
/// have the app decide, in order of time.
struct ListingMerge {
    private struct Key: Hashable {
        let app: Int64
        let storefront: Int64
    }

    /// What the file says of a listing.
    private struct Told {
        /// As in `ListingRow.columns`; `nil` where they are what the history has.
        var values: [DatabaseValue]?
        var sighting: Sighting?
        var changes: [(at: Int64, field: String, was: String?)] = []
    }

    struct Sighting {
        let fingerprint: Int64
        let rating: Double?
        let ratingCount: Int64?
    }

    private var told: [Key: Told] = [:]
    /// When each app was first seen, here before the import and in the file.
    private var firstSeen: [Int64: (own: Int64, file: Int64)] = [:]
    private var conflicts: [Conflict] = []
    /// By storefront, and then by app.
    private var places: [Int64: [Int64: Int]] = [:]
    private var storefronts: [Int64: Int64?] = [:]
    private var isPrepared = false

    mutating func note(app: Int64, firstSeen own: Int64, inFile file: Int64) { firstSeen[app] = (own, file) }

    /// Takes up what the file says of a listing that is here.
    ///
    /// - Returns: whether it is here.
    mutating func take(
        app: Int64, storefront: Int64, _ values: [DatabaseValue], _ sighting: Sighting?, in database: Database
    ) throws -> Bool {
        let same = try Row.fetchOne(
            database.cachedStatement(sql: Self.comparison),
            arguments: StatementArguments([app.databaseValue, storefront.databaseValue] + values))
        guard let same else { return false }
        let isSame: Bool = try same[0]
        let own = try Self.sighting(same, at: 1)
        let isSameSighting =
            own?.fingerprint == sighting?.fingerprint && own?.rating == sighting?.rating
            && own?.ratingCount == sighting?.ratingCount
        told[Key(app: app, storefront: storefront)] = Told(
            values: isSame ? nil : values, sighting: isSameSighting ? nil : sighting)
        return true
    }

    /// Takes up a change that the file tells.
    ///
    /// - Returns: whether the listing was here before the import.
    mutating func take(app: Int64, storefront: Int64, at: Int64, field: String, was: String?) -> Bool {
        let key = Key(app: app, storefront: storefront)
        guard told[key] != nil else { return false }
        told[key]?.changes.append((at, field, was))
        return true
    }

    /// Finds the listings of which the two say something else, and which of the checks that are here have shown them:
    /// before the first check of the file is taken up.
    mutating func prepare(_ database: Database) throws {
        guard !isPrepared else { return }
        isPrepared = true
        for (key, told) in told {
            guard let conflict = try Self.conflict(key, told, firstSeen[key.app], in: database) else { continue }
            places[key.storefront, default: [:]][key.app] = conflicts.count
            conflicts.append(conflict)
        }
        told = [:]
        firstSeen = [:]
        for storefront in places.keys {
            let queries = try Int64.fetchAll(
                database,
                sql: """
                    SELECT query.id FROM query JOIN storefront
                        ON storefront.country = query.country AND storefront.language = query.language
                    WHERE storefront.id = ?
                    """, arguments: [storefront])
            for query in queries {
                try KeptCheck.each(of: query, in: database) { check in
                    guard case .places(let list) = check.list else { return }
                    see(list, in: storefront, at: check.at, \.own)
                }
            }
        }
    }

    /// Takes up a list of the file, whose apps have the numbers that they have here.
    mutating func see(_ list: [Int64?], of query: Int64, at moment: Int64, in database: Database) throws {
        guard !conflicts.isEmpty else { return }
        let storefront: Int64?
        if let known = storefronts[query] {
            storefront = known
        } else {
            storefront = try Int64.fetchOne(
                database,
                sql: """
                    SELECT storefront.id FROM query JOIN storefront
                        ON storefront.country = query.country AND storefront.language = query.language
                    WHERE query.id = ?
                    """, arguments: [query])
            storefronts[query] = .some(storefront)
        }
        if let storefront { see(list, in: storefront, at: moment, \.file) }
    }

    private mutating func see(
        _ list: [Int64?], in storefront: Int64, at moment: Int64, _ side: WritableKeyPath<Conflict, Conflict.Sights>
    ) {
        guard let indices = places[storefront] else { return }
        for app in list {
            guard let app, let index = indices[app] else { continue }
            conflicts[index].see(at: moment, side)
        }
    }

    /// Writes what the two histories come to.
    mutating func finish(_ database: Database) throws {
        try prepare(database)
        for conflict in conflicts { try conflict.write(in: database) }
        conflicts = []
        places = [:]
    }

    private static func conflict(
        _ key: Key, _ told: Told, _ firstSeen: (own: Int64, file: Int64)?, in database: Database
    ) throws -> Conflict? {
        let changes = try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT at, field, was FROM listing_change WHERE app = ? AND storefront = ? ORDER BY at"),
            arguments: [key.app, key.storefront]
        ).map { try (at: $0[0], field: $0[1], was: $0[2]) as (at: Int64, field: String, was: String?) }
        guard told.values != nil || told.sighting != nil || !told.changes.isEmpty || !changes.isEmpty else {
            return nil
        }
        let row = try Row.fetchOne(
            database.cachedStatement(sql: selection), arguments: [key.app, key.storefront])
        guard let row else { return nil }
        let own = ListingRow.columns.indices.map { row.value($0) }
        let ownTexts = try texts(own, in: database)
        let values = told.values ?? own
        let fileTexts = try told.values.map { try texts($0, in: database) } ?? ownTexts
        var columns: [Conflict.Column] = []
        for (index, name) in ListingRow.columns.enumerated() {
            let column = Conflict.Column(
                name: name,
                own: ListingChain(changes.filter { $0.field == name }.map { ($0.at, $0.was) }, now: ownTexts[index]),
                file: ListingChain(
                    told.changes.filter { $0.field == name }.map { ($0.at, $0.was) }.sorted { $0.0 < $1.0 },
                    now: fileTexts[index]),
                ownValue: own[index], fileValue: values[index])
            if column.own != column.file { columns.append(column) }
        }
        guard !columns.isEmpty || told.sighting != nil else { return nil }
        return Conflict(
            app: key.app, storefront: key.storefront, columns: columns, sighting: told.sighting,
            firstSeen: firstSeen ?? (.max, .max))
    }

    private static func sighting(_ row: Row, at index: Int) throws -> Sighting? {
        guard let fingerprint = try row.wideIfAny(index) else { return nil }
        return try Sighting(fingerprint: fingerprint, rating: row[index + 1], ratingCount: row[index + 2])
    }

    /// As `listing_change` has them.
    private static func texts(_ values: [DatabaseValue], in database: Database) throws -> [String?] {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: textsSQL), arguments: StatementArguments(values))
        return try ListingRow.columns.indices.map { try row?[$0] }
    }

    private static let textsSQL =
        "SELECT " + ListingRow.columns.map { _ in "CAST(? AS TEXT)" }.joined(separator: ", ")

    private static let selection =
        "SELECT " + ListingRow.columns.joined(separator: ", ") + " FROM listing WHERE app = ? AND storefront = ?"

    private static let comparison = """
        SELECT \(ListingRow.columns.enumerated().map { index, column in "listing.\(column) IS ?\(index + 3)" }
            .joined(separator: " AND ")), fingerprint, rating, rating_count
        FROM listing LEFT JOIN sighting ON sighting.storefront = listing.storefront AND sighting.app = listing.app
        WHERE listing.app = ?1 AND listing.storefront = ?2
        """
}

/// What a column of a listing held, one value after the other.
struct ListingChain: Equatable {
    struct Value: Equatable {
        let since: Int64
        /// `nil` where it is not known, as where the text is empty.
        let text: String?
    }

    /// What it held when the listing was first seen.
    let first: String?
    /// In order of time.
    let later: [Value]

    /// - Parameter changes: when it changed, and what it held until then; in order of time.
    init(_ changes: [(at: Int64, was: String?)], now: String?) {
        let texts = (changes.map(\.was) + [now]).map { $0 == "" ? nil : $0 }
        first = texts[0]
        later = zip(changes, texts.dropFirst()).map { Value(since: $0.at, text: $1) }
    }

    private init(first: String?, later: [Value]) {
        self.first = first
        self.later = later
    }

    /// What was known of it last.
    private func text(at moment: Int64) -> String? {
        later.last { $0.since <= moment && $0.text != nil }?.text ?? first
    }

    /// The stretches of time in which two chains differ, ends included.
    func differences(from other: ListingChain) -> [ClosedRange<Int64>] {
        let starts = [.min] + Set((later + other.later).map(\.since)).sorted()
        let ends = starts.dropFirst().map { $0 - 1 } + [.max]
        return zip(starts, ends).filter { start, _ in text(at: start) != other.text(at: start) }
            .map { $0...max($0, $1) }
    }

    /// Both in one. A value begins where a check of either first shows it after another one.
    ///
    /// - Parameters:
    ///   - times: of checks that showed the listing, at least those within the `differences`.
    ///   - firstSeen: when the app was first seen, where no such check tells of the first value.
    static func merged(
        _ one: ListingChain, _ other: ListingChain, times: (one: [Int64], other: [Int64]),
        firstSeen: (one: Int64, other: Int64)
    ) -> ListingChain {
        let sights =
            one.sights(times.one, firstSeen: firstSeen.one) + other.sights(times.other, firstSeen: firstSeen.other)
        var first: String? = one.first
        var isFirstKnown = one.first == other.first
        var later: [Value] = []
        for (moment, sights) in Dictionary(grouping: sights, by: \.since).sorted(by: { $0.key < $1.key }) {
            let text = sights.compactMap(\.text).max()
            guard isFirstKnown else {
                first = text
                isFirstKnown = true
                continue
            }
            let last = later.last.map(\.text) ?? first
            if let text, text != last { later.append(Value(since: moment, text: text)) }
        }
        return ListingChain(first: first, later: later)
    }

    private func sights(_ times: [Int64], firstSeen: Int64) -> [Value] {
        var times = Set(times).union(later.map(\.since))
        let firstChange = later.first?.since ?? .max
        if !times.contains(where: { $0 < firstChange }), firstSeen < firstChange { times.insert(firstSeen) }
        return times.map { Value(since: $0, text: text(at: $0)) }
    }
}

/// A listing of which two histories say something else.
private struct Conflict {
    struct Column {
        let name: String
        let own: ListingChain
        let file: ListingChain
        /// As they are now.
        let ownValue: DatabaseValue
        let fileValue: DatabaseValue
    }

    /// When checks of one of the histories have shown the listing.
    struct Sights {
        /// Within the time in which the two differ.
        var times: [Int64] = []
        var last = Int64.min
    }

    let app: Int64
    let storefront: Int64
    let columns: [Column]
    /// What the file says of ratings, where that differs.
    let sighting: ListingMerge.Sighting?
    let firstSeen: (own: Int64, file: Int64)
    var own = Sights()
    var file = Sights()
    private let differences: [ClosedRange<Int64>]

    init(
        app: Int64, storefront: Int64, columns: [Column], sighting: ListingMerge.Sighting?,
        firstSeen: (own: Int64, file: Int64)
    ) {
        self.app = app
        self.storefront = storefront
        self.columns = columns
        self.sighting = sighting
        self.firstSeen = firstSeen
        differences = columns.flatMap { $0.own.differences(from: $0.file) }
        for column in columns {
            own.last = max(own.last, column.own.later.last?.since ?? .min)
            file.last = max(file.last, column.file.later.last?.since ?? .min)
        }
    }

    mutating func see(at moment: Int64, _ side: WritableKeyPath<Conflict, Sights>) {
        self[keyPath: side].last = max(self[keyPath: side].last, moment)
        guard differences.contains(where: { $0.contains(moment) }) else { return }
        // Lists of one check after the other, often of the same moment.
        if self[keyPath: side].times.last != moment { self[keyPath: side].times.append(moment) }
    }

    func write(in database: Database) throws {
        for column in columns { try write(column, in: database) }
        guard let sighting, file.last > own.last else { return }
        try database.cachedStatement(
            sql: """
                INSERT INTO sighting (storefront, app, fingerprint, rating, rating_count) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (storefront, app) DO UPDATE SET fingerprint = excluded.fingerprint,
                    rating = ifnull(excluded.rating, rating),
                    rating_count = ifnull(excluded.rating_count, rating_count)
                """
        ).execute(arguments: [storefront, app, sighting.fingerprint, sighting.rating, sighting.ratingCount])
    }

    private func write(_ column: Column, in database: Database) throws {
        let merged = ListingChain.merged(
            column.own, column.file, times: (own.times, file.times), firstSeen: (firstSeen.own, firstSeen.file))
        guard merged != column.own else { return }
        try database.cachedStatement(
            sql: "DELETE FROM listing_change WHERE app = ? AND storefront = ? AND field = ?"
        ).execute(arguments: [app, storefront, column.name])
        // No screenshots are an empty text.
        let unknown = column.name == "screenshot_urls" ? "" : nil
        for (value, was) in zip(merged.later, [merged.first] + merged.later.map(\.text)) {
            try database.cachedStatement(
                sql: "INSERT INTO listing_change (app, storefront, at, field, was) VALUES (?, ?, ?, ?, ?)"
            ).execute(arguments: [app, storefront, value.since, column.name, was ?? unknown])
        }
        let now = merged.later.last.map(\.text) ?? merged.first
        let value =
            now == column.own.now
            ? column.ownValue : now == column.file.now ? column.fileValue : (now ?? unknown)?.databaseValue ?? .null
        let column = column.name
        try database.execute(
            literal: """
                UPDATE listing SET \(SQL(sql: column)) = \(value) WHERE app = \(app) AND storefront = \(storefront)
                """)
    }
}

extension ListingChain {
    fileprivate var now: String? { later.last.map(\.text) ?? first }
}
