package import RankKit

/// A list with what its entries called the apps that had no number of Apple's (`HistoryReader.named`).
package struct NamedList: Sendable, Hashable {
    /// Also such an app has its place here by its number, if it got one later: if it is certain to be that app, because no
    /// other ever had its bundle identifier.
    package var list: StoredList
    /// The other bundle identifiers, by their places, of which `list` knows nothing.
    package var names: [Position: BundleID] = [:]
    /// Those of `names` under which the history knows several apps by their numbers: nobody can say which one it was.
    package var unclear: Set<Position> = []

    package init(_ list: StoredList) { self.list = list }

    package var at: Timestamp { list.at }
    package var count: Int { list.places.count }

    /// Whether it is known of every place who holds it. A name that nobody has yet may be any app's new one.
    package var isWhole: Bool { list.isWhole }

    /// - Parameter index: counted from 0.
    package func name(at index: Int) -> BundleID? { Position(index + 1).flatMap { names[$0] } }

    /// The name, where it is of one app alone.
    private func clearName(at index: Int) -> BundleID? {
        Position(index + 1).flatMap { unclear.contains($0) ? nil : names[$0] }
    }

    /// Where the app stands that has one of the numbers `app`, or came as `bundleID`.
    package func place(of app: Set<DenseID>, or bundleID: BundleID? = nil) -> StoredPlace {
        let index = list.places.indices.first { index in
            list.places[index].map(app.contains) ?? (bundleID != nil && clearName(at: index) == bundleID)
        }
        return StoredPlace(
            head: list.head, position: index.flatMap { Position($0 + 1) }, within: count, isWhole: isWhole)
    }
}
