package import Foundation
package import History
package import RankKit

/// What a report is made in: one snapshot of the history, the time, and whose days it counts in.
package struct ReportContext: Sendable {
    /// All of its answers are of one moment.
    package private(set) var reader: HistoryReader
    /// The wall clock's time.
    package let now: Timestamp
    package let zone: TimeZone
    /// Whether people look at it: what only they are shown need not be made for programs.
    let isForPeople: Bool
    /// Whether a table shows every row rather than what fits a screen.
    let showsAllRows: Bool
    /// What the history's file is called to whoever asks.
    let database: String
    /// How many readings an answer may hold; `nil` for as many as there are.
    private let mostReadings: Int?
    /// Reads the watchlist as it is written now, adopted or not; `nil` to whoever may not see it.
    private let writtenWatchlist: (@Sendable () throws -> Watchlist)?
    /// Told what is worth a word beside the report.
    let remark: @Sendable (String) -> Void

    /// - Parameters:
    ///   - reader: the history; a snapshot of it is taken.
    ///   - zone: for a watchlist that names none.
    ///   - namedZone: that of a watchlist which the history has perhaps not adopted; `nil` for the history's own.
    ///   - showsAllRows: whether a table shows every row rather than what fits a screen: one that goes to a file or to
    ///     another program.
    ///   - database: what the history's file is called to whoever asks; its path unless given. Where it lies is nobody's
    ///     business who is not on this machine.
    ///   - mostReadings: how many an answer may hold, where all that are asking share the memory of one program.
    ///   - watchlist: reads the watchlist as it is written now.
    package init(
        _ reader: HistoryReader, now: Timestamp, zone: TimeZone, namedZone: String? = nil, isForPeople: Bool = true,
        showsAllRows: Bool = false, database: String? = nil, mostReadings: Int? = nil,
        remark: @escaping @Sendable (String) -> Void = { _ in },
        watchlist: (@Sendable () throws -> Watchlist)? = nil
    ) throws(HistoryError) {
        let reader = try reader.snapshot()
        self.now = now
        let adopted = try reader.timeZone()
        let zone = (namedZone ?? adopted).flatMap { TimeZone(identifier: $0) } ?? zone
        self.zone = zone
        self.reader = reader.counting(ZoneDays(zone))
        self.isForPeople = isForPeople
        self.showsAllRows = showsAllRows
        self.database = database ?? reader.path
        self.mostReadings = mostReadings
        writtenWatchlist = watchlist
        self.remark = remark
    }

    /// The watchlist as it is written now, adopted or not.
    ///
    /// - Throws: `ReportRefusal` if it cannot be read.
    package func watchlist() throws(ReportRefusal) -> Watchlist {
        guard let writtenWatchlist else { throw .noWatchlist("nobody may read it here") }
        do { return try writtenWatchlist() } catch { throw .noWatchlist("\(error)") }
    }

    /// - Parameters:
    ///   - what: what is counted.
    ///   - weight: how many readings take as much memory as one of these.
    ///   - narrowing: which options make them fewer.
    ///   - count: says how many there would be; not asked where any number may be.
    /// - Throws: `ReportRefusal` where that is too many.
    func requireRoom(
        for what: String = "readings", weight: Int = 1, narrowing: String, _ count: () throws -> Int
    ) throws {
        guard let mostReadings else { return }
        let (count, most) = (try count(), mostReadings / weight)
        guard count > most else { return }
        throw ReportRefusal.tooMuch(
            "these are \(Figures.grouped(count)) \(what), and this site shows at most \(Figures.grouped(most)) at "
                + "once: \(narrowing); rankctl on the server shows all of them")
    }
}

extension ReportContext {
    /// The context in which a report of the moment is made that `--until` or `--at` names: its reader tells of apps what
    /// was known then (`HistoryReader.asOf`). Without such an option, and for a moment that is not past, it is this one.
    ///
    /// Says so once if the history begins later, and what is not as it was then.
    ///
    /// - Parameters:
    ///   - apps: whose releases are meant by `release`.
    ///   - isOfPairs: whether the report is about the pairs of the watchlist.
    /// - Throws: `ReportRefusal` for a time that is none.
    func asOf(_ end: EndOption, apps: [String] = [], isOfPairs: Bool = true) throws -> ReportContext {
        guard end.text != nil else { return self }
        let moment = try TimeReading(self, apps: apps).moment(end)
        guard moment < now else { return self }
        var context = self
        context.reader = reader.asOf(moment)
        guard let first = try reader.oldestCheck() else { return context }
        guard first <= moment else {
            remark(
                "\(end.name) is before the history, which begins at \(CivilTime.minuteInZone(first)): nothing is known of "
                    + "that time")
            return context
        }
        var hindsight = try reader.hindsight(of: moment)
        if !isOfPairs { (hindsight.added, hindsight.removed) = (0, 0) }
        for words in hindsight.words { remark(words) }
        return context
    }
}

extension Hindsight {
    /// For people, without a full stop.
    fileprivate var words: [String] {
        var words: [String] = []
        let changes = [(added, "added"), (removed, "removed")].filter { $0.0 > 0 }.map { count, what in
            "\(count) \(count == 1 ? "was" : "were") \(what)"
        }
        if !changes.isEmpty {
            words.append(
                "the pairs are those of today's watchlist: \(changes.joined(separator: " and ")) since that time")
        }
        if outgrown > 0 {
            let lists = outgrown == 1 ? "1 early list counts" : "\(outgrown) early lists count"
            words.append(
                "\(lists) as suspect: later lists showed that \(outgrown == 1 ? "it was" : "they were") too short")
        }
        return words
    }
}
