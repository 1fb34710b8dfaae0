import JSON5

/// Turns the bytes of a watchlist into the plan, and collects everything that is wrong with them on the way.
struct WatchlistDecoder {
    private let root: JSON5Node
    private let bytes: [UInt8]
    /// Made for the first thing that has to be said.
    private lazy var lineIndex = LineIndex(bytes)
    private var found: [(offset: Int, mistake: Mistake)] = []
    private var noticed: [(offset: Int, warning: Warning)] = []
    /// The tracked and declared apps, each once, in the order of first mention.
    var apps: [WatchedApp] = []
    /// Where in `apps` each bundleId stands.
    var appIndices: [BundleID: Int] = [:]
    /// Where in `apps` each alias points to.
    var aliasIndices: [String: Int] = [:]
    /// Aliases whose declaration is wrong: what uses them is not wrong as well.
    var brokenAliases: Set<String> = []
    var zones: [String: ZoneReading] = [:]
    var expansion = Expansion()
    /// Where in the expansion the queries of each folded text stand. Made for the first note or rule that names any.
    lazy var queriesByText = Dictionary(grouping: expansion.queries.indices) { expansion.queries[$0].query.folded }
    /// Of all pairs. Made for the first rule that names any.
    lazy var watchedTags = Set(expansion.queries.lazy.flatMap(\.pairs).flatMap(\.tags))
    /// Of all queries. Made for the first rule that names a country or a platform.
    lazy var watchedCountries = Set(expansion.queries.lazy.map(\.query.country))
    lazy var watchedPlatforms = Set(expansion.queries.lazy.map(\.query.platform))
    /// Every text beside `alerts`, folded. Made for the first name that perhaps only a mistaken line knows.
    lazy var writtenTexts = Self.textsBesideAlerts(of: root)

    enum ZoneReading {
        case zone(Cadence.Zone)
        case unknown
    }

    /// - Parameter root: What `bytes` hold.
    init(_ root: JSON5Node, bytes: [UInt8]) {
        self.root = root
        self.bytes = bytes
    }

    var hasMistakes: Bool { !found.isEmpty }

    /// - Throws: every mistake, in the order of the file.
    func checkMistakes() throws(WatchlistError) {
        guard !found.isEmpty else { return }
        var mistakes = found.sorted { $0.offset < $1.offset }.map(\.mistake)
        if mistakes.count >= WatchlistError.most, let last = mistakes.last {
            mistakes.append(
                Mistake(
                    path: "watchlist", line: last.line, column: last.column,
                    problem: "there are more than \(WatchlistError.most) mistakes, and these are the first",
                    remedy: "correct these first"))
        }
        throw WatchlistError(mistakes: mistakes)
    }

    var warnings: [Warning] { noticed.sorted { $0.offset < $1.offset }.map(\.warning) }

    // MARK: Saying what is wrong

    mutating func refuse(_ place: JSON5Node, _ problem: String, _ remedy: String) {
        refuse(at: place.range.lowerBound, problem, remedy)
    }

    /// - Parameter offset: Where the value begins, or the key.
    mutating func refuse(at offset: Int, _ problem: String, _ remedy: String) {
        guard found.count < WatchlistError.most else { return }
        let (line, column) = lineIndex.place(of: offset)
        let path = path(to: offset)
        found.append((offset, Mistake(path: path, line: line, column: column, problem: problem, remedy: remedy)))
    }

    mutating func warn(_ place: JSON5Node, _ problem: String, _ remedy: String) {
        warn(at: place.range.lowerBound, problem, remedy)
    }

    /// - Parameter offset: Where the value begins, or the key.
    mutating func warn(at offset: Int, _ problem: String, _ remedy: String) {
        guard noticed.count < WatchlistError.most else { return }
        let (line, column) = lineIndex.place(of: offset)
        let path = path(to: offset)
        noticed.append((offset, Warning(path: path, line: line, column: column, problem: problem, remedy: remedy)))
    }

    /// The JSON path of the value or the key that begins at `offset`.
    func path(to offset: Int) -> String { JSONPath.description(of: offset, in: root) }

    /// The mistake of a value of the wrong kind.
    mutating func refuseKind(_ place: JSON5Node, wanted: String, _ remedy: String) {
        refuse(place, "must be \(wanted), not \(place.kind)", remedy)
    }

    // MARK: Reading values

    /// An object whose keys are all among those of `object` and all different.
    mutating func fields(_ place: JSON5Node, of object: WatchlistObject, remedy: String) -> Fields? {
        guard case .object(let members) = place.value else {
            refuseKind(place, wanted: "an object", remedy)
            return nil
        }
        let keys = object.keys
        let flawed = members.indices.first { index in
            let key = members[index].key
            return !keys.contains(key) || members[..<index].contains { $0.key == key }
        }
        guard let flawed else { return Fields(place: place, members: members) }
        var fields = Fields(place: place, members: Array(members[..<flawed]))
        for member in members[flawed...] {
            if !keys.contains(member.key) {
                refuse(at: member.keyRange.lowerBound, "unknown key", keyRemedy(member.key, keys))
            } else if fields[member.key] != nil {
                refuseDuplicate(member)
            } else {
                fields.members.append(member)
            }
        }
        return fields
    }

    mutating func refuseDuplicate(_ member: JSON5Member) {
        refuse(at: member.keyRange.lowerBound, "the key is given twice", "keep one of them")
    }

    /// What a person may have meant, as long as anybody will be told: the search is what costs.
    func nearest(to word: String, in candidates: some Sequence<String>) -> String? {
        found.count < WatchlistError.most ? Spelling.nearest(to: word, in: candidates) : nil
    }

    private func keyRemedy(_ key: String, _ keys: [String]) -> String {
        if let meant = nearest(to: key, in: keys) { return "did you mean “\(meant)”?" }
        return "the keys here are \(keys.joined(separator: ", "))"
    }

    mutating func text(_ place: JSON5Node, example: String) -> String? {
        guard case .string(let text) = place.value else {
            refuseKind(place, wanted: "text", "write it in quotes, such as \(JSONString.quoted(example))")
            return nil
        }
        return text
    }

    /// A text of which a number without its quotes is one as well, as it is written: the query 2048, the version 2.10.
    mutating func textOrNumber(_ place: JSON5Node, example: String) -> String? {
        guard case .number = place.value else { return text(place, example: example) }
        return String(decoding: bytes[place.range], as: UTF8.self)
    }

    /// The elements of a list.
    mutating func elements(_ place: JSON5Node, example: String) -> [JSON5Node]? {
        guard case .array(let nodes) = place.value else {
            refuseKind(place, wanted: "a list", "write it in brackets, such as [\(example)]")
            return nil
        }
        return nodes
    }

    /// A list of texts that may be empty.
    mutating func texts(_ place: JSON5Node, example: String) -> [JSON5Node]? {
        elements(place, example: JSONString.quoted(example))
    }

    /// A list that names at least one thing.
    mutating func nonEmpty(_ place: JSON5Node, example: String) -> [JSON5Node]? {
        guard let elements = elements(place, example: example) else { return nil }
        guard !elements.isEmpty else {
            refuse(place, "the list is empty", "name at least one, or leave the key out")
            return nil
        }
        return elements
    }

    mutating func wholeNumber(_ place: JSON5Node, in range: ClosedRange<Int>) -> Int? {
        let remedy = "write a whole number from \(range.lowerBound) to \(range.upperBound)"
        guard case .number(let number) = place.value else {
            refuseKind(place, wanted: "a number", remedy)
            return nil
        }
        guard let whole = Int(exactly: number), range.contains(whole) else {
            refuse(place, "\(Self.plain(number)) is not in the range", remedy)
            return nil
        }
        return whole
    }

    /// A number as a person would write it.
    static func plain(_ number: Double) -> String {
        if number.isNaN { return "NaN" }
        if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
        return Int64(exactly: number).map { String($0) } ?? String(number)
    }
}

/// The members of one object: known keys, each once.
struct Fields {
    let place: JSON5Node
    var members: [JSON5Member]

    subscript(key: String) -> JSON5Node? { members.first { $0.key == key }?.value }
}

extension WatchlistDecoder {
    /// Those of `keys` that are given, of which only one may be: they are spellings of the same thing.
    mutating func onlyOne(of keys: [String], in fields: Fields) -> (key: String, value: JSON5Node)? {
        let members = fields.members
        guard let first = members.firstIndex(where: { keys.contains($0.key) }) else { return nil }
        let plurals = [
            "query": "queries", "keyword": "keywords", "app": "apps", "bundleId": "bundleIds", "country": "countries",
            "platform": "platforms", "tag": "tags",
        ]
        guard members[(first + 1)...].contains(where: { keys.contains($0.key) }) else {
            let (key, value) = (members[first].key, members[first].value)
            guard case .array = value.value, let plural = plurals[key], keys.contains(plural) else {
                return (key, value)
            }
            refuseKind(value, wanted: "text", "“\(plural)” takes a list")
            return nil
        }
        let given = members.filter { keys.contains($0.key) }
        for other in given.dropFirst() {
            let plural: String? = [given[0].key, other.key].first {
                plurals[given[0].key] == $0 || plurals[other.key] == $0
            }
            refuse(
                other.value, "“\(other.key)” beside “\(given[0].key)”",
                "keep one of them" + (plural.map { ": “\($0)” takes a list" } ?? ""))
        }
        return nil
    }
}
