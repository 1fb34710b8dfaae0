import Testing

@testable import Agents

/// Messages in, messages out, whatever they are.
@Suite struct ProtocolTests {
    private static let meta =
        #""_meta":{"io.modelcontextprotocol/protocolVersion":"VERSION","io.modelcontextprotocol/clientCapabilities":{}}"#

    private func stateless(_ method: String, version: String = "2026-07-28") -> String {
        #"{"jsonrpc":"2.0","id":1,"method":"METHOD","params":{META}}"#.replacing("METHOD", with: method)
            .replacing("META", with: Self.meta.replacing("VERSION", with: version))
    }

    private func initialize(_ version: String) -> String {
        #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"VERSION","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}"#
            .replacing("VERSION", with: version)
    }

    @Test(arguments: [
        ("2024-11-05", "2024-11-05"), ("2025-03-26", "2025-03-26"), ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"), ("2026-07-28", "2025-11-25"), ("1999-01-01", "2025-11-25"),
    ])
    func `a handshake settles on a version that both know`(_ wanted: String, _ settled: String) async throws {
        let server = try await AgentStage().server()
        let result = try #require(try server.answer(initialize(wanted))?["result"])
        #expect(result["protocolVersion"]?.text == settled)
        #expect(result["serverInfo"]?["name"] == "rankd" && result["capabilities"]?["tools"] == [:])
        #expect(try #require(result["instructions"]?.text).contains("written by strangers"))
    }

    @Test func `a client without a handshake says its version with each request`() async throws {
        let server = try await AgentStage().server()
        let found = try #require(try server.answer(stateless("server/discover"))?["result"])
        #expect(found["supportedVersions"] == ["2026-07-28"] && found["resultType"] == "complete")
        #expect(found["_meta"]?["io.modelcontextprotocol/serverInfo"]?["name"] == "rankd")
        let listed = try #require(try server.answer(stateless("tools/list"))?["result"])
        #expect(listed["ttlMs"] != nil && listed["cacheScope"] == "private")
        let error = try #require(try server.answer(stateless("tools/list", version: "2030-01-01"))?["error"])
        #expect(error["code"] == -32022 && error["data"]?["supported"] == ["2026-07-28"])
        #expect(error["data"]?["requested"] == "2030-01-01")
        // Gone from that revision.
        #expect(try server.code(stateless("ping")) == "-32601")
        let half =
            #"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#
        #expect(try server.code(half) == "-32602")
        #expect(try server.code(#"{"jsonrpc":"2.0","id":1,"method":"server/discover"}"#) == "-32602")
    }

    @Test func `a handshake's results have nothing that its revisions do not know`() async throws {
        let result = try await AgentStage().server().result("tools/list")
        #expect(result["resultType"] == nil && result["ttlMs"] == nil && result["_meta"] == nil)
    }

    @Test(arguments: [
        ("", "-32700"), ("{", "-32700"), ("nonsense", "-32700"), ("\u{0}", "-32700"), ("{'a':1}", "-32700"),
        (#"{"id":01}"#, "-32700"), ("[]", "-32600"), ("7", "-32600"), ("null", "-32600"), ("{}", "-32600"),
        (#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, "-32600"), (#"{"id":1,"method":"ping"}"#, "-32600"),
        (#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, "-32600"), (#"{"jsonrpc":"2.0","id":1}"#, "-32600"),
        (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, "-32600"),
        (#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, "-32600"),
        (#"{"jsonrpc":"2.0","id":1,"method":7}"#, "-32600"),
        (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#, "-32602"),
        (#"{"jsonrpc":"2.0","id":1,"method":"no/such"}"#, "-32601"),
        (#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#, "-32602"),
        (#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#, "-32602"),
        (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nothing"}}"#, "-32602"),
        (#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///etc/passwd"}}"#, "-32002"),
        (#"{"jsonrpc":"2.0","id":1,"method":"resources/list","params":{"cursor":"99999"}}"#, "-32602"),
        (#"{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"where-do-i-stand"}}"#, "-32602"),
        (#"{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{}}"#, "-32602"),
    ])
    func `what is wrong is refused by its number, and the next is answered`(_ line: String, _ code: String) async throws
    {
        let server = try await AgentStage().server()
        #expect(try server.code(line) == code)
        #expect(try server.result("ping") == [:])
    }

    @Test func `nesting without end is refused`() async throws {
        let server = try await AgentStage().server()
        #expect(try server.code(String(repeating: "[", count: 100_000)) == "-32700")
        #expect(server.answer(to: .whole([0xFF, 0xFE])) != nil)
    }

    @Test(arguments: [
        #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"late"}}"#,
        #"{"jsonrpc":"2.0","method":"notifications/nobody-knows"}"#, #"{"jsonrpc":"2.0","id":3,"result":{}}"#,
        #"{"jsonrpc":"2.0","id":3,"error":{"code":1,"message":"no"}}"#,
    ])
    func `what wants no answer gets none`(_ line: String) async throws {
        #expect(try await AgentStage().server().answer(line) == nil)
    }

    @Test(arguments: ["1", "-7", "9007199254740993", #""a \"b\"""#, #""""#])
    func `an id comes back as it was`(_ id: String) async throws {
        let line = #"{"jsonrpc":"2.0","id":ID,"method":"ping"}"#.replacing("ID", with: id)
        let answer = try await AgentStage().server().answer(to: .whole(Array(line.utf8)))
        #expect(String(decoding: try #require(answer), as: UTF8.self).contains("\"id\":\(id),"))
    }

    @Test func `lines are cut where they end, and one without an end is dropped`() {
        var lines = MessageLines(longest: 5)
        #expect(lines.lines(in: Array("ab".utf8)) == [])
        #expect(
            lines.lines(in: Array("c\r\n\n \nde\nf".utf8)) == [.whole(Array("abc\r".utf8)), .whole(Array("de".utf8))])
        #expect(lines.lines(in: Array("ghij".utf8)) == [] && lines.lines(in: Array("kl".utf8)) == [])
        #expect(lines.lines(in: Array("mnopqrstu\nv\n".utf8)) == [.tooLong, .whole(Array("v".utf8))])
        #expect(lines.lines(in: Array("12345\n123456\n".utf8)) == [.whole(Array("12345".utf8)), .tooLong])
    }

    @Test func `a line that is too long is refused`() async throws {
        let answer = try await AgentStage().server().answer(to: .tooLong)
        #expect(String(decoding: try #require(answer), as: UTF8.self).contains("-32600"))
    }
}
