import GRDB
package import RankKit

extension HistoryReader {
    /// `list` with what its entries called the apps that had no number of Apple's: whatever shows who stands where reads it
    /// so.
    package func named(_ list: StoredList) throws(HistoryError) -> NamedList {
        guard !list.isWhole else { return NamedList(list) }
        return try read { try named(list, in: $0) }
    }

    func named(_ list: StoredList, in database: Database) throws -> NamedList {
        var named = NamedList(list)
        guard !list.isWhole else { return named }
        for (number, bundleID) in try UnnumberedPlaces.told(of: list.checkID, in: database) {
            guard let position = Position(number), number <= list.places.count, list.places[number - 1] == nil
            else { continue }
            // Over the whole history, whatever part of it the reader may see: else a name that two apps had would be
            // clear to whoever sees one of them.
            let numbers = try AppNumbers(of: bundleID.folded, by: moment?.secondsSinceEpoch, in: database)
            if let app = try seen(numbers.only ?? [], at: moment, in: database).max() {
                named.list.places[number - 1] = app
            } else {
                named.names[position] = bundleID
                if numbers.only == nil, !numbers.isEmpty { named.unclear.insert(position) }
            }
        }
        return named
    }

    /// Whether an entry without a number of Apple's ever had this bundle identifier, or had by the reader's own moment.
    package func cameUnnumbered(_ bundleID: BundleID) throws(HistoryError) -> Bool {
        let moment = moment
        return try read { database in
            try Bool.fetchOne(
                database.cachedStatement(sql: Self.unnumbered),
                arguments: [bundleID.folded, moment?.secondsSinceEpoch ?? .max]) ?? false
        }
    }

    /// By `lower(bundle_id)`, which has an index.
    static let unnumbered = """
        SELECT EXISTS (
            SELECT 1 FROM unnumbered_place AS place CROSS JOIN check_log ON check_log.id = place.check_id
            WHERE lower(place.bundle_id) = ? AND check_log.at <= ?)
        """
}
