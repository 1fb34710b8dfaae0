import Foundation
import GRDB
import RankKit

/// What queries differ in beside their texts.
package enum QueryProperty: Sendable {
    case country, language, source
}

/// The words that a history knows, for a shell that completes them: read with nothing else, so that no key press waits.
extension HistoryReader {
    /// Search texts as they are sent, each once: those still asked in the watchlist's order, then the retired ones.
    ///
    /// - Parameters:
    ///   - prefix: how they begin, without regard to case.
    ///   - limit: how many are wanted.
    package func queryTexts(beginning prefix: String, limit: Int) throws(HistoryError) -> [String] {
        let prefix = Query.fold(prefix)
        return try read { database in
            var seen: Set<String> = []
            var texts: [String] = []
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT text, folded FROM query WHERE substr(folded, 1, length(:prefix)) = :prefix
                    ORDER BY retired_at IS NOT NULL, ordinal, id
                    """, arguments: ["prefix": prefix])
            while texts.count < limit, let row = try rows.next() {
                if try seen.insert(row[1]).inserted { try texts.append(row[0]) }
            }
            return texts
        }
    }

    /// What is stored of a property over all queries, sorted; never empty texts.
    package func values(of property: QueryProperty) throws(HistoryError) -> [String] {
        try read { try String.fetchAll($0, sql: Self.statement(of: property)) }
    }

    private static func statement(of property: QueryProperty) -> String {
        switch property {
        case .country: "SELECT DISTINCT country FROM query ORDER BY country"
        case .language: "SELECT DISTINCT language FROM query WHERE language <> '' ORDER BY language"
        case .source: "SELECT DISTINCT source FROM query ORDER BY source"
        }
    }

    /// The tags of the active pairs, sorted.
    package func tags() throws(HistoryError) -> [String] {
        try read { database in
            let lists = try String.fetchAll(database, sql: "SELECT DISTINCT tags FROM pair WHERE retired_at IS NULL")
            let decoder = JSONDecoder()
            return try Set(lists.flatMap { try decoder.decode([String].self, from: Data($0.utf8)) }).sorted()
        }
    }

    /// The bundle identifiers ever seen that begin so, without regard to case, sorted.
    package func bundleIDs(beginning prefix: String, limit: Int) throws(HistoryError) -> [String] {
        let prefix = prefix.lowercased()
        return try read {
            // No bundle identifier holds a character behind “~”: the index finds them all between the two.
            try String.fetchAll(
                $0,
                sql: """
                    SELECT min(bundle_id) FROM app WHERE bundle_key >= ? AND bundle_key < ?
                    GROUP BY bundle_key ORDER BY bundle_key LIMIT ?
                    """, arguments: [prefix, prefix + "~", limit])
        }
    }
}
