package import History
import RankKit

/// What was told of apps and queries whose history is deleted for good.
///
/// An event goes with its subject: the pair, two rivals of which one is deleted, the app. A message that tells of nothing
/// else goes with it; one that tells of other apps as well keeps what it says of those.
package struct PrunedAlerts: Sendable {
    private let names: PrunedNames
    /// How the keys of pairs on deleted queries begin.
    private let queries: Set<String>
    /// By how the keys of pairs on a query begin, the apps whose pair on it is deleted.
    private let apps: [String: Set<String>]

    package init(_ names: PrunedNames) {
        self.names = names
        queries = Set(names.queries.map(AlertEvent.Subject.pairs(on:)))
        apps = Dictionary(grouping: names.pairs) { AlertEvent.Subject.pairs(on: $0.query) }
            .mapValues { Set($0.map(\.app)) }
    }

    /// How many messages go, or say less.
    ///
    /// - Throws: `HistoryError`.
    package func count(in store: HistoryStore) async throws -> Int {
        try await store.messagesPruned(before: names.before, rest: { rest($0) })
    }

    /// Deletes them. Broken off, it can be run again.
    ///
    /// - Throws: `HistoryError`, or `CancellationError` between two steps.
    package func delete(from store: HistoryStore) async throws {
        try await store.pruneAlerts(before: names.before, rest: { rest($0) }, isGone: { isGone($0) })
    }

    /// Whether a subject is deleted.
    ///
    /// - Parameter subject: `AlertEvent.Subject.key`.
    func isGone(_ subject: String) -> Bool {
        isGone(fields: subject.split(separator: "\t", omittingEmptySubsequences: false)[...])
    }

    /// - Parameter fields: those of a subject's key, and perhaps more.
    private func isGone(fields: ArraySlice<Substring>) -> Bool {
        func field(_ index: Int) -> String? {
            fields.startIndex + index < fields.endIndex ? String(fields[fields.startIndex + index]) : nil
        }
        switch fields.first {
        case "pair": return isGone(on: fields.dropFirst().prefix(Self.queryFields), [field(6)].compactMap(\.self))
        case "rivals":
            return isGone(on: fields.dropFirst().prefix(Self.queryFields), [field(6), field(7)].compactMap(\.self))
        case "app":
            guard let app = field(1) else { return false }
            return names.gone.contains(.init(app: app, country: field(2).flatMap { Country(code: $0) }))
        default: return false
        }
    }

    /// The fields of a query in a subject's key.
    private static let queryFields = 5

    private func isGone(on query: ArraySlice<Substring>, _ those: [String]) -> Bool {
        let begin = "pair\t" + query.joined(separator: "\t") + "\t"
        if queries.contains(begin) { return true }
        let gone = apps[begin] ?? []
        return those.contains { gone.contains($0) || names.gone.contains(.init(app: $0, country: nil)) }
    }

    /// - Parameter event: `AlertMessage.Line.event`: a sensitivity, a kind, the subject's key and more.
    private func isGone(event: String) -> Bool {
        isGone(fields: event.split(separator: "\t", omittingEmptySubsequences: false).dropFirst(2))
    }

    /// What is left of a message.
    ///
    /// - Parameter content: `AlertMessage.stored`.
    func rest(_ content: String) -> HistoryStore.MessageRest {
        guard let message = AlertMessage(stored: content) else { return .whole }
        var gone = Set(message.events.filter { isGone(event: $0) })
        // A digest has lines about many apps, and no subject.
        var lines = message.lines.filter { $0.kind != .digest || !names(in: $0.text) }
        let digests = Set(message.lines.filter { $0.kind == .digest }.map(\.event))
        gone.formUnion(digests.subtracting(lines.map(\.event)))
        guard !gone.isEmpty || lines.count < message.lines.count else { return .whole }
        var rest = message
        lines.removeAll { gone.contains($0.event) }
        if !gone.isEmpty {
            guard let without = message.without(gone) else { return .nothing }
            rest = without
        }
        rest.lines = lines
        return .part(rest.stored)
    }

    private func names(in text: String) -> Bool {
        let text = text.lowercased()
        return names.calledSo.contains { $0.count >= Self.leastName && Self.isNamed($0.lowercased(), in: text) }
    }

    /// Shorter names are words of many sentences.
    private static let leastName = 3

    /// Whether `name` is in `text`, and not as a part of a word: “day” is not in “today”.
    private static func isNamed(_ name: String, in text: String) -> Bool {
        func isInWord(_ character: Character?) -> Bool { character.map { $0.isLetter || $0.isNumber } ?? false }
        var rest = text[...]
        while let found = rest.firstRange(of: name) {
            if !isInWord(text[..<found.lowerBound].last), !isInWord(text[found.upperBound...].first) { return true }
            rest = text[text.index(after: found.lowerBound)...]
        }
        return false
    }
}
