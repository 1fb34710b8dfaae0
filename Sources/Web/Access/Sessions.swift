import Foundation
import RankKit
import Synchronization

/// The browsers that have logged in. What a browser keeps is signed, so that nothing need be remembered here but who has
/// logged out.
final class Sessions: Sendable {
    private let key: SecretKey
    /// When sessions end that have been logged out, by their number; nobody asks about them after that.
    private let ended = Mutex<[String: Timestamp]>([:])

    /// In seconds: whoever looks every day types the password once a month.
    static let length: Int64 = 30 * Timestamp.secondsPerDay
    private static let purpose = "session"
    private static let mostEnded = 10_000

    init(key: SecretKey) { self.key = key }

    /// What a browser keeps, for `length` seconds from `now`.
    ///
    /// It holds a part of the secret's digest: a password that has been changed ends the sessions of the old one.
    func begin(_ entry: Credentials.Entry, at now: Timestamp) -> String {
        let number = (0..<4).map { _ in String(UInt32.random(in: .min ... .max), radix: 36) }.joined()
        let until = now.secondsSinceEpoch + Self.length
        return key.signed("\(until) \(number) \(Self.mark(entry)) \(entry.name)", for: Self.purpose)
    }

    /// Whose session `text` is; `nil` if it is none, or one that is over.
    func entry(of text: String, among credentials: Credentials, at now: Timestamp) -> Credentials.Entry? {
        guard let session = Session(key.payload(of: text, for: Self.purpose)), now < session.until,
            ended.withLock({ $0[session.number] == nil }), let entry = credentials.entry(named: session.name),
            Self.mark(entry) == session.mark
        else { return nil }
        return entry
    }

    /// Ends the session, wherever the text of it may still be kept.
    func end(_ text: String, at now: Timestamp) {
        guard let session = Session(key.payload(of: text, for: Self.purpose)) else { return }
        ended.withLock { ended in
            ended = ended.filter { $0.value > now }
            if ended.count < Self.mostEnded { ended[session.number] = session.until }
        }
    }

    private static func mark(_ entry: Credentials.Entry) -> String {
        entry.digest.prefix(6).map { String($0, radix: 16) }.joined(separator: "-")
    }

    private struct Session {
        var until: Timestamp
        var number: String
        var mark: String
        var name: String

        init?(_ payload: String?) {
            let parts = (payload ?? "").split(separator: " ", maxSplits: 3)
            guard parts.count == 4, let until = Int64(parts[0]) else { return nil }
            self.until = Timestamp(secondsSinceEpoch: until)
            (number, mark, name) = (String(parts[1]), String(parts[2]), String(parts[3]))
        }
    }
}
