import GRDB

/// A listing of which two histories say something else: when each of them has seen it decides.
struct ListingConflict {
    struct Column {
        let name: String
        let own: ListingChain
        let file: ListingChain
        /// As they are now.
        let ownValue: DatabaseValue
        let fileValue: DatabaseValue
    }

    /// What a history says of ratings.
    struct Sighting: Equatable {
        let fingerprint: Int64
        let rating: Double?
        let ratingCount: Int64?
    }

    /// When a history has seen the listing.
    struct Sights {
        /// When it first saw the app.
        var firstSeen: Int64
        /// The beginning of the day on which it last saw the app, where that tells of this listing and the lists of
        /// that day may be missing; `nil` otherwise.
        var lastDay: Int64?
        /// Of checks that showed the listing, at least those within the time in which the two histories differ.
        var times: [Int64]
        /// The last of all that are known.
        private(set) var last: Int64

        /// - Parameter times: of checks that are known to have shown it, whether or not they have lists.
        init(firstSeen: Int64, lastDay: Int64?, times: [Int64], changes: [ListingChain]) {
            self.firstSeen = firstSeen
            self.lastDay = lastDay
            self.times = times
            last = max(times.max() ?? .min, changes.compactMap(\.later.last?.since).max() ?? .min)
        }

        mutating func see(at moment: Int64, countsForValues: Bool) {
            last = max(last, moment)
            // Lists of one check after the other, often of the same moment.
            if countsForValues, times.last != moment { times.append(moment) }
        }

        /// Takes the day on which the app was last seen for a sight of what was so then, if none of that day is known.
        mutating func close() {
            if let lastDay, last < lastDay { see(at: lastDay, countsForValues: true) }
            lastDay = nil
        }
    }

    let app: Int64
    let storefront: Int64
    let columns: [Column]
    /// What each says of ratings, where they differ.
    let sightings: (own: Sighting?, file: Sighting?)?
    var own: Sights
    var file: Sights
    /// In order of time, without overlaps.
    private let differences: [ClosedRange<Int64>]

    init(
        app: Int64, storefront: Int64, columns: [Column], sightings: (own: Sighting?, file: Sighting?)?, own: Sights,
        file: Sights
    ) {
        self.app = app
        self.storefront = storefront
        self.columns = columns
        self.sightings = sightings
        self.own = own
        self.file = file
        differences = Self.joined(columns.flatMap { $0.own.differences(from: $0.file) })
    }

    private static func joined(_ spans: [ClosedRange<Int64>]) -> [ClosedRange<Int64>] {
        var joined: [ClosedRange<Int64>] = []
        for span in spans.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = joined.last, span.lowerBound <= last.upperBound {
                joined[joined.count - 1] = last.lowerBound...max(last.upperBound, span.upperBound)
            } else {
                joined.append(span)
            }
        }
        return joined
    }

    /// Whether the two differ at some moment of `span`.
    private func differs(in span: ClosedRange<Int64>) -> Bool {
        // The first that does not end before it.
        var (low, high) = (0, differences.count)
        while low < high {
            let middle = (low + high) / 2
            if differences[middle].upperBound < span.lowerBound { low = middle + 1 } else { high = middle }
        }
        return low < differences.count && differences[low].lowerBound <= span.upperBound
    }

    /// Since when lists of this history can tell something that is not known yet.
    var firstWanted: Int64 { min(differences.first?.lowerBound ?? .max, wantsLast ? own.last : .max) }

    /// Whether lists of this history can tell something that is not known yet, if they are of `span`.
    func wants(_ span: ClosedRange<Int64>) -> Bool {
        differs(in: span) || wantsLast && own.last < span.upperBound
    }

    private var wantsLast: Bool { sightings != nil || own.lastDay != nil }

    mutating func see(at moment: Int64, _ side: WritableKeyPath<ListingConflict, Sights>) {
        self[keyPath: side].see(at: moment, countsForValues: differs(in: moment...moment))
    }

    /// Writes what the two come to.
    mutating func settle(in database: Database) throws {
        own.close()
        file.close()
        for column in columns { try write(column, in: database) }
        try writeRatings(in: database)
    }

    private func write(_ column: Column, in database: Database) throws {
        let merged = ListingChain.merged(
            column.own, column.file, times: (own.times, file.times), firstSeen: (own.firstSeen, file.firstSeen))
        // No screenshots are an empty text.
        let unknown = column.name == "screenshot_urls" ? "" : nil
        if merged != column.own {
            try database.cachedStatement(
                sql: "DELETE FROM listing_change WHERE app = ? AND storefront = ? AND field = ?"
            ).execute(arguments: [app, storefront, column.name])
            let insertion = try database.cachedStatement(
                sql: "INSERT INTO listing_change (app, storefront, at, field, was) VALUES (?, ?, ?, ?, ?)")
            for (value, was) in zip(merged.later, [merged.first] + merged.later.map(\.text)) {
                try insertion.execute(arguments: [app, storefront, value.since, column.name, was ?? unknown])
            }
        }
        let value = value(of: column, now: merged.now, unknown: unknown)
        guard value != column.ownValue else { return }
        let column = column.name
        try database.execute(
            literal: """
                UPDATE listing SET \(SQL(sql: column)) = \(value) WHERE app = \(app) AND storefront = \(storefront)
                """)
    }

    private func value(of column: Column, now: String?, unknown: String?) -> DatabaseValue {
        switch (now == column.own.now, now == column.file.now) {
        // Two prices may look the same as text.
        case (true, true): Self.greater(column.ownValue, column.fileValue)
        case (true, false): column.ownValue
        case (false, true): column.fileValue
        case (false, false): (now ?? unknown)?.databaseValue ?? .null
        }
    }

    private static func greater(_ one: DatabaseValue, _ other: DatabaseValue) -> DatabaseValue {
        switch (one.storage, other.storage) {
        case (.double(let left), .double(let right)): left < right ? other : one
        case (.null, _): other
        default: one
        }
    }

    /// Those of whoever saw the listing last count, of the same moment the greater ones.
    private func writeRatings(in database: Database) throws {
        guard let sightings, let told = sightings.file else { return }
        var sighting = told
        if let known = sightings.own {
            let isOwnNewer = (own.last, Self.order(known)) > (file.last, Self.order(told))
            let (newer, older) = isOwnNewer ? (known, told) : (told, known)
            sighting = Sighting(
                fingerprint: newer.fingerprint, rating: newer.rating ?? older.rating,
                ratingCount: newer.ratingCount ?? older.ratingCount)
            guard sighting != known else { return }
        }
        try database.cachedStatement(
            sql: """
                INSERT INTO sighting (storefront, app, fingerprint, rating, rating_count) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (storefront, app) DO UPDATE SET fingerprint = excluded.fingerprint,
                    rating = excluded.rating, rating_count = excluded.rating_count
                """
        ).execute(arguments: [storefront, app, sighting.fingerprint, sighting.rating, sighting.ratingCount])
    }

    private struct Order: Comparable {
        let count: Int64
        let rating: Double
        let fingerprint: Int64

        static func < (left: Order, right: Order) -> Bool {
            (left.count, left.rating, left.fingerprint) < (right.count, right.rating, right.fingerprint)
        }
    }

    private static func order(_ sighting: Sighting) -> Order {
        Order(
            count: sighting.ratingCount ?? -1, rating: sighting.rating ?? -1, fingerprint: sighting.fingerprint)
    }
}
