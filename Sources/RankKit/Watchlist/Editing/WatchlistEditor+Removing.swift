import JSON5

extension WatchlistEditor {
    /// Stops watching a query for an app, in all countries and on all platforms or only those named.
    ///
    /// Takes out whole lines that come to nothing else, or one element of a list where that is all it stands for.
    /// `JSON5Layout` knows which bytes go and which comments stay.
    /// - Throws: `shared` where a line cannot be cut so, with nothing changed at all; `notWatched`; `lastPair`.
    package mutating func remove(
        query: String, bundleID: BundleID, country: Country? = nil, platform: Platform? = nil
    ) throws(Refusal) {
        let target = Target(
            folded: Query.fold(query), bundleID: bundleID, country: country, platform: platform)
        let before = current
        var edited = bytes
        var reading = before
        // From the end, so that a refusal names its line by the number that it has in the file.
        while let line = reading.lines.last(where: { target.isIn($0, reading) }) {
            edited = try Self.removing(target, from: line, in: reading, bytes: edited)
            reading = try Self.checked(edited)
        }
        let change = WatchlistChange(from: before.watchlist, to: reading.watchlist)
        guard !change.removed.isEmpty else { throw .notWatched(query: query, bundleID: bundleID) }
        guard !reading.watchlist.queries.isEmpty else { throw .lastPair }
        let isExact =
            change.added.isEmpty && change.keepsNotesAndSettings && change.keepsDeclaredApps
            && change.removed.allSatisfy(target.matches) && change.altered.allSatisfy { $0.folded == target.folded }
        guard isExact else { throw .inexact }
        accept(edited, reading)
    }

    /// The pairs to be removed.
    private struct Target {
        let folded: String
        let bundleID: BundleID
        let country: Country?
        let platform: Platform?

        func matches(_ pair: WatchlistChange.Pair) -> Bool {
            pair.query.folded == folded && pair.bundleID == bundleID && matches(pair.query.country)
                && matches(pair.query.platform)
        }

        func matches(_ other: Country) -> Bool { country.map { $0 == other } ?? true }

        func matches(_ other: Platform) -> Bool { platform.map { $0 == other } ?? true }

        func isIn(_ line: WatchLine, _ reading: WatchlistReading) -> Bool {
            line.queries.contains { Query.fold($0.text) == folded }
                && line.apps.joined().contains { reading.apps[$0].bundleID == bundleID }
                && line.countries.contains(where: matches) && line.platforms.contains(where: matches)
        }
    }

    /// One of the factors of a line's product.
    private struct Factor {
        let name: String
        /// The list whose elements the factor is made of; `nil` if the line does not say it itself.
        let node: JSON5Node?
        /// For each element of the list, whether it is to go.
        let goes: [Bool]
        /// Whether an element stands for more than what is to go.
        var isEntangled = false

        var isWhole: Bool { goes.allSatisfy { $0 } && !isEntangled }
    }

    /// `bytes` with one element less, or one line.
    private static func removing(
        _ target: Target, from line: WatchLine, in reading: WatchlistReading, bytes: [UInt8]
    ) throws(Refusal) -> [UInt8] {
        let layout = JSON5Layout(bytes: bytes)
        let partial = factors(of: line, target, reading).filter { !$0.isWhole }
        func shared(_ reason: String) -> Refusal {
            let place = LineIndex(bytes).place(of: line.place.range.lowerBound)
            return .shared(path: reading.path(to: line.place), line: place.line, reason: reason)
        }
        guard let factor = partial.first else {
            let lines = reading.root.member("watch") ?? reading.root
            guard let container = JSON5Layout.Container(lines),
                let index = container.items.firstIndex(of: line.place.range)
            else { throw .inexact }
            return JSON5Layout.applying(layout.removing(index, from: container), to: bytes)
        }
        guard partial.count == 1 else {
            throw shared("it lists several \(partial.map(\.name).joined(separator: " and several "))")
        }
        guard !factor.isEntangled else { throw shared("its app stands for that app and its competitors") }
        guard let node = factor.node else { throw shared("its \(factor.name) come from the defaults") }
        guard case .array = node.value, let container = JSON5Layout.Container(node),
            container.items.count == factor.goes.count, let index = factor.goes.firstIndex(of: true)
        else { throw .inexact }
        return JSON5Layout.applying(layout.removing(index, from: container), to: bytes)
    }

    private static func factors(of line: WatchLine, _ target: Target, _ reading: WatchlistReading) -> [Factor] {
        let queries = line.queries.map { Query.fold($0.text) == target.folded }
        let holders = line.apps.map { $0.contains { reading.apps[$0].bundleID == target.bundleID } }
        let isEntangled = zip(line.apps, holders).contains { $0.count > 1 && $1 }
        return [
            Factor(name: "queries", node: line.queriesNode, goes: queries),
            Factor(name: "apps", node: line.appsNode, goes: holders, isEntangled: isEntangled),
            Factor(
                name: "countries", node: line.countriesNode,
                goes: written(line.countriesNode) { Country(written: $0).map(target.matches) }
                    ?? line.countries.map(target.matches)),
            Factor(
                name: "platforms", node: line.platformsNode,
                goes: written(line.platformsNode) { Platform(rawValue: $0).map(target.matches) }
                    ?? line.platforms.map(target.matches)),
        ]
    }

    /// For each element of a list as it is written, doubles included, whether it is to go.
    private static func written(_ node: JSON5Node?, _ goes: (String) -> Bool?) -> [Bool]? {
        guard case .array(let elements) = node?.value else { return nil }
        return elements.map { element in
            guard case .string(let text) = element.value else { return false }
            return goes(text) ?? false
        }
    }
}
