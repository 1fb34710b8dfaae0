import GRDB
import RankKit

/// The first places of a query's newest good list and who was among them before, worked out anew from its lists and not
/// as recording does it.
struct DerivedTop {
    private let stored: FirstPlaces?
    private let isDecodable: Bool
    /// Lists from then on do not count.
    private let end: Int64
    private var newest: (key: StoredList.Key, lists: IndexedLists, index: Int)?
    /// Whether there is a good list that cannot be read and may be newer than `newest`.
    private var isUnknown = false
    private var contradiction: Int64?

    init(of query: Int64, in database: Database) throws {
        let row = try QueryTopRow.row(of: query, in: database)
        stored = try row.flatMap { try QueryTopRow.places($0) }
        isDecodable = row == nil || stored != nil
        end = try CountedChecks.end(in: database)
    }

    /// Checks come by time, and within a second as they were recorded.
    mutating func read(_ kept: CheckedLists.Kept, of check: CheckRow) {
        guard check.outcome == .good, check.at < end, stored != nil else { return }
        switch kept {
        case .none: return
        case .damaged, .inDamagedPage: (newest, isUnknown) = (nil, true)
        case .list(let lists, let index):
            // Of lists of one second the last one counts.
            if let newest, newest.key.at < check.at { compare() }
            newest = (check.key, lists, index)
        }
    }

    /// Looks whether who is said to have been there at the time of the newest list is who was.
    private mutating func compare() {
        guard let newest, let held = stored?.held(at: newest.key.at) else { return }
        if held != Set(first(newest.lists, newest.index).compactMap(\.self)) {
            contradiction = contradiction ?? newest.key.at
        }
    }

    private func first(_ lists: IndexedLists, _ index: Int) -> [Int64?] {
        lists[index].prefix(FirstPlaces.count).map { lists.apps[Int($0)] }.map { $0 == 0 ? nil : $0 }
    }

    /// What is wrong with what is stored; `nil` if nothing is, or nothing is stored.
    func problem() -> String? {
        guard isDecodable else { return "the stored places cannot be read" }
        guard let stored else { return nil }
        guard let newest else { return isUnknown ? nil : "places are stored, but there is no good list" }
        guard stored.key == newest.key else {
            return
                "the stored places are of check \(stored.key.check), but the newest good list is of check \(newest.key.check)"
        }
        guard stored.apps == first(newest.lists, newest.index) else {
            return "the stored places differ from the newest good list"
        }
        return contradiction.map {
            "the stored places of \(Timestamp(secondsSinceEpoch: $0)) have other apps than its list"
        }
    }
}
