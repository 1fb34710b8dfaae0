import RankKit

/// The browsers that have logged in. What a browser keeps is signed, so that nothing need be remembered here but who has
/// logged out.
final class Sessions: Sendable {
    private let key: SecretKey
    private let ended: EndedSessions

    /// In seconds: whoever looks every day types the password once a month.
    static let length: Int64 = 30 * Timestamp.secondsPerDay
    private static let purpose = "session"

    init(key: SecretKey, ended: EndedSessions = EndedSessions()) {
        self.key = key
        self.ended = ended
    }

    /// What a browser keeps, for `length` seconds from `now`.
    ///
    /// It holds a mark of the secret: a password that has been changed ends the sessions of the old one.
    func begin(_ entry: Credentials.Entry, at now: Timestamp) -> String {
        let number = (0..<4).map { _ in String(UInt32.random(in: .min ... .max), radix: 36) }.joined()
        let until = now.secondsSinceEpoch + Self.length
        return key.signed("\(until) \(number) \(key.mark(of: entry)) \(entry.name)", for: Self.purpose)
    }

    /// Whose session `text` is; `nil` if it is none, or one that is over.
    func entry(of text: String, among credentials: Credentials, at now: Timestamp) -> Credentials.Entry? {
        opened(text, among: credentials, at: now)?.entry
    }

    /// The same, with the session's number.
    func opened(
        _ text: String, among credentials: Credentials, at now: Timestamp
    ) -> (entry: Credentials.Entry, number: String)? {
        guard let session = Session(key.payload(of: text, for: Self.purpose)), now < session.until,
            !ended.contains(session), let entry = credentials.entry(named: session.name),
            key.mark(of: entry) == session.mark
        else { return nil }
        return (entry, session.number)
    }

    /// Ends the session, wherever the text of it may still be kept.
    func end(_ text: String, at now: Timestamp) {
        guard let session = Session(key.payload(of: text, for: Self.purpose)) else { return }
        ended.add(session, at: now)
    }
}

/// What a browser keeps, read.
struct Session: Sendable {
    var until: Timestamp
    var number: String
    /// Of the secret that it was begun with.
    var mark: String
    /// Of whoever logged in.
    var name: String

    fileprivate init?(_ payload: String?) {
        let parts = (payload ?? "").split(separator: " ", maxSplits: 3)
        guard parts.count == 4, let until = Int64(parts[0]) else { return nil }
        self.until = Timestamp(secondsSinceEpoch: until)
        (number, mark, name) = (String(parts[1]), String(parts[2]), String(parts[3]))
    }
}
