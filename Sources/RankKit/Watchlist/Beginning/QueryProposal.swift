import Foundation

/// A query that somebody may want to begin with, found in the names of an app and of those around it.
package struct QueryProposal: Sendable, Hashable {
    /// In lower case, its words one blank apart.
    package let text: String
    /// How many of the names around the app have all its words.
    package let names: Int
    package let origin: Origin

    package enum Origin: Sendable, Hashable {
        /// The app's own name has these words one behind the other.
        case name
        /// The names around it share them.
        case neighbours
        /// What the app calls itself, which no name around it has.
        case brand
    }

    /// The most that are proposed.
    package static let most = 8

    /// What to search for so that the answer shows the apps around one of this name: the part of the name that says what
    /// the app does, where the name has one.
    package static func searchText(for name: String) -> String? {
        let parts = NameWords.parts(of: name)
        let telling = parts.dropFirst().first { $0.count > 1 } ?? parts.max { $0.count < $1.count }
        return telling.map { $0.prefix(5).joined(separator: " ") }
    }

    /// Queries for an app, those that are most likely worth a search first.
    ///
    /// A phrase is one to three words that stand one behind the other in a name and neither begin nor end with a filler. It
    /// counts as often as other names have all its words; two words say more than one. Of phrases with the same words one
    /// stays, and a word stays beside a longer phrase only if it stands in many names without the rest of it.
    ///
    /// - Parameters:
    ///   - name: the app's.
    ///   - neighbours: the names of the other apps of one answer, best first.
    package static func list(for name: String, among neighbours: [String]) -> [QueryProposal] {
        let names = neighbours.map { QueryWords.Name($0) }
        let parts = NameWords.parts(of: name)
        var found: [Phrase] = []
        var known: Set<Set<String>> = []
        func note(_ words: [String], _ origin: Origin, atLeast fewest: Int) {
            guard known.insert(Set(words)).inserted, let searched = QueryWords(words.joined(separator: " ")) else {
                return
            }
            let count = names.count { searched.areIn($0) }
            if count >= fewest { found.append(Phrase(words: words, names: count, origin: origin)) }
        }
        for part in parts { for words in NameWords.phrases(of: part) { note(words, .name, atLeast: 1) } }
        // A phrase of one stranger is that stranger's name.
        let shared = max(3, neighbours.count / 10)
        var counts: [[String]: Int] = [:]
        for neighbour in neighbours {
            let phrases = NameWords.parts(of: neighbour).flatMap { NameWords.phrases(of: $0) }
            for words in Set(phrases) { counts[words, default: 0] += 1 }
        }
        for (words, count) in counts.sorted(by: {
            ($1.value, $0.key.joined(separator: " ")) < ($0.value, $1.key.joined(separator: " "))
        })
        where count >= shared {
            note(words, .neighbours, atLeast: shared)
        }
        var chosen: [Phrase] = []
        for phrase in found.enumerated().sorted(by: { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) })
            .map(\.element)
        where !chosen.contains(where: { $0.covers(phrase) }) {
            chosen.append(phrase)
        }
        var list = chosen.prefix(most - 1).map {
            QueryProposal(text: $0.words.joined(separator: " "), names: $0.names, origin: $0.origin)
        }
        if let brand = brand(parts, names), !list.contains(where: { $0.text == brand }) {
            list.append(QueryProposal(text: brand, names: 0, origin: .brand))
        }
        return list
    }

    /// The first words of a name, if no other name has them.
    private static func brand(_ parts: [[String]], _ names: [QueryWords.Name]) -> String? {
        guard let first = parts.first, (1...4).contains(first.count) else { return nil }
        let text = first.joined(separator: " ")
        guard let words = QueryWords(text), !names.contains(where: { words.areIn($0) }) else { return nil }
        return text
    }

    private struct Phrase {
        let words: [String]
        let names: Int
        let origin: Origin

        /// People search for two words more than for one; what the app says of itself fits it best.
        var weight: Double {
            let length = words.count == 1 ? 0.5 : words.count == 2 ? 1.5 : 1.2
            return Double(names) * length * (origin == .name ? 2 : 1)
        }

        /// Whether most names that have `other` have it as a part of this, or have this as a part of it.
        func covers(_ other: Phrase) -> Bool {
            let (mine, theirs) = (Set(words), Set(other.words))
            if theirs.isSubset(of: mine) { return Double(names) >= Double(other.names) * 0.6 }
            return mine.isSubset(of: theirs) && words.count > 1 && Double(other.names) >= Double(names) * 0.9
        }
    }
}

/// The words of an app's name, as somebody would type them.
enum NameWords {
    /// The parts of a name, between which stand dashes, colons and the like; each with its words in lower case.
    static func parts(of name: String) -> [[String]] {
        var parts: [[String]] = [[]]
        for token in name.replacing("–", with: " – ").replacing("—", with: " — ").split(whereSeparator: \.isWhitespace)
        {
            let startsPart = token.first.map { openers.contains($0) } ?? false
            if startsPart, parts[parts.count - 1].isEmpty == false { parts.append([]) }
            let endsPart = token.last.map { closers.contains($0) } ?? false
            // “a/b” and “a,b” are two words; “to-do”, “don't” and “c++” are one.
            for piece in token.split(whereSeparator: { "/,|•·:;&()[]{}".contains($0) }) {
                let word = trimmed(piece)
                if !word.isEmpty { parts[parts.count - 1].append(word.lowercased()) }
            }
            if endsPart || token.allSatisfy({ !$0.isLetter && !$0.isNumber }), !parts[parts.count - 1].isEmpty {
                // “&” and “+” stand between words that belong together.
                if token != "&", token != "+" { parts.append([]) }
            }
        }
        return parts.filter { !$0.isEmpty }
    }

    /// One to three words that stand one behind the other.
    static func phrases(of part: [String]) -> [[String]] {
        var phrases: [[String]] = []
        for length in [2, 3, 1] where part.count >= length {
            for start in 0...(part.count - length) {
                let words = Array(part[start..<start + length])
                guard let first = words.first, let last = words.last, !isFiller(first), !isFiller(last),
                    words.contains(where: { $0.count > 2 || !$0.utf8.allSatisfy { $0 < 0x80 } })
                else { continue }
                phrases.append(words)
            }
        }
        return phrases
    }

    private static let openers: Set<Character> = ["(", "[", "|", "•", "·"]
    private static let closers: Set<Character> = [":", ",", ";", ")", "]", "|", "!", "?", "."]

    private static func trimmed(_ word: Substring) -> String {
        func isInk(_ character: Character) -> Bool { character.isLetter || character.isNumber }
        let front = word.drop { !isInk($0) }
        // “c++” and “c#” keep their signs.
        let back = front.reversed().drop { !isInk($0) && $0 != "+" && $0 != "#" }
        return String(back.reversed())
    }

    private static func isFiller(_ word: String) -> Bool { fillers.contains(word) }

    /// Words that nobody begins or ends a search with, in the languages of the largest stores.
    private static let fillers: Set<String> = [
        "a", "an", "and", "the", "of", "for", "to", "in", "on", "at", "by", "with", "from", "your", "you", "my", "our",
        "its", "is", "it", "or", "no", "not", "be", "get", "app", "apps", "free", "pro", "lite", "plus", "hd",
        "premium",
        "official", "new", "best", "all",
        "und", "der", "die", "das", "ein", "eine", "für", "mit", "von", "zu", "im", "dein", "deine", "kostenlos",
        "et", "le", "la", "les", "un", "une", "des", "du", "de", "pour", "avec", "en", "ton", "votre", "gratuit",
        "y", "el", "los", "las", "para", "con", "por", "tu", "su", "gratis",
        "e", "il", "lo", "gli", "i", "di", "da", "per", "o", "os", "as", "do", "dos", "em", "com",
    ]
}
