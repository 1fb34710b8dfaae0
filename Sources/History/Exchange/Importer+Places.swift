import RankKit

/// What a check's line says of places is held against the list beside it.
extension Importer {
    /// Which apps of the file a pair may mean.
    struct FileApps {
        private var byName: [String: Set<Int64>] = [:]
        /// Those that have had several bundle identifiers: whose a name was depends on the time.
        private var renamed: Set<Int64> = []

        mutating func add(_ line: ExchangeLine.App) {
            let names = (line.names ?? []).map(\.bundleId) + (line.newNames ?? []).map(\.bundleId) + [line.bundleId]
            for name in names { byName[name.lowercased(), default: []].insert(line.n) }
            if Set(names.map { $0.lowercased() }).count > 1 { renamed.insert(line.n) }
        }

        /// Whether two names are one, or some app has had both.
        func areOfOneApp(_ name: String, _ other: String) -> Bool {
            name == other || !(byName[name] ?? []).isDisjoint(with: byName[other] ?? [])
        }

        /// Whether `list` can have told an app of the bundle identifier `key` this place, `nil` for an absence.
        func admits(_ position: Int?, of key: String, in list: [Int64]) -> Bool {
            let apps = byName[key] ?? []
            let first = list.firstIndex(where: apps.contains).map { $0 + 1 }
            if position == first { return true }
            let isNamedAtTimes = !apps.isDisjoint(with: renamed)
            guard let position else { return isNamedAtTimes }
            guard position >= 1, position <= list.count else { return false }
            // An entry without a number of Apple's may have told it.
            if list[position - 1] == 0 { return position < first ?? .max || isNamedAtTimes }
            return isNamedAtTimes && apps.contains(list[position - 1])
        }
    }

    /// A pair as the file has it.
    struct FilePair {
        let query: Int64
        let key: String
    }

    /// - Throws: `Unfitting` where a line contradicts itself.
    func hold(_ line: ExchangeLine.Check) throws {
        if let list = line.list, line.within != list.count {
            throw Unfitting(
                what: "has a list of \(list.count) places, though the check saw "
                    + (line.within.map { "\($0)" } ?? "none"))
        }
        let names = try unnumbered(line)
        for position in line.positions ?? [] {
            guard let pair = filePairs[position.pair] else {
                throw Unfitting(what: "names pair \(position.pair), which no line before has")
            }
            guard pair.query == line.query else {
                throw Unfitting(what: "names pair \(position.pair), which is on another query")
            }
            guard let list = line.list else { continue }
            guard (position.within ?? line.within) == list.count,
                fileApps.admits(position.position, of: pair.key, in: list),
                position.position.flatMap({ names[$0] }).map({ fileApps.areOfOneApp($0.folded, pair.key) }) ?? true
            else {
                let place = position.position.map { "#\($0)" } ?? "absent"
                throw Unfitting(what: "says that pair \(position.pair) is \(place), and its list says something else")
            }
        }
    }

    /// What the line says that entries without a number called their apps, by place.
    ///
    /// - Throws: `Unfitting` where its list has an app there, or no such place.
    private func unnumbered(_ line: ExchangeLine.Check) throws -> [Int: BundleID] {
        var names: [Int: BundleID] = [:]
        for place in line.unnumbered ?? [] {
            guard let list = line.list, place.position >= 1, place.position <= list.count,
                list[place.position - 1] == 0, let bundleID = BundleID(place.bundleId),
                names.updateValue(bundleID, forKey: place.position) == nil
            else {
                throw Unfitting(what: "names an entry at #\(place.position), and its list has no such entry there")
            }
        }
        return names
    }
}
