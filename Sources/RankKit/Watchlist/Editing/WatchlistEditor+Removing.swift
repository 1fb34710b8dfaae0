import JSON5

extension WatchlistEditor {
    /// Stops watching a query for an app, in all countries, on all platforms and in all languages or only those named.
    ///
    /// Takes out whole lines that come to nothing else, or one element of a list where that is all it stands for. A
    /// line that holds more becomes several, which together hold what is left. `JSON5Layout` knows which bytes go and
    /// which comments stay.
    /// A query that stays for other apps keeps its popularity: where only a line that goes says it, it is written into one
    /// that stays. How often it is asked follows from the lines that are left.
    /// - Returns: what became different for the apps that stay on a query, in the file's order.
    /// - Throws: `notWatched`; `lastPair`.
    @discardableResult
    package mutating func remove(
        query: String, bundleID: BundleID, countries: [Country] = [], platform: Platform? = nil,
        language: String? = nil
    ) throws(Refusal) -> [AlteredQuery] {
        let target = Target(
            folded: Query.fold(query), bundleID: bundleID, countries: countries, platform: platform,
            language: language?.lowercased())
        let before = current
        var edited = bytes
        var reading = before
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
        let document = (bytes, current)
        accept(edited, reading)
        do throws(Refusal) { try restorePopularity(of: before.watchlist) } catch {
            accept(document.0, document.1)
            throw error
        }
        return AlteredQuery.list(from: before.watchlist, to: watchlist)
    }

    /// Gives queries that lost their popularity with a line the one that they had, as far as a line that is left stands
    /// for such queries alone.
    private mutating func restorePopularity(of before: Watchlist) throws(Refusal) {
        let known = Dictionary(before.queries.map { ($0.query, $0.popularity) }) { first, _ in first }
        var figures: [Query: Double] = [:]
        for query in watchlist.queries where query.popularity == nil {
            figures[query.query] = known[query.query] ?? nil
        }
        try setPopularity { figures[$0] }
    }

    /// The pairs to be removed.
    private struct Target {
        let folded: String
        let bundleID: BundleID
        /// Any where there are none.
        let countries: [Country]
        let platform: Platform?
        /// Apple's code, or `Query.noLanguage`.
        let language: String?

        func matches(_ pair: WatchlistChange.Pair) -> Bool {
            pair.query.folded == folded && pair.bundleID == bundleID && matches(pair.query.country)
                && matches(pair.query.platform) && matches(language: pair.query.language)
        }

        func matches(_ other: Country) -> Bool { countries.isEmpty || countries.contains(other) }

        func matches(_ other: Platform) -> Bool { platform.map { $0 == other } ?? true }

        func matches(language other: String?) -> Bool {
            language.map { $0 == other ?? Query.noLanguage } ?? true
        }

        func matches(_ query: LineQuery) -> Bool {
            Query.fold(query.text) == folded && matches(language: query.language)
        }

        func isIn(_ line: WatchLine, _ reading: WatchlistReading) -> Bool {
            line.queries.contains(where: matches)
                && line.apps.joined().contains { reading.apps[$0].bundleID == bundleID }
                && line.countries.contains(where: matches) && line.platforms.contains(where: matches)
        }
    }

    /// `bytes` with one element less, one line less, or one line divided.
    private static func removing(
        _ target: Target, from line: WatchLine, in reading: WatchlistReading, bytes: [UInt8]
    ) throws(Refusal) -> [UInt8] {
        let layout = JSON5Layout(bytes: bytes)
        let lines = reading.root.member("watch") ?? reading.root
        guard let container = JSON5Layout.Container(lines), let index = container.items.firstIndex(of: line.place.range)
        else { throw .inexact }
        let partial = factors(of: line, target, reading).filter { !$0.isWhole }
        if partial.isEmpty { return JSON5Layout.applying(layout.removing(index, from: container), to: bytes) }
        if partial.count == 1, let element = partial[0].soleElement {
            return JSON5Layout.applying(layout.removing(element.index, from: element.container), to: bytes)
        }
        let divided = try DividedLine(line.place, in: bytes).without(partial)
        let place = line.place.range
        let separator =
            layout.isFirstOnLine(place.lowerBound) ? layout.lineBreak + layout.indent(at: place.lowerBound) : " "
        return bytes[..<place.lowerBound] + Array(divided.joined(separator: "," + separator).utf8)
            + bytes[place.upperBound...]
    }

    private static func factors(
        of line: WatchLine, _ target: Target, _ reading: WatchlistReading
    ) -> [DividedLine.Factor] {
        let holders = line.apps.map { $0.contains { reading.apps[$0].bundleID == target.bundleID } }
        let others = line.apps.map { element in
            element.map { reading.apps[$0] }.filter { $0.bundleID != target.bundleID }
        }
        return [
            .init(
                keys: ("query", "queries"), node: line.queriesNode,
                goes: line.queries.map(target.matches)),
            .init(
                keys: ("app", "apps"), node: line.appsNode, goes: holders,
                entangled: zip(line.apps, holders).contains { $0.count > 1 && $1 } ? (target.bundleID, others) : nil),
            .init(
                keys: ("country", "countries"), node: line.countriesNode,
                goes: written(line.countriesNode) { Country(written: $0).map(target.matches) }
                    ?? line.countries.map(target.matches), values: line.countries.map(\.code)),
            .init(
                keys: ("platform", "platforms"), node: line.platformsNode,
                goes: written(line.platformsNode) { Platform(rawValue: $0).map(target.matches) }
                    ?? line.platforms.map(target.matches), values: line.platforms.map(\.rawValue)),
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
