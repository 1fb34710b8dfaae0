import GRDB
package import RankKit

extension HistoryReader {
    /// `list` with what its entries called the apps that had no number of Apple's: whatever shows who stands where reads it
    /// so.
    package func named(_ list: StoredList) throws(HistoryError) -> NamedList {
        var named = NamedList(list)
        guard !list.isWhole else { return named }
        let moment = moment
        return try read { database in
            for (number, bundleID) in try UnnumberedPlaces.told(of: list.checkID, in: database) {
                guard let position = Position(number), number <= list.places.count, list.places[number - 1] == nil
                else { continue }
                let numbers = try AppNumbers(of: bundleID.folded, in: database)
                if let app = try Self.seen(numbers.only ?? [], at: moment, in: database).max() {
                    named.list.places[number - 1] = app
                } else {
                    named.names[position] = bundleID
                    let isShared = try !Self.seen(numbers.all, at: moment, in: database).isEmpty
                    if isShared { named.unclear.insert(position) }
                }
            }
            return named
        }
    }

    /// Whether an entry without a number of Apple's ever had this bundle identifier, or had by the reader's own moment.
    package func cameUnnumbered(_ bundleID: BundleID) throws(HistoryError) -> Bool {
        let moment = moment
        return try read { database in
            try Bool.fetchOne(
                database,
                sql: """
                    SELECT EXISTS (
                        SELECT 1 FROM unnumbered_place JOIN check_log ON check_log.id = unnumbered_place.check_id
                        WHERE lower(unnumbered_place.bundle_id) = ? AND check_log.at <= ?)
                    """, arguments: [bundleID.folded, moment?.secondsSinceEpoch ?? .max]) ?? false
        }
    }
}
