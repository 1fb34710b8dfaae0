/// A 1-based place in a result list. Never 0 and never a mark for "not in the list".
package struct Position: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    package let number: Int

    /// `nil` if `number` is below 1.
    package init?(_ number: Int) {
        guard number >= 1 else { return nil }
        self.number = number
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let position = Position(try container.decode(Int.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "a position starts at 1")
        }
        self = position
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }

    package var description: String { "#\(number)" }

    package static func < (left: Position, right: Position) -> Bool { left.number < right.number }
}

/// The ordered apps that one check saw.
package struct ResultList: Sendable {
    /// One element a place, best first; `nil` for an entry that could not be read, which still holds its place.
    package let places: [SeenApp?]
    /// Apple's numbers of entries whose bundle identifier could not be read, by their index in `places`.
    package let unnamed: [Int: AppID]
    /// What an answer tells about an app of `unnamed`, by its index in `places`.
    package let told: [Int: AppDetails]
    /// What the answer shows beside its places.
    package let beside: ShownBeside

    package init(
        places: [SeenApp?], unnamed: [Int: AppID] = [:], told: [Int: AppDetails] = [:],
        beside: ShownBeside = ShownBeside()
    ) {
        self.places = places
        self.unnamed = unnamed
        self.told = told
        self.beside = beside
    }

    /// The number of places: what an absence is "within".
    package var count: Int { places.count }

    /// The first place of each app; the later places of a duplicate count for nothing.
    package func positions() -> [BundleID: Position] {
        var positions: [BundleID: Position] = [:]
        positions.reserveCapacity(places.count)
        for (index, place) in places.enumerated() {
            guard let app = place, positions[app.bundleID] == nil else { continue }
            positions[app.bundleID] = Position(index + 1)
        }
        return positions
    }

    /// The same order with no more than who holds each place.
    package var identities: ResultList {
        ResultList(
            places: places.map { app in
                app.map { SeenApp(id: $0.id, bundleID: $0.bundleID, tellsName: $0.tellsName) }
            }, unnamed: unnamed)
    }

    /// Apple's numbers of its places, best first, each once.
    package var numbers: [AppID] {
        var seen: Set<AppID> = []
        return places.indices.compactMap { places[$0]?.id ?? unnamed[$0] }.filter { seen.insert($0).inserted }
    }

    /// The same order, in which each place has what is told of its number. One that the list itself has under another
    /// bundle identifier keeps what the list says.
    ///
    /// - Parameter told: the apps as look-ups tell of them.
    package func described(by told: [AppID: SeenApp]) -> ResultList {
        var (places, unnamed) = (places, unnamed)
        for index in places.indices {
            guard let id = places[index]?.id ?? unnamed[index], let app = told[id] else { continue }
            guard places[index].map({ $0.bundleID == app.bundleID }) ?? true else { continue }
            places[index] = app
            unnamed[index] = nil
        }
        return ResultList(places: places, unnamed: unnamed, beside: beside)
    }

    /// The same order, in which a place known by its number alone has the app that a look-up found for it. A number
    /// that the look-up does not know, such as that of an app which was removed, keeps its place.
    ///
    /// - Parameter found: what the look-up answered, in any order.
    package func naming(_ found: ResultList) -> ResultList {
        let byID = Dictionary(
            found.places.compactMap { app in app?.id.flatMap { id in app.map { (id, $0) } } },
            uniquingKeysWith: { first, _ in first })
        var places = places
        var (unnamed, told) = (unnamed, told)
        for (index, id) in unnamed {
            guard let app = byID[id] else { continue }
            places[index] = told[index].map { app.told($0) } ?? app
            (unnamed[index], told[index]) = (nil, nil)
        }
        return ResultList(places: places, unnamed: unnamed, told: told, beside: beside)
    }
}

/// What an answer shows that is no place of its list: nothing where it is a list alone.
package struct ShownBeside: Sendable, Hashable {
    /// In the order in which they are shown.
    package var advertisements: [Advertisement]
    /// How many other items there are, such as stories and bundles.
    package var others: Int
    /// The kinds of those that rankd does not know, each once, as the store calls them: foreign text.
    package var unknownKinds: [String]

    package init(advertisements: [Advertisement] = [], others: Int = 0, unknownKinds: [String] = []) {
        self.advertisements = advertisements
        self.others = others
        self.unknownKinds = unknownKinds
    }

    /// An app that is shown because somebody pays for it.
    package struct Advertisement: Sendable, Hashable {
        package var id: AppID?
        package var bundleID: BundleID?
        /// `nil` if the store does not tell it.
        package var name: String?
        /// How many places of the list are shown above it.
        package var placesAbove: Int

        package init(id: AppID? = nil, bundleID: BundleID? = nil, name: String? = nil, placesAbove: Int) {
            self.id = id
            self.bundleID = bundleID
            self.name = name
            self.placesAbove = placesAbove
        }
    }
}

extension SeenApp {
    /// The same app with what the answer itself tells of it before what a look-up does.
    fileprivate func told(_ own: AppDetails) -> SeenApp {
        SeenApp(id: id, bundleID: bundleID, fingerprint: nil) { [self] in
            var details = details()
            details.name = own.name ?? details.name
            details.subtitle = own.subtitle ?? details.subtitle
            details.developer = own.developer ?? details.developer
            details.rating = own.rating ?? details.rating
            details.ratingCount = own.ratingCount ?? details.ratingCount
            return details
        }
    }
}
