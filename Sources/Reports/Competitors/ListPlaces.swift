import History
import RankKit

extension StoredList {
    /// The first place of each app, by its number.
    var firstPlaces: [DenseID: Position] {
        var places: [DenseID: Position] = [:]
        for (index, number) in self.places.enumerated() {
            if let number, places[number] == nil { places[number] = Position(index + 1) }
        }
        return places
    }
}

extension Position? {
    /// Absence is below every place, and above nothing.
    func isAbove(_ other: Position?) -> Bool {
        guard let place = self else { return false }
        return other.map { place < $0 } ?? true
    }
}
