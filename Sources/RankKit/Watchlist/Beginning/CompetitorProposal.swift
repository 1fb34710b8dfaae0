/// An app that somebody may want to watch beside their own, because it stands near it in what people search for.
package struct CompetitorProposal: Sendable {
    package let app: SeenApp
    /// In how many of the lists it stands among the first `depth`.
    package let lists: Int
    /// In how many lists it stands before the app.
    package let ahead: Int

    /// Places that people look at.
    package static let depth = 20
    /// The most that are proposed.
    package static let most = 5

    /// Who stands with an app most often: first by the number of lists in which it is among the first `depth`, then by where
    /// it stands there. With three lists or more, one in a single list is left out.
    ///
    /// - Parameters:
    ///   - app: the app, which is no competitor of its own; nor are others of its developer.
    ///   - developer: the app's; `nil` if it is not known.
    ///   - lists: one for each query, all of one country and platform.
    package static func list(
        for app: BundleID, by developer: String? = nil, in lists: [ResultList]
    ) -> [CompetitorProposal] {
        struct Tally {
            var app: SeenApp
            var lists = 0
            var ahead = 0
            var places = 0
        }
        var tallies: [BundleID: Tally] = [:]
        for list in lists {
            let positions = list.positions()
            let own = positions[app]?.number ?? .max
            for (bundleID, position) in positions where bundleID != app && position.number <= depth {
                guard let seen = list.places[position.number - 1] else { continue }
                var tally = tallies[bundleID] ?? Tally(app: seen)
                tally.lists += 1
                tally.places += position.number
                if position.number < own { tally.ahead += 1 }
                tallies[bundleID] = tally
            }
        }
        let fewest = lists.count >= 3 ? 2 : 1
        // Best places first: the mean place, so that one more list is worth more than any place.
        let ranked = tallies.values.filter { $0.lists >= fewest }.sorted { left, right in
            if left.lists != right.lists { return left.lists > right.lists }
            if left.places != right.places { return left.places < right.places }
            return left.app.bundleID < right.app.bundleID
        }
        // Names are read for those alone that may be proposed: an entry takes long to decode.
        var found: [CompetitorProposal] = []
        for tally in ranked where found.count < most {
            if let developer, tally.app.details().developer == developer { continue }
            found.append(CompetitorProposal(app: tally.app, lists: tally.lists, ahead: tally.ahead))
        }
        return found
    }
}
