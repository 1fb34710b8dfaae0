import Foundation
import ProgramStage
import TestSupport
import Testing

@testable import Reports

/// `rankctl mcp` and the protocol's own SDK, about the golden demo.
@Suite struct AgentConversationTests {
    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Tools/mcp_conversation.py").path

    private static let hasSDK: Bool = {
        do { _ = try ShellCommand.output(["python3", "-c", "from mcp import Client; import jsonschema"]) } catch {
            return false
        }
        return true
    }()

    private struct Call: Encodable {
        enum Value: Encodable {
            case flag, text(String), texts([String]), number(Int)

            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                switch self {
                case .flag: try container.encode(true)
                case .text(let text): try container.encode(text)
                case .texts(let texts): try container.encode(texts)
                case .number(let number): try container.encode(number)
                }
            }
        }

        let tool: String
        var arguments: [String: Value] = [:]
    }

    private struct Given: Encodable {
        let calls: [Call]
        let end: String
    }

    /// An example of the documentation, its words as an agent's arguments.
    private static func call<Request: ReportRequest>(_ request: Request.Type, _ words: [String]) throws -> Call {
        var call = Call(tool: request.about.name)
        var places = request.about.arguments[...]
        var words = words[...]
        while let word = words.popFirst() {
            guard word.hasPrefix("--") else {
                let place = places.popFirst()
                call.arguments[try #require(place)] = .text(word)
                continue
            }
            let name = String(word.dropFirst(2))
            let option = try #require(request.options.first { $0.name == name }, "\(name)")
            guard option.kind != .flag else {
                call.arguments[name] = .flag
                continue
            }
            let next = words.popFirst()
            let value = try #require(next)
            if option.isRepeating {
                let before = if case .texts(let texts)? = call.arguments[name] { texts } else { [String]() }
                call.arguments[name] = .texts(before + [value])
            } else {
                call.arguments[name] = option.kind == .wholeNumber ? .number(try #require(Int(value))) : .text(value)
            }
        }
        return call
    }

    @Test(.enabled("python3 has no package mcp of version 2 or later") { hasSDK })
    func `the official SDK finds all as documented, and each of ten questions is answered within two calls`()
        async throws
    {
        let demo = try await GoldenDemo.shared.value
        let names = ExampleNames(
            app: "com.northwind.daylight", queries: ["streaks", "habit tracker", "mood journal"],
            countries: ["us", "de"], version: "2.4")
        let calls = try ReportCatalogue.reports.flatMap { request in
            try request.examples(names).map { try Self.call(request, $0.arguments) }
        }
        let folder = try TemporaryFolder()
        let given = Given(calls: calls, end: GoldenDemo.now)
        let file = try folder.write(String(decoding: try JSONEncoder().encode(given), as: UTF8.self), to: "calls.json")
        let written = URL(fileURLWithPath: demo.database).deletingLastPathComponent().path + "/watchlist.json"
        let program = try Program(
            path: try #require(Recomputation.python),
            arguments: [Self.script, Program.Name.rankctl.path, demo.database, written, file],
            environment: ProcessInfo.processInfo.environment, output: folder.file("output"),
            errors: folder.file("errors"))
        let ending = try await program.ends()
        #expect(ending == .code(0), "\(program.output)\(program.errors)")
    }
}
