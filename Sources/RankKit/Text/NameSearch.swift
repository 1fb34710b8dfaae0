import Foundation

/// Text as it is looked for: without regard to case, accents and the width of letters.
package enum NameSearch {
    package static func fold(_ text: String) -> String {
        // Most names are ASCII, for which Foundation takes ten times as long.
        text.utf8.allSatisfy { $0 < 0x80 }
            ? text.lowercased()
            : text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    }

    /// Whether `text` contains `part`, both folded.
    package static func contains(_ text: String, _ part: String) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { haystack in
            part.utf8.withContiguousStorageIfAvailable { find($0, in: haystack) }
        }.flatMap(\.self) ?? text.contains(part)
    }

    private static func find(_ needle: UnsafeBufferPointer<UInt8>, in haystack: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = needle.first else { return true }
        guard needle.count <= haystack.count else { return false }
        for start in 0...(haystack.count - needle.count) where haystack[start] == first {
            if needle.indices.allSatisfy({ haystack[start + $0] == needle[$0] }) { return true }
        }
        return false
    }
}
