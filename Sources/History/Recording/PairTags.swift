import Foundation
import GRDB

/// The tags of a pair, as `pair.tags` holds them.
enum PairTags {
    static func decode(_ text: String) throws -> [String] {
        if text == "[]" { return [] }
        do { return try JSONDecoder().decode([String].self, from: Data(text.utf8)) } catch {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "pair: tags that no rankd writes")
        }
    }

    static func encode(_ tags: [String]) throws -> String {
        tags.isEmpty ? "[]" : String(decoding: try JSONEncoder().encode(tags), as: UTF8.self)
    }
}
