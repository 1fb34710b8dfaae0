import Algorithms
import JSON5

/// A line of `watch` that some of its pairs leave.
///
/// What a line holds is a product, and a product without a part of it is the sum of a few products: one for each factor
/// that is cut.
struct DividedLine {
    private let place: JSON5Node
    private let bytes: [UInt8]

    init(_ place: JSON5Node, in bytes: [UInt8]) {
        self.place = place
        self.bytes = bytes
    }

    /// One of the factors of a line's product.
    struct Factor {
        /// The key of one, and that of a list.
        let keys: (one: String, many: String)
        /// The value that the factor is made of; `nil` if the line does not say it itself.
        let node: JSON5Node?
        /// For each element, whether it is to go.
        let goes: [Bool]
        /// The app that is to go, and what each element stands for beside it; `nil` if no alias stands for both.
        var entangled: (leaving: BundleID, staying: [[WatchedApp]])?
        /// What the elements are where the line does not say it.
        var values: [String] = []

        var isWhole: Bool { goes.allSatisfy { $0 } && entangled == nil }

        /// The first element to go, of a list where elements can go by themselves.
        var soleElement: (container: JSON5Layout.Container, index: Int)? {
            guard entangled == nil, let node, case .array = node.value, let container = JSON5Layout.Container(node),
                container.items.count == goes.count, let index = goes.firstIndex(of: true)
            else { return nil }
            return (container, index)
        }
    }

    /// The lines that together hold what is left: the last of them is this line, cut once, with its comments.
    ///
    /// - Parameter partial: the factors of which a part is to go; all others go whole.
    func without(_ partial: [Factor]) throws(WatchlistEditor.Refusal) -> [String] {
        guard let first = partial.first else { return [] }
        var lines: [String] = []
        for cut in partial.indices.dropFirst().reversed() {
            // What goes of the factors before this one, and what stays of this one.
            var written: [WrittenFactor] = partial[..<cut].map { factor in
                (factor, member(factor, of: factor.goes, leaving: true))
            }
            written.append((partial[cut], member(partial[cut], of: partial[cut].goes.map { !$0 }, leaving: false)))
            lines.append(line(written))
        }
        return lines + [try own(without: first)]
    }

    // MARK: Further lines

    private typealias WrittenFactor = (factor: Factor, member: (key: String, value: String))

    /// This line on one line of text, with some of its members written anew.
    private func line(_ written: [WrittenFactor]) -> String {
        guard case .object(let members) = place.value else { return "" }
        var texts: [String] = []
        for member in members {
            let anew = written.first { $0.factor.node?.range == member.value.range }?.member
            texts.append(
                anew.map { "\(JSONString.quoted($0.key)): \($0.value)" }
                    ?? text(member.keyRange.lowerBound..<member.value.range.upperBound))
        }
        for (factor, member) in written where factor.node == nil {
            texts.append("\(JSONString.quoted(member.key)): \(member.value)")
        }
        return "{ " + texts.joined(separator: ", ") + " }"
    }

    /// A factor with some of its elements only.
    private func member(_ factor: Factor, of kept: [Bool], leaving: Bool) -> (key: String, value: String) {
        if let entangled = factor.entangled {
            return leaving
                ? ("bundleId", JSONString.quoted(entangled.leaving.text))
                : Self.member(naming: Array(entangled.staying.joined()))
        }
        let elements: [String]
        var keys = factor.keys
        if let node = factor.node {
            let nodes: [JSON5Node] = if case .array(let nodes) = node.value { nodes } else { [node] }
            elements = nodes.map { text($0.range) }
            // An app by its bundleId stays one.
            if key(of: node)?.hasPrefix("bundleId") ?? false { keys = ("bundleId", "bundleIds") }
        } else {
            elements = factor.values.map { JSONString.quoted($0) }
        }
        let texts = zip(elements, kept).filter(\.1).map(\.0)
        // A query with settings of its own can only stand in a list.
        if texts.count == 1, !texts[0].hasPrefix("{") { return (keys.one, texts[0]) }
        return (keys.many, "[" + texts.joined(separator: ", ") + "]")
    }

    private static func member(naming apps: [WatchedApp]) -> (key: String, value: String) {
        let apps = Array(apps.uniqued { $0.bundleID })
        let (keys, name) = naming(apps)
        let names = apps.map(name)
        return names.count == 1 ? (keys.one, JSONString.quoted(names[0])) : (keys.many, JSONString.list(names))
    }

    /// By alias where each has one that stands for it alone.
    private static func naming(
        _ apps: [WatchedApp]
    ) -> (keys: (one: String, many: String), name: @Sendable (WatchedApp) -> String) {
        guard apps.allSatisfy({ $0.alias != nil && $0.competitors.isEmpty }) else {
            return (("bundleId", "bundleIds"), { $0.bundleID.text })
        }
        return (("app", "apps"), { $0.alias ?? $0.bundleID.text })
    }

    // MARK: The line itself

    private func own(without factor: Factor) throws(WatchlistEditor.Refusal) -> String {
        var line = Array(bytes[place.range])
        let member = member(factor, of: factor.goes.map { !$0 }, leaving: false)
        guard let node = factor.node else {
            let written = "\(JSONString.quoted(member.key)): \(member.value)"
            guard let container = JSON5Layout.Container(try Self.parsed(line)) else { throw .inexact }
            let splices = JSON5Layout(bytes: line).appending(written, to: container, unit: "  ", spreads: false)
            return String(decoding: JSON5Layout.applying(splices, to: line), as: UTF8.self)
        }
        guard let key = key(of: node), case .object(let members) = place.value,
            let own = members.first(where: { $0.key == key })
        else { throw .inexact }
        guard factor.soleElement != nil else {
            if let entangled = factor.entangled, case .array = node.value {
                return try list(naming: entangled.staying, of: key)
            }
            let start = place.range.lowerBound
            return text(start..<own.keyRange.lowerBound) + JSONString.quoted(member.key)
                + text(own.keyRange.upperBound..<own.value.range.lowerBound) + member.value
                + text(own.value.range.upperBound..<place.range.upperBound)
        }
        try Self.remove(factor.goes, fromListOf: key, in: &line)
        return String(decoding: line, as: UTF8.self)
    }

    /// The line with the apps that each element of its list stands for in the place of that, those before them apart. What stands between
    /// the elements stays.
    private func list(naming staying: [[WatchedApp]], of key: String) throws(WatchlistEditor.Refusal) -> String {
        var line = Array(bytes[place.range])
        var named: Set<BundleID> = []
        let fresh = staying.map { apps in apps.filter { named.insert($0.bundleID).inserted } }
        try Self.remove(fresh.map(\.isEmpty), fromListOf: key, in: &line)
        guard case .object(let members) = try Self.parsed(line).value,
            let member = members.first(where: { $0.key == key }), case .array(let elements) = member.value.value
        else { throw .inexact }
        let (keys, name) = Self.naming(Array(staying.joined()))
        let layout = JSON5Layout(bytes: line)
        var splices: [JSON5Layout.Splice] = []
        if key != keys.many { splices.append(layout.replacing(member.keyRange, by: JSONString.quoted(keys.many))) }
        for (element, apps) in zip(elements, fresh.filter { !$0.isEmpty })
        where apps.count > 1 || element.value != .string(name(apps[0])) {
            splices.append(
                layout.replacing(element.range, by: apps.map { JSONString.quoted(name($0)) }.joined(separator: ", ")))
        }
        return String(decoding: JSON5Layout.applying(splices, to: line), as: UTF8.self)
    }

    private static func remove(
        _ goes: [Bool], fromListOf key: String, in line: inout [UInt8]
    ) throws(WatchlistEditor.Refusal) {
        // From the end, so that the places of the others stay.
        for index in goes.indices.reversed() where goes[index] {
            guard let list = try parsed(line).member(key), let container = JSON5Layout.Container(list) else {
                throw .inexact
            }
            line = JSON5Layout.applying(JSON5Layout(bytes: line).removing(index, from: container), to: line)
        }
    }

    private static func parsed(_ line: [UInt8]) throws(WatchlistEditor.Refusal) -> JSON5Node {
        do throws(JSON5Error) { return try JSON5Parser.parse(line) } catch { throw .inexact }
    }

    private func key(of node: JSON5Node) -> String? {
        guard case .object(let members) = place.value else { return nil }
        return members.first { $0.value.range == node.range }?.key
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}
