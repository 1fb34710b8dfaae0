/// How a client speaks. Each message says so itself, so the server remembers nothing of the ones before.
///
/// Source: https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle and
/// https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning
enum ProtocolEra: Sendable {
    /// `initialize` comes first and settles the version.
    case handshake
    /// Each request carries its version.
    case stateless

    /// The newest first.
    static let handshakeVersions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
    static let statelessVersions = ["2026-07-28"]

    static let versionKey = "io.modelcontextprotocol/protocolVersion"
    static let capabilitiesKey = "io.modelcontextprotocol/clientCapabilities"
    static let serverKey = "io.modelcontextprotocol/serverInfo"

    /// What the version of an `initialize` is answered with: the same if it is known, else the newest.
    static func negotiated(_ wanted: String) -> String {
        handshakeVersions.contains(wanted) ? wanted : handshakeVersions[0]
    }

    /// The era of a request.
    ///
    /// - Throws: `ProtocolError` for a version that is not known, and for what a version that is known would have beside
    ///   it.
    init(of params: JSONValue?, method: String) throws(ProtocolError) {
        let meta = params?["_meta"]
        guard let version = meta?[Self.versionKey] else {
            if method == "server/discover" {
                throw .parameters("_meta needs \(Self.versionKey) and \(Self.capabilitiesKey)")
            }
            self = .handshake
            return
        }
        guard let wanted = version.text else { throw .parameters("\(Self.versionKey) is not text") }
        guard meta?[Self.capabilitiesKey]?.isObject == true else {
            throw .parameters("_meta needs \(Self.capabilitiesKey) as well: an object")
        }
        guard Self.statelessVersions.contains(wanted) else {
            throw ProtocolError(
                code: -32_022, message: "Unsupported protocol version",
                data: [
                    "supported": .array(Self.statelessVersions.map { .string($0) }), "requested": .string(wanted),
                ])
        }
        self = .stateless
    }
}
