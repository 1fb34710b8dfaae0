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
    /// Who gave it away, and the mark of the secret that let them in: the link ends with it. `nil` from a site that lets
    /// everybody in.
    var maker: String?
    var mark: String?

    private static let purpose = "link"
    /// In days: whoever needs it for longer needs a token.
    static let longest: Int64 = 90

    /// - Parameter maker: who gives it away; `nil` where the site lets everybody in.
    init(
        report: String, parameters: [RequestParameter], maker: Credentials.Entry?, until: Timestamp, key: SecretKey
    ) {
        self.report = report
        self.parameters = parameters.map { [$0.name, $0.value] }
        tags = maker?.tags?.sorted()
        self.until = until.secondsSinceEpoch
        self.maker = maker?.name
        mark = maker.map(key.mark)
    }

    /// The path that leads to it.
    ///
    /// - Throws: what the encoder throws; nothing a link could cause.
    func path(_ key: SecretKey) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return "/shared/" + key.signed(String(decoding: try encoder.encode(self), as: UTF8.self), for: Self.purpose)
    }

    /// - Parameter credentials: who may come in; `nil` where the site lets everybody in.
    /// - Throws: `Refusal` for a link that is none of this site's, or that is over: its time is up, or whoever made it may
    ///   not come in any more, or sees something else now.
    init(signed text: String, key: SecretKey, among credentials: Credentials?, now: Timestamp) throws(Refusal) {
        guard let payload = key.payload(of: text, for: Self.purpose) else { throw Self.unknown }
        do { self = try JSONDecoder().decode(SharedLink.self, from: Data(payload.utf8)) } catch { throw Self.unknown }
        guard now.secondsSinceEpoch < until else {
            throw Refusal(.gone, "The link has expired", "Ask the person who sent it for a new one.")
        }
        guard let credentials else { return }
        guard let entry = maker.flatMap(credentials.entry(named:)), key.mark(of: entry) == mark,
            entry.tags?.sorted() == tags
        else {
            throw Refusal(
                .gone, "The link has expired",
                "The password or token of the person who made it has changed. Ask them for a new link.")
        }
    }

    private static let unknown = Refusal(
        .notFound, "No such link", "This site did not make this link, or it was not copied completely.",
        logged: "a link that is none")
}

extension SharedLink {
    var visitor: Visitor { Visitor(name: "link", tags: tags.map(Set.init)) }

    var requestParameters: [RequestParameter] {
        parameters.compactMap { $0.count == 2 ? RequestParameter($0[0], $0[1]) : nil }
    }
}
