internal import Crypto
internal import Foundation
import Outgoing
import RankKit
import Reports

/// The JSON that a webhook and a command are given, of version 1: `docs/json/alert.schema.json`.
///
/// Titles and sentences are for eyes, so what acts instead of showing in them is escaped. Names and queries are as they
/// are.
enum WebhookPayload {
    /// It rises when a reader of the older shape would break.
    static let version = 1

    /// - Parameter sentAt: of this try; everything else is the same on every try.
    static func body(_ message: AlertMessage, sentAt: Timestamp) -> [UInt8] {
        let tree: JSONTree = [
            "version": .number(version), "id": .text(message.id), "sentAt": .text(CivilTime.iso8601(sentAt)),
            "decidedAt": .text(CivilTime.iso8601(message.at)), "severity": .text(message.severity.rawValue),
            "title": .text(CleanText.line(message.title)), "events": .list(message.lines.map(event)),
            "omitted": .number(max(0, message.omitted)),
            "remark": message.remark.map { .text(CleanText.line($0)) } ?? .null, "test": .flag(message.isTest),
        ]
        return tree.bytes
    }

    private static func event(_ line: AlertMessage.Line) -> JSONTree {
        [
            "kind": .text(line.kind.rawValue), "text": .text(CleanText.line(line.text)), "app": text(line.app),
            "bundleId": text(line.bundleID?.text), "query": text(line.query), "country": text(line.country?.code),
            "platform": text(line.platform?.rawValue), "language": text(line.language), "from": number(line.from),
            "to": number(line.to),
            "since": text(line.since), "places": .list(line.places.map { number($0.number) }),
            "mine": .flag(line.isMine),
        ]
    }

    private static func text(_ text: String?) -> JSONTree { text.map { .text($0) } ?? .null }

    private static func number(_ number: Int?) -> JSONTree { number.map { .number($0) } ?? .null }
}

/// The headers of a webhook. Source: the Standard Webhooks specification, “Signature scheme” and “Signature verification”.
struct WebhookSignature {
    private let keys: [SymmetricKey]

    /// In bytes, as the specification has them.
    static let permittedKey = 24...64

    /// - Parameter secrets: `whsec_` and base64; the message is signed with each of them.
    /// - Returns: `nil` if one of them has another form.
    init?(secrets: [Secret]) {
        var keys: [SymmetricKey] = []
        for secret in secrets {
            guard secret.revealed.hasPrefix(Self.prefix),
                let key = Data(base64Encoded: String(secret.revealed.dropFirst(Self.prefix.count))),
                Self.permittedKey.contains(key.count)
            else { return nil }
            keys.append(SymmetricKey(data: key))
        }
        self.keys = keys
    }

    static let prefix = "whsec_"

    /// - Parameter moment: of this try, which a receiver compares with its own clock.
    func headers(id: String, at moment: Timestamp, body: [UInt8]) -> [(name: String, value: Secret)] {
        let stamp = String(moment.secondsSinceEpoch)
        let signed = Array("\(id).\(stamp).".utf8) + body
        let signatures = keys.map {
            "v1," + Data(HMAC<SHA256>.authenticationCode(for: signed, using: $0)).base64EncodedString()
        }
        let headers = [(name: "webhook-id", value: Secret(id)), (name: "webhook-timestamp", value: Secret(stamp))]
        guard !signatures.isEmpty else { return headers }
        return headers + [(name: "webhook-signature", value: Secret(signatures.joined(separator: " ")))]
    }
}
