import Crypto
import Foundation
import RankKit

/// Who may come in: a password for the owner, and tokens, each with a name, that may be narrowed to tags.
package struct Credentials: Sendable {
    /// A secret, kept as its digest: enough to compare with, and nothing to steal.
    struct Entry: Sendable, Hashable {
        /// The token's name; `owner` for the password.
        var name: String
        var tags: Set<String>?
        /// SHA-256 of the secret.
        var digest: [UInt8]
        /// Whether it is a token, and not the password, which people choose.
        var isToken = true
    }

    private(set) var entries: [Entry]

    /// Why a file of secrets cannot be used.
    package struct Mistake: Error, Sendable, Hashable, CustomStringConvertible {
        package let description: String
        /// Whether it stands in the password's file, and not in the tokens'.
        package var isOfPassword = false
    }

    private static let owner = "owner"
    /// In characters. Whoever may guess ten times a minute needs longer than anybody lives for eight random ones.
    private static let shortestPassword = 8
    private static let shortestToken = 16

    /// - Parameters:
    ///   - password: what the password's file holds: the first line, without the spaces around it.
    ///   - tokens: what the tokens' file holds: a name and a token a line, perhaps with `tags=a,b`; `#` begins a comment.
    /// - Throws: `Mistake`, which names the line.
    package init(password: String?, tokens: String?) throws(Mistake) {
        entries = []
        if let password {
            let line = password.split(separator: "\n", maxSplits: 1).first.map(String.init) ?? ""
            let secret = line.trimmingCharacters(in: .whitespacesAndNewlines)
            guard secret.count >= Self.shortestPassword else {
                throw Mistake(
                    description: "the password has fewer than \(Self.shortestPassword) characters: write a longer one",
                    isOfPassword: true)
            }
            entries.append(Entry(name: Self.owner, tags: nil, digest: Self.digest(of: secret), isToken: false))
        }
        for (index, line) in (tokens ?? "").split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if let entry = try Self.entry(line, number: index + 1) {
                if let other = entries.first(where: { $0.name == entry.name }) {
                    throw Mistake(
                        description: "line \(index + 1): "
                            + (other.isToken
                                ? "there are two tokens called \(entry.name)"
                                : "the name \(entry.name) is that of the password: call the token something else"))
                }
                if let other = entries.first(where: { Self.isEqual($0.digest, entry.digest) }) {
                    throw Mistake(
                        description: "line \(index + 1): "
                            + (other.isToken
                                ? "the tokens \(other.name) and \(entry.name) are the same: give each one of its own"
                                : "the token \(entry.name) is the same as the password: give it one of its own"))
                }
                entries.append(entry)
            }
        }
        guard !entries.isEmpty else {
            throw Mistake(
                description:
                    "the file has no token: write a line with a name, such as phone, and at least 16 random characters")
        }
    }

    private static func entry(_ line: Substring, number: Int) throws(Mistake) -> Entry? {
        let words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace).map(String.init)
        guard let name = words.first else { return nil }
        guard words.count >= 2, words.count <= 3 else {
            throw Mistake(description: "line \(number): write a name, a token, and perhaps tags=…")
        }
        guard name.count <= 64, SafeText.escaped(name) == name else {
            throw Mistake(description: "line \(number): a name has at most 64 visible characters")
        }
        guard words[1].count >= shortestToken else {
            throw Mistake(
                description:
                    "line \(number): the token \(name) has fewer than \(shortestToken) characters: write a longer "
                    + "one, such as that of: openssl rand -hex 20")
        }
        var tags: Set<String>?
        if words.count == 3 {
            guard words[2].hasPrefix("tags=") else {
                throw Mistake(description: "line \(number): only tags=… may follow the token")
            }
            let named = words[2].dropFirst(5).split(separator: ",").map(String.init)
            guard !named.isEmpty else {
                throw Mistake(description: "line \(number): tags= names no tag: name one, or leave it out to show all")
            }
            tags = Set(named)
        }
        return Entry(name: name, tags: tags, digest: digest(of: words[1]))
    }

    /// Whose secret this is; `nil` if it is nobody's. Takes the same time for every secret of the same length.
    func entry(for secret: String) -> Entry? {
        let digest = Self.digest(of: secret)
        var found: Entry?
        for entry in entries where Self.isEqual(entry.digest, digest) { found = entry }
        return found
    }

    func entry(named name: String) -> Entry? { entries.first { $0.name == name } }

    private static func digest(of secret: String) -> [UInt8] { Array(SHA256.hash(data: Data(secret.utf8))) }

    /// Whether two digests are the same, in a time that does not tell where they differ.
    private static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

extension Credentials.Entry {
    var visitor: Visitor { Visitor(name: name, tags: tags) }
}
