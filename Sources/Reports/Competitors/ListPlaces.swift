import History
import RankKit

/// An app as it may stand in lists.
struct SoughtApp: Sendable {
    /// All the numbers that count as the app.
    let numbers: Set<DenseID>
    let bundleID: BundleID

    init(_ bundleID: BundleID, _ reader: HistoryReader) throws(HistoryError) {
        (numbers, self.bundleID) = (try reader.numbers(of: bundleID), bundleID)
    }
}

/// An app as a list has it in a place: by a number of Apple's, or by its name alone.
enum ListedApp: Hashable, Comparable {
    case numbered(DenseID)
    /// An app of which the history has no number.
    case named(BundleID)
}

extension NamedList {
    func place(of app: SoughtApp) -> StoredPlace { place(of: app.numbers, or: app.bundleID) }

    /// Who holds a place, counted from 0; `nil` if the entry could not be read, or several apps had its bundle identifier.
    func holder(at index: Int) -> ListedApp? {
        if let number = list.places[index] { return .numbered(number) }
        guard let position = Position(index + 1), !unclear.contains(position) else { return nil }
        return names[position].map { .named($0) }
    }

    /// The first place of each app.
    var firstPlaces: [ListedApp: Position] {
        var places: [ListedApp: Position] = [:]
        for index in list.places.indices {
            if let holder = holder(at: index), places[holder] == nil { places[holder] = Position(index + 1) }
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
