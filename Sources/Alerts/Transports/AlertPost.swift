package import Outgoing

/// One HTTP POST of JSON, as a way out makes it.
package struct AlertPost: Sendable {
    /// Where the answer says when to try again, besides `Retry-After`.
    package enum Answer: Sendable {
        case plain
        /// `{"retry_after": 1.5}`, in seconds. Source: Discord's documentation, “Rate Limits”.
        case discord
        /// `{"parameters": {"retry_after": 5}}`. Source: Telegram's Bot API, “ResponseParameters”.
        case telegram
    }

    /// It may hold a secret in its path.
    package var address: OutgoingAddress
    /// Besides those that every request has.
    package var headers: [(name: String, value: Secret)]
    package var body: [UInt8]
    package var answer: Answer

    package init(
        _ address: OutgoingAddress, headers: [(name: String, value: Secret)] = [], body: [UInt8],
        answer: Answer = .plain
    ) {
        self.address = address
        self.headers = headers
        self.body = body
        self.answer = answer
    }
}

extension AlertPost: CustomStringConvertible, CustomReflectable {
    /// Without the path.
    package var description: String { "POST to \(address.host)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
