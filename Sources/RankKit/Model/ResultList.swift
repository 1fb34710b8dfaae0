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

    package init(places: [SeenApp?], unnamed: [Int: AppID] = [:]) {
        self.places = places
        self.unnamed = unnamed
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
}
