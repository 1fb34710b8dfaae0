import GRDB
package import RankKit

/// Reads a history, while rankd writes it or after it has stopped. Never changes a byte.
///
/// It answers several questions at once, each as of the moment it is asked. Whoever asks several that belong together
/// asks them of its `snapshot`.
package struct HistoryReader: Sendable {
    package let path: String
    /// Whether the file is read as one that cannot change, because rankd is stopped and the WAL files are gone.
    package let isSettled: Bool
    /// A pool where rankd may be writing, a `DatabaseSnapshot` of one moment, or one connection to a file that nobody
    /// changes.
    let source: any DatabaseReader
    /// Of each of which a pair has to have a tag to be shown (`narrowed`); none where all are.
    let narrowings: [Set<String>]
    /// Whose days the readings of pairs are told by. What is kept by the day alone, such as how a country's store was, is
    /// of UTC's days.
    package private(set) var days = ZoneDays.utc
    /// The moment that apps are told of: what they were called, how many ratings they had, which versions were known.
    /// `nil` for now. Readings have their own end, which every question about them names.
    package private(set) var moment: Timestamp?
    /// Whether a part of the watchlist is shown only. What the service counts of all of it is nothing for whoever asks.
    package var isNarrowed: Bool { !narrowings.isEmpty }
    /// Used where it is narrowed.
    let countryDayMemory: CountryDayMemory

    /// - Throws: `HistoryError`, which says in plain words what is missing and who makes it.
    package init(path: String) throws(HistoryError) {
        let path = DatabaseFile.resolved(path)
        self.path = path
        narrowings = []
        countryDayMemory = CountryDayMemory()
        (source, isSettled) = try HistoryError.catching(path: path) { try DatabaseFile.openForReading(path) }
    }

    init(
        path: String, isSettled: Bool, source: any DatabaseReader, narrowings: [Set<String>] = [],
        countryDayMemory: CountryDayMemory = CountryDayMemory()
    ) {
        self.countryDayMemory = countryDayMemory
        (self.path, self.isSettled, self.source, self.narrowings) = (path, isSettled, source, narrowings)
    }

    /// The history's own path where `path` leads to it by a link: what lies beside it is named after this one.
    package static func resolved(_ path: String) -> String { DatabaseFile.resolved(path) }

    /// A reader all of whose answers are of the moment that this is called, whatever is recorded meanwhile.
    ///
    /// It may be asked from any thread, and answers one question at a time; further snapshots answer beside it. Its
    /// transaction ends when the last copy of the value is let go of. Until then the write-ahead log cannot begin anew
    /// and grows with what is recorded, so that whoever shows the history again and again takes a new one each time.
    ///
    /// Where nobody can change the file, and of a snapshot, it is the reader itself.
    package func snapshot() throws(HistoryError) -> HistoryReader {
        guard let pool = source as? DatabasePool else { return self }
        let moment = try HistoryError.catching(path: path) { try pool.makeSnapshot() }
        return HistoryReader(path: path, isSettled: isSettled, source: moment).counting(days).asOf(self.moment)
    }

    /// The same that tells readings by the days of another zone.
    package func counting(_ days: ZoneDays) -> HistoryReader {
        var reader = self
        reader.days = days
        return reader
    }

    /// The same that tells of apps what was known at `moment`; `nil` for now.
    package func asOf(_ moment: Timestamp?) -> HistoryReader {
        var reader = self
        reader.moment = moment
        return reader
    }

    /// Runs `question` in one transaction, so that all of its answers are of the same moment.
    ///
    /// A snapshot's question is broken off where the work is that it is read for. That of a connection which others ask as
    /// well is not: it would break off theirs.
    func read<Value>(_ question: (Database) throws -> Value) throws(HistoryError) -> Value {
        try HistoryError.catching(path: path) {
            guard let work = BlockingWork.current else { return try source.read(question) }
            try work.checkCancellation()
            guard source is DatabaseSnapshot else { return try source.read(question) }
            return try work.interrupting(source) { try source.read(question) }
        }
    }

    /// What takes long between two reads asks now and then.
    ///
    /// - Throws: where the work that it is read for was given up (`BlockingWork`).
    package func requireWanted() throws(HistoryError) {
        guard let work = BlockingWork.current else { return }
        try HistoryError.catching(path: path) { try work.checkCancellation() }
    }

    /// The watchlist's time zone, an IANA name; `nil` if it names none.
    package func timeZone() throws(HistoryError) -> String? {
        try read { try Setting.timeZone.text(in: $0) }
    }

    /// How keenly the watchlist wants moves told from wobble.
    package func sensitivity() throws(HistoryError) -> Sensitivity {
        try read { try Self.sensitivity(in: $0) }
    }

    static func sensitivity(in database: Database) throws -> Sensitivity {
        try Setting.sensitivity.text(in: database).flatMap(Sensitivity.init) ?? .normal
    }

    /// The apps of the watchlist, in its order.
    package func watchedApps() throws(HistoryError) -> [WatchedApp] {
        try read { database in
            let competitors = try Row.fetchAll(
                database,
                sql: """
                    SELECT competitor.bundle_key, watched_app.bundle_id
                    FROM competitor
                    JOIN watched_app ON watched_app.bundle_key = competitor.competitor_key
                    ORDER BY watched_app.ordinal
                    """)
            let byApp = try Dictionary(grouping: competitors) { try $0[0] as String }
            return try Row.fetchAll(
                database, sql: "SELECT bundle_key, bundle_id, alias, mine FROM watched_app ORDER BY ordinal"
            ).compactMap { row in
                try BundleID(row[1]).map {
                    try WatchedApp(
                        bundleID: $0, alias: row[2], isMine: row[3],
                        competitors: byApp[row[0], default: []].compactMap { try BundleID($0[1]) })
                }
            }
        }
    }
}
