import GRDB
import RankKit

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
}
