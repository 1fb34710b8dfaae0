import Foundation

/// Text as it is looked for: without regard to case, accents and the width of letters.
package enum NameSearch {
    package static func fold(_ text: String) -> String {
        // Most names are ASCII, for which Foundation takes ten times as long.
        text.utf8.allSatisfy { $0 < 0x80 }
            ? text.lowercased()
            : text.wideningKana.folding(
                options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
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

extension String {
    /// With kana of half width in full width, a voicing mark together with what it stands behind: `ﾋﾞ` is `ビ`. Folding
    /// the width alone leaves the mark apart.
    fileprivate var wideningKana: String {
        guard unicodeScalars.contains(where: { Self.halfWidthKana.contains($0.value) }) else { return self }
        var (text, run) = ("", "")
        for scalar in unicodeScalars {
            if Self.halfWidthKana.contains(scalar.value) {
                run.unicodeScalars.append(scalar)
                continue
            }
            text += run.fullWidth
            run = ""
            text.unicodeScalars.append(scalar)
        }
        return text + run.fullWidth
    }

    /// Foundation's mapping alone leaves the marks apart on Linux.
    private var fullWidth: String {
        precomposedStringWithCompatibilityMapping.precomposedStringWithCanonicalMapping
    }

    /// A block of the Unicode standard, "Halfwidth and Fullwidth Forms", as far as kana goes.
    private static var halfWidthKana: ClosedRange<UInt32> { 0xFF61...0xFF9F }
}
