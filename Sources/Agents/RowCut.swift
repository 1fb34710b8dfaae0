/// Rows that an answer leaves out because it would be too large.
package struct RowCut: Sendable, Hashable {
    /// The list, by the keys that lead to it: `standings`, `pairs[].checks`.
    package let list: String
    package var shown: Int
    package var of: Int
    /// Whether the newest rows were kept rather than the first ones.
    let keepsNewest: Bool

    /// For people.
    var words: String {
        "\(of - shown) of \(of) rows of \(list) are left out; \(keepsNewest ? "the newest" : "the first") \(shown) are shown"
    }
}

extension JSONValue {
    private enum Step: Hashable {
        case key(String)
        case index(Int)
    }

    private struct List {
        var path: [Step]
        var count: Int
        var bytes: Int
        var isOldestFirst: Bool
    }

    /// Takes whole rows out of the longest lists until the value has at most so many bytes.
    ///
    /// A series, the oldest row first, keeps its newest rows; other lists keep the first. A list loses its
    /// last row only if that is not enough.
    ///
    /// - Returns: what was left out; `nil` where the value would be too large without any row.
    mutating func cut(toBytes limit: Int) -> [RowCut]? {
        var cuts: [[Step]: RowCut] = [:]
        var fewest = 1
        while true {
            var lists: [List] = []
            let size = measure([], &lists)
            guard size > limit else { break }
            guard let longest = lists.filter({ $0.count > fewest }).max(by: { $0.bytes < $1.bytes }) else {
                guard fewest > 0 else { return nil }
                fewest -= 1
                continue
            }
            var left = longest.count
            drop(size - limit, fewest: fewest, longest, at: longest.path[...], &left)
            cuts[
                longest.path,
                default: RowCut(
                    list: Self.name(of: longest.path), shown: 0, of: longest.count, keepsNewest: longest.isOldestFirst)
            ].shown = left
        }
        var told: [String: RowCut] = [:]
        for cut in cuts.values {
            told[cut.list, default: RowCut(list: cut.list, shown: 0, of: 0, keepsNewest: cut.keepsNewest)].shown +=
                cut.shown
            told[cut.list]?.of += cut.of
        }
        return told.values.sorted { $0.list < $1.list }
    }

    /// The size in bytes; adds the lists in the value to `lists`.
    private func measure(_ path: [Step], _ lists: inout [List]) -> Int {
        switch self {
        case .null, .bool, .number, .string: return bytes.count
        case .array(let elements):
            var size = 2 + max(0, elements.count - 1)
            for (index, element) in elements.enumerated() { size += element.measure(path + [.index(index)], &lists) }
            lists.append(List(path: path, count: elements.count, bytes: size, isOldestFirst: isOldestFirst))
            return size
        case .object(let members):
            var size = 2 + max(0, members.count - 1)
            for member in members {
                size += JSONValue.string(member.key).bytes.count + 1
                size += member.value.measure(path + [.key(member.key)], &lists)
            }
            return size
        }
    }

    private mutating func drop(
        _ excess: Int, fewest: Int, _ list: List, at path: ArraySlice<Step>, _ left: inout Int
    ) {
        switch (self, path.first) {
        case (.array(var elements), nil):
            var freed = 0
            // Sizes first: taking from the front again and again would move the rest each time.
            var sizes = elements.map { $0.bytes.count + 1 }
            if list.isOldestFirst { sizes.reverse() }
            var kept = elements.count
            while freed < excess, kept > fewest {
                kept -= 1
                freed += sizes[kept]
            }
            elements = Array(list.isOldestFirst ? elements.suffix(kept) : elements.prefix(kept))
            left = kept
            self = .array(elements)
        case (.array(var elements), .index(let index)?):
            self = .null
            elements[index].drop(excess, fewest: fewest, list, at: path.dropFirst(), &left)
            self = .array(elements)
        case (.object(var members), .key(let key)?):
            self = .null
            if let place = members.firstIndex(where: { $0.key == key }) {
                members[place].value.drop(excess, fewest: fewest, list, at: path.dropFirst(), &left)
            }
            self = .object(members)
        default: break
        }
    }

    /// Whether the rows are one series: they agree up to a time or day, and that rises from row to row.
    private var isOldestFirst: Bool {
        guard case .array(let rows) = self, rows.count > 1, let first = rows.first?.lead else { return false }
        var before = first.time
        for row in rows.dropFirst() {
            guard let lead = row.lead, lead.members == first.members, before < lead.time else { return false }
            before = lead.time
        }
        return true
    }

    /// The members of a row before its first time or day, and that.
    private var lead: (members: ArraySlice<Member>, time: String)? {
        guard case .object(let members) = self else { return nil }
        let times = /[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9:]{8}Z)?/
        for (place, member) in members.enumerated() {
            if let text = member.value.text, text.wholeMatch(of: times) != nil { return (members[..<place], text) }
        }
        return nil
    }

    private static func name(of path: [Step]) -> String {
        var name = ""
        for step in path {
            switch step {
            case .key(let key): name += (name.isEmpty ? "" : ".") + key
            case .index: name += "[]"
            }
        }
        return name
    }
}
