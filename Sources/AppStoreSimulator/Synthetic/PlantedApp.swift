package import RankKit

/// An app that the caller puts into the synthetic store, with places of the caller's choice.
package struct PlantedApp: Sendable {
    package var bundleID: BundleID
    package var name: String
    package var developer: String
    /// Where it typically stands, by query text (compared folded, as queries are). It is found for no other text.
    package var places: [String: PlantedPlace]
    package var platforms: Set<Platform>
    /// Oldest first; where there are none, versions are invented as those of other apps are.
    package var releases: [PlantedRelease]
    /// Oldest first: how it came to look as it does.
    package var edits: [PlantedEdit]

    package init(
        bundleID: BundleID, name: String, developer: String, places: [String: PlantedPlace],
        platforms: Set<Platform> = [.iphone, .ipad], releases: [PlantedRelease] = [], edits: [PlantedEdit] = []
    ) {
        self.bundleID = bundleID
        self.name = name
        self.developer = developer
        self.places = places
        self.platforms = platforms
        self.releases = releases.sorted { $0.at < $1.at }
        self.edits = edits.sorted { $0.at < $1.at }
    }
}

/// A moment at which a planted app begins to look otherwise, and what it looked like until then.
package struct PlantedEdit: Sendable {
    package var at: Timestamp
    /// `nil` where the name stays.
    package var formerName: String?
    /// In US dollars; `nil` where the price stays.
    package var formerPrice: Double?
    package var hasNewIcon: Bool
    package var hasNewScreenshots: Bool

    package init(
        at: Timestamp, formerName: String? = nil, formerPrice: Double? = nil, hasNewIcon: Bool = false,
        hasNewScreenshots: Bool = false
    ) {
        self.at = at
        self.formerName = formerName
        self.formerPrice = formerPrice
        self.hasNewIcon = hasNewIcon
        self.hasNewScreenshots = hasNewScreenshots
    }
}

/// A version of a planted app and when it comes out. The first is there from the beginning.
package struct PlantedRelease: Sendable {
    package var version: String
    package var at: Timestamp

    package init(_ version: String, at: Timestamp) {
        self.version = version
        self.at = at
    }
}

/// Where a planted app stands for one query, before the store's daily noise.
package struct PlantedPlace: Sendable {
    /// Sorted by time, at least one; between two the place moves in a straight line, outside them it stays.
    private let points: [(at: Timestamp, place: Double)]

    /// The same place for ever. A place beyond the end of the list, such as 500, is an app that is not found.
    package static func steady(_ place: Double) -> PlantedPlace {
        PlantedPlace(points: [(Timestamp(secondsSinceEpoch: 0), place)])
    }

    /// A first place, and the moments by which it has moved on to others: what rises, falls, enters and leaves.
    package static func moving(from place: Double, at start: Timestamp, to points: [Timestamp: Double]) -> PlantedPlace
    {
        let later = points.filter { $0.key > start }.sorted { $0.key < $1.key }.map { (at: $0.key, place: $0.value) }
        return PlantedPlace(points: [(start, place)] + later)
    }

    /// The place at a moment, 1-based and with fractions.
    func place(at moment: Timestamp) -> Double {
        guard let next = points.firstIndex(where: { moment < $0.at }) else { return points[points.count - 1].place }
        guard next > 0 else { return points[0].place }
        let (from, to) = (points[next - 1], points[next])
        let share = Double(moment - from.at) / Double(to.at - from.at)
        return from.place + (to.place - from.place) * share
    }
}
