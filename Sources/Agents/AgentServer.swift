package import Foundation
import History
package import RankKit
import Reports
import Synchronization

/// Answers an agent's messages by the Model Context Protocol: the reports as tools, apps and queries as resources, and
/// prompts for the questions that people ask. It reads the history and changes nothing.
///
/// Every message is answered by itself: nothing is kept from one to the next, and each report is made of a snapshot of its
/// own.
///
/// Source: https://modelcontextprotocol.io/specification/2025-11-25 and 2026-07-28
package struct AgentServer: Sendable {
    /// Bytes of an answer, its text and its data together.
    package static let defaultLimit = 12_000
    package static let limits = 2_000...10_000_000

    let database: String
    let watchlist: (@Sendable () throws -> Watchlist)?
    let limit: Int
    let zone: TimeZone
    let now: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - database: the history's path; it need not be there yet.
    ///   - watchlist: reads the watchlist as it is written now; its error is told in its own words.
    ///   - limit: in bytes, of an answer's text and data together.
    ///   - zone: the machine's, for a watchlist that names none.
    ///   - now: the wall clock.
    package init(
        database: String, watchlist: (@Sendable () throws -> Watchlist)? = nil, limit: Int = Self.defaultLimit,
        zone: TimeZone, now: @escaping @Sendable () -> Timestamp
    ) {
        self.database = database
        self.watchlist = watchlist
        self.limit = limit
        self.zone = zone
        self.now = now
    }

    /// The answer to a line; `nil` to what wants none.
    package func answer(to line: MessageLines.Line) -> [UInt8]? {
        switch line {
        case .tooLong: ProtocolError.tooLong.answer(to: .null).bytes
        case .whole(let bytes): answer(to: bytes)?.bytes
        }
    }

    private func answer(to bytes: [UInt8]) -> JSONValue? {
        let message: JSONValue
        do { message = try JSONValue(parsing: bytes) } catch { return ProtocolError.parse.answer(to: .null) }
        guard message.isObject else {
            return ProtocolError.request("a message is one object").answer(to: .null)
        }
        let id = message["id"]
        let known = id.flatMap { $0.isRequestID ? $0 : nil }
        if message["method"] == nil, message["result"] != nil || message["error"] != nil {
            // An answer to a request that nobody here makes.
            return nil
        }
        guard message["jsonrpc"] == "2.0", let method = message["method"]?.text else {
            return ProtocolError.request("a request has “jsonrpc”: “2.0” and a method").answer(to: known ?? .null)
        }
        // Those that have been cancelled are answered already, because messages are answered in order.
        guard let id else { return nil }
        guard let known else {
            return ProtocolError.request("the id \(id == .null ? "null" : "of a request") is no text or whole number")
                .answer(to: .null)
        }
        do throws(ProtocolError) {
            let params = message["params"]
            if let params, !params.isObject { throw .parameters("params is not an object") }
            let era = try method == "initialize" ? .handshake : ProtocolEra(of: params, method: method)
            return ["jsonrpc": "2.0", "id": known, "result": try result(of: method, params ?? [:], era)]
        } catch { return error.answer(to: known) }
    }

    private func result(of method: String, _ params: JSONValue, _ era: ProtocolEra) throws(ProtocolError) -> JSONValue {
        switch method {
        case "initialize": return try initialized(params)
        case "ping" where era == .handshake: return [:]
        // What is said goes to stderr, and is little.
        case "logging/setLevel" where era == .handshake: return [:]
        case "server/discover" where era == .stateless:
            return complete(
                [
                    "supportedVersions": .array(ProtocolEra.statelessVersions.map { .string($0) }),
                    "capabilities": Self.capabilities, "instructions": .string(instructions),
                ], era, isConstant: false)
        case "tools/list": return complete(["tools": .array(tools)], era, isConstant: true)
        case "tools/call": return complete(try call(params), era)
        case "resources/list": return complete(try resources(params), era, isConstant: false)
        case "resources/templates/list":
            return complete(["resourceTemplates": AgentResource.templates], era, isConstant: true)
        case "resources/read": return complete(try read(params, era), era, isConstant: false)
        case "prompts/list": return complete(["prompts": AgentPrompt.list], era, isConstant: true)
        case "prompts/get": return complete(try prompt(params), era)
        case "completion/complete": return complete(try completion(params), era)
        default: throw .method(method)
        }
    }

    private func initialized(_ params: JSONValue) throws(ProtocolError) -> JSONValue {
        guard let wanted = params["protocolVersion"]?.text else { throw .parameters("protocolVersion is missing") }
        return [
            "protocolVersion": .string(ProtocolEra.negotiated(wanted)), "capabilities": Self.capabilities,
            "serverInfo": Self.info, "instructions": .string(instructions),
        ]
    }

    /// A result with what its era wants beside it.
    ///
    /// - Parameter isConstant: whether it stays the same while the server runs; `nil` for what is not cached at all.
    private func complete(_ result: JSONValue, _ era: ProtocolEra, isConstant: Bool? = nil) -> JSONValue {
        guard era == .stateless else { return result }
        var result = result.adding(["resultType": "complete"])
        if let isConstant {
            result = result.adding(["ttlMs": isConstant ? 3_600_000 : 0, "cacheScope": "private"])
        }
        let server: JSONValue = .object([JSONValue.Member(key: ProtocolEra.serverKey, value: Self.info)])
        guard case .object(var members) = result, let place = members.firstIndex(where: { $0.key == "_meta" }) else {
            return result.adding(["_meta": server])
        }
        members[place].value = members[place].value.adding(server)
        return .object(members)
    }

    private static let info: JSONValue = [
        "name": "rankd", "title": "rankd: App Store positions", "version": .string(Release.version),
    ]

    private static let capabilities: JSONValue = ["tools": [:], "resources": [:], "prompts": [:], "completions": [:]]

    /// How to read what the reports say.
    static let reading = """
        ● (verdict real) is a confirmed move: it moved and stayed. ~ (drift) moved slowly, in many small steps. \
        ? (unconfirmed) is a likely move that the next checks will confirm or not. No mark (noise) is no more than the \
        usual wobble. not-judged means that there are too few readings, so nothing can be said. Only ● and ~ are moves; do not call \
        anything else a change. A failed, suspect or missing check is not an absence and not a fall: the position is \
        unknown then. “>142” means absent from the 142 results seen. Say so when the record is too thin to tell.
        """
}

extension JSONValue {
    /// Text or a whole number.
    fileprivate var isRequestID: Bool {
        switch self {
        case .string: true
        case .number(let text): text.wholeMatch(of: /-?[0-9]+/) != nil
        default: false
        }
    }
}

extension AgentServer {
    /// Asks one snapshot of the history as it is now.
    ///
    /// - Throws: what `body` throws, and `HistoryError`.
    func withContext<Value>(_ body: (ReportContext, _ remarks: () -> [String]) throws -> Value) throws -> Value {
        let said = Remarks()
        let reader = try HistoryReader(path: database)
        return try ReportAudience.$current.withValue(.tools) {
            let context = try ReportContext(
                reader, now: now(), zone: zone, remark: { said.add($0.namingParameters()) }, watchlist: watchlist)
            return try context.zoned { () throws(any Error) in try body(context) { said.all } }
        }
    }

    /// In characters: a refusal may name a few apps.
    private static let longestRefusal = 2_000

    /// What is told of an error, with arguments by their names; `nil` for one that has no words for people.
    static func words(for error: any Error) -> String? {
        ReportAudience.$current.withValue(.tools) {
            switch error {
            case let refusal as ReportRefusal: ForeignText.bounded(refusal.plain, to: longestRefusal)
            case let failure as HistoryError:
                ForeignText.bounded(failure.description.namingParameters(), to: longestRefusal)
            default: nil
            }
        }
    }
}

private final class Remarks: Sendable {
    private let said = Mutex<[String]>([])

    func add(_ text: String) { said.withLock { $0.append(text) } }
    var all: [String] { said.withLock { $0 } }
}
