import GRDB

/// Whom a name stands for, before and after something changes that.
struct NameChange {
    private let before: [String: AppNumbers]

    /// - Parameter keys: bundle identifiers, folded, that may come to stand for other numbers.
    init(of keys: some Sequence<String>, in database: Database) throws {
        before = try Dictionary(uniqueKeysWithValues: Set(keys).map { ($0, try AppNumbers(of: $0, in: database)) })
    }

    /// Notes that what was recorded of pairs whose name stands for other numbers now is to be put right, and what lists tell
    /// in which an entry without a number had such a name.
    func note(in database: Database) throws {
        for (key, numbers) in before.sorted(by: { $0.key < $1.key })
        where try AppNumbers(of: key, in: database) != numbers {
            try CorrectedPlaces.note(pairsOf: key, in: database)
            try CorrectedPlaces.note(entriesNamed: key, in: database)
        }
    }
}
