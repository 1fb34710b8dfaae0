import Foundation

/// The tags of a pair, as `pair.tags` holds them.
enum PairTags {
    static func decode(_ text: String) throws -> [String] {
        text == "[]" ? [] : try JSONDecoder().decode([String].self, from: Data(text.utf8))
    }

    static func encode(_ tags: [String]) throws -> String {
        tags.isEmpty ? "[]" : String(decoding: try JSONEncoder().encode(tags), as: UTF8.self)
    }
}
