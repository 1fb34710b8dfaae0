import History
import RankKit

/// Newest good lists, as far as they can be read.
struct ReadableLists {
    private let reader: HistoryReader
    /// What could not be, once each.
    private(set) var damaged: [DamagedLists] = []

    init(_ reader: HistoryReader) { self.reader = reader }

    /// The newest good list of `query` at `moment` or before that tells of each of `apps` whether it holds a place;
    /// `nil` if there is none, or it cannot be read.
    mutating func good(
        on query: Query, at moment: Timestamp, tellingOf apps: [SoughtApp]
    ) throws(HistoryError) -> NamedList? {
        var moment = moment
        // Places that cannot be read for longer than this are no accident, and no list tells anything.
        for _ in 0..<Self.mostLists {
            guard let list = try good(on: query, at: moment) else { return nil }
            if list.isWhole || apps.allSatisfy({ !list.place(of: $0).isUnknown }) { return list }
            moment = list.at - 1
        }
        return nil
    }

    /// So many lists are looked at, at most.
    private static let mostLists = 50

    private mutating func good(on query: Query, at moment: Timestamp) throws(HistoryError) -> NamedList? {
        do { return try reader.list(on: query, at: moment, goodOnly: true).map(reader.named) } catch {
            guard case .damagedLists(_, _, let from, let through) = error else { throw error }
            let lists = DamagedLists(query: query, from: from, through: through)
            if !damaged.contains(lists) { damaged.append(lists) }
            return nil
        }
    }

    /// The good list of `since` (`Reading.window`), however old that is, to stand beside the newest one of `until`; that
    /// one itself where there is no other since.
    mutating func good(
        on query: Query, since: Timestamp, until: Timestamp, beside newest: NamedList, tellingOf apps: [SoughtApp]
    ) throws(HistoryError) -> NamedList? {
        let cadence = try reader.cadence(of: query) ?? Timestamp.secondsPerDay
        let window = Reading.window(since: since, until: until, newest: newest.at, cadence: cadence)
        return try good(on: query, at: min(window.upperBound, newest.at), tellingOf: apps)
    }
}
