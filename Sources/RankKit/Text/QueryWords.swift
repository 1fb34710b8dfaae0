import Foundation

/// The words of a search text, to be looked for in the names of apps.
///
/// A name carries them where it has every one of them, in any order: as a whole word, or, for a word in a script that is
/// written without spaces between words (Han, kana, Hangul, Thai, Lao, Khmer, Burmese), anywhere. Case, accents, the
/// width of letters and apostrophes do not count; everything else that is neither letter nor digit parts words, but for
/// `+` and `#` behind one: `c++`, `c#` and `c` are three words. A name's longer word with such a sign is also the word
/// without it. No plural or other form of a word is taken for it.
package struct QueryWords: Sendable, Hashable {
    private let whole: [String]
    private let parts: [String]

    /// - Returns: `nil` if the text has neither a letter nor a digit.
    package init?(_ text: String) {
        let words = Self.words(Self.folded(text))
        guard !words.isEmpty else { return nil }
        whole = words.filter { !Self.isUnspaced($0) }
        parts = words.filter(Self.isUnspaced)
    }

    package func areIn(_ name: String) -> Bool { areIn(Name(name)) }

    package func areIn(_ name: Name) -> Bool {
        parts.allSatisfy { NameSearch.contains(name.folded, $0) }
            && whole.allSatisfy { word in name.words.contains { $0 == word } }
    }

    /// A name as words are looked for in it, for names in which those of many queries are.
    package struct Name: Sendable {
        fileprivate let folded: String
        fileprivate let words: [String]

        package init(_ name: String) {
            folded = QueryWords.folded(name)
            words = QueryWords.words(folded).flatMap { word in
                let bare = word.trimmingSigns
                return bare.count > 1 && bare != word ? [word, bare] : [word]
            }
        }
    }

    private static func folded(_ text: String) -> String {
        let text = NameSearch.fold(
            text.contains { $0 == "'" || $0 == "’" } ? text.filter { $0 != "'" && $0 != "’" } : text)
        return text.utf8.contains(0xE2) ? text.replacing("♯", with: "#") : text
    }

    private static func words(_ text: String) -> [String] {
        var words: [String] = []
        var word = ""
        var hasSign = false
        func end() {
            if !word.isEmpty { words.append(word) }
            (word, hasSign) = ("", false)
        }
        for character in text {
            if character.isSign {
                // None that leads a word: “#1”.
                guard !word.isEmpty else { continue }
                word.append(character)
                hasSign = true
            } else if character.isLetter || character.isNumber {
                if hasSign {
                    // “a+b” are two words without a sign, “c++17” are “c++” and “17”.
                    if character.isLetter { word = word.trimmingSigns }
                    end()
                }
                word.append(character)
            } else {
                end()
            }
        }
        end()
        return words
    }

    private static func isUnspaced(_ word: String) -> Bool {
        word.unicodeScalars.contains { scalar in unspaced.contains { $0.contains(scalar.value) } }
    }

    /// Blocks of the Unicode standard.
    private static let unspaced: [ClosedRange<UInt32>] = [
        0x0E00...0x0EFF,  // Thai, Lao
        0x1000...0x109F,  // Myanmar
        0x1100...0x11FF,  // Hangul Jamo
        0x1780...0x17FF,  // Khmer
        0x3040...0x30FF,  // Hiragana, Katakana
        0x3130...0x318F,  // Hangul Compatibility Jamo
        0x31F0...0x31FF,  // Katakana Phonetic Extensions
        0x3400...0x4DBF,  // CJK Unified Ideographs Extension A
        0x4E00...0x9FFF,  // CJK Unified Ideographs
        0xAC00...0xD7AF,  // Hangul Syllables
        0xF900...0xFAFF,  // CJK Compatibility Ideographs
        0x20000...0x3FFFF,  // CJK Unified Ideographs Extensions
    ]
}

extension Character {
    /// What belongs to the word before it.
    fileprivate var isSign: Bool { self == "+" || self == "#" }
}

extension String {
    /// Without the signs at the end.
    fileprivate var trimmingSigns: String { String(reversed().drop(while: \.isSign).reversed()) }
}
