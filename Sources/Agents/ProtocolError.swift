/// What a request is refused with instead of a result.
///
/// Source: https://www.jsonrpc.org/specification, section 5.1, and the protocol's own numbers.
struct ProtocolError: Error, Sendable {
    let code: Int
    let message: String
    var data: JSONValue?

    static let parse = ProtocolError(code: -32_700, message: "this is not JSON: write one message a line")
    static let tooLong = ProtocolError.request("the message is longer than \(MessageLines.longest) bytes")

    static func request(_ message: String) -> ProtocolError { ProtocolError(code: -32_600, message: message) }
    static func method(_ name: String) -> ProtocolError {
        ProtocolError(code: -32_601, message: "there is no method \(ForeignText.quoted(name))")
    }
    static func parameters(_ message: String) -> ProtocolError { ProtocolError(code: -32_602, message: message) }
    static func failure(_ message: String) -> ProtocolError { ProtocolError(code: -32_603, message: message) }

    /// A resource that is not there: its number changed with the revision of 2026-07-28.
    static func noResource(_ uri: String, _ words: String, _ era: ProtocolEra) -> ProtocolError {
        ProtocolError(code: era == .stateless ? -32_602 : -32_002, message: words, data: ["uri": .string(uri)])
    }

    /// The answer to a message; `id` is null where the message had none that can be repeated.
    func answer(to id: JSONValue) -> JSONValue {
        let error: JSONValue = ["code": .number(String(code)), "message": .string(message)]
        return ["jsonrpc": "2.0", "id": id, "error": data.map { error.adding(["data": $0]) } ?? error]
    }
}
