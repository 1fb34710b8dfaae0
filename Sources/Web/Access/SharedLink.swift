import Foundation
import HTTPTypes
import RankKit
import Reports

/// A report that somebody without a password may read for a while: which, with what, what of the history, and until when.
struct SharedLink: Sendable, Hashable, Codable {
    /// The report's name in the catalogue.
    var report: String
    /// Names and values, one after the other.
    var parameters: [[String]]
    /// The narrowing of whoever gave it away.
    var tags: [String]?
    /// UTC seconds since 1970.
    var until: Int64

    private static let purpose = "link"
    /// In days: whoever needs it for longer needs a token.
    static let longest: Int64 = 90

    init(report: String, parameters: [RequestParameter], tags: Set<String>?, until: Timestamp) {
        self.report = report
        self.parameters = parameters.map { [$0.name, $0.value] }
        self.tags = tags?.sorted()
        self.until = until.secondsSinceEpoch
    }

    /// The path that leads to it.
    ///
    /// - Throws: what the encoder throws; nothing a link could cause.
    func path(_ key: SecretKey) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return "/shared/" + key.signed(String(decoding: try encoder.encode(self), as: UTF8.self), for: Self.purpose)
    }

    /// - Throws: `Refusal` for a link that is none of this site's, or that is over.
    init(signed text: String, key: SecretKey, now: Timestamp) throws(Refusal) {
        guard let payload = key.payload(of: text, for: Self.purpose) else { throw Self.unknown }
        do { self = try JSONDecoder().decode(SharedLink.self, from: Data(payload.utf8)) } catch { throw Self.unknown }
        guard now.secondsSinceEpoch < until else {
            throw Refusal(.gone, "The link is over", "Its time is up. Ask whoever sent it for a new one.")
        }
    }

    private static let unknown = Refusal(
        .notFound, "No such link", "This link was not made by this site, or not all of it was copied.",
        logged: "a link that is none")
}

extension SharedLink {
    var visitor: Visitor { Visitor(name: "link", tags: tags.map(Set.init)) }

    var requestParameters: [RequestParameter] {
        parameters.compactMap { $0.count == 2 ? RequestParameter($0[0], $0[1]) : nil }
    }
}
