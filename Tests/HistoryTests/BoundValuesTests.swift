import Foundation
import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

/// Values reach SQLite bound, and never as a part of a statement's text or of an error's.
@Suite struct BoundValuesTests {
    private static let hostile = [
        "'; DROP TABLE query; --", "\" OR 1=1 --", "Robert'); DELETE FROM check_log; --", "100% _ \\ ? ?1 :a @b $c",
        "\u{1B}]0;owned\u{7}\u{1B}[2J", "line\r\nbreak", "\u{202E}gpj.exe", "e\u{301} é 피트니스 👩‍👩‍👧‍👦",
    ]

    @Test(arguments: hostile) func `a hostile text comes back byte for byte`(_ text: String) async throws {
        let folder = try TemporaryFolder()
        let store = try HistoryStore(path: folder.file("history.sqlite"))
        let start = time("2026-11-01T00:00:00Z")
        var plan = watchlist([(query(text), ["com.a"])])
        plan.queries[0].pairs[0].tags = [text]
        plan.apps[0].alias = text
        plan.notes = [Note(on: "2026-11-01", text: text)]
        try await store.adopt(plan, now: start)
        try await store.record(
            Check(query: query(text), at: start, outcome: .answered(list(["com.a"]) { _ in AppDetails(name: text) })))
        try await store.record(
            Check(query: query(text), at: start + 60, outcome: .failed(Failure(.rejected, text))))
        let reader = try HistoryReader(path: store.path)
        let row = try #require(try reader.standings().first)
        let record = try reader.serviceRecord(now: start + 100)
        let note = try await store.read { try String.fetchOne($0, sql: "SELECT text FROM note") }
        let bytes = Array(text.utf8)
        #expect(Array(row.query.text.utf8) == bytes)
        #expect(Array((row.appName ?? "").utf8) == bytes)
        #expect(row.tags.map { Array($0.utf8) } == [bytes])
        #expect(try reader.watchedApps().map { Array(($0.alias ?? "").utf8) } == [bytes])
        #expect(record.failing.map { Array(($0.detail ?? "").utf8) } == [bytes])
        #expect(Array((note ?? "").utf8) == bytes)
        #expect(try reader.plan().queries.map { Array($0.query.text.utf8) } == [bytes])
    }

    @Test(arguments: [
        "INSERT INTO setting (name, nothing) VALUES ('a', ?)",
        "INSERT INTO check_log (query, at, outcome) VALUES (1, ?, 'x')",
        "INSERT INTO position (pair, at, check_id, position, within) VALUES (1, ?, 1, 1, 1)",
        "SELECT name FROM setting WHERE name = ? AND", "SELECT json(?)",
    ]) func `an error does not tell what was bound`(_ sql: String) async throws {
        let folder = try TemporaryFolder()
        let store = try HistoryStore(path: folder.file("history.sqlite"))
        let error = await #expect(throws: HistoryError.self) {
            try await store.write { try $0.execute(sql: sql, arguments: ["CANARY-8c1f"]) }
        }
        #expect(
            error.map { !"\($0)".contains("CANARY") && !$0.description.contains("CANARY") } == true, "\(error as Any)")
    }

    @Test func `a row that cannot be read is told without what is in it`() async throws {
        let folder = try TemporaryFolder()
        let store = try HistoryStore(path: folder.file("history.sqlite"))
        let error = await #expect(throws: HistoryError.self) {
            try await store.read { _ = try Int8.fetchOne($0, sql: "SELECT 300, ?", arguments: ["CANARY-8c1f"]) }
        }
        #expect(error == .corrupt(path: store.path, what: "it has a row that rankd never writes"))
    }

    // MARK: The source

    /// Everything that a statement's text is made of besides literals: names of columns and tables, and numbers that
    /// pragmas do not let bind. All are written in the source.
    private static let permitted: Set<String> = [
        "QueryRow.columns", "CheckRow.columns", "QueryRow.isAsked", "isAsked", "QueryRow.isKey", "isKey", "columns",
        "table",
        "dueByClock", "CountryDayRow.isOfStore", "isOfStore",
        "sql: QueryRow.columns", "sql: QueryRow.isAsked", "SQL(sql: column)", "SQL(sql: table)",
        "sql: String(DatabaseFile.applicationID)",
        "sql: String(step + 1)", "sql: String(pages)", "sql: columns", "AppNames.shown",
        #"AppNames.shown(at: ":moment")"#, "Self.columns", "comparison",
        // Of `TrackedNames`: of `FormerListing`, or a column.
        "sql: name", "sql: isListed", "sql: lastSeen",
        #"sql: isSeen(bundleKey: "tracked.bundle_key", country: "tracked.country")"#,
    ]

    /// Those that are given names of columns and of arguments alone.
    private static let permittedCalls = [
        #"isSeen(bundleKey: ":key"#, "AppNames.ids(", "sql: AppNames.ids(", "AppNames.keys(", "ids(key)", #"ids(":key"#,
        "AppNames.holders(", "sql: AppNames.holders(", "sql: numbers", "sql: isVisible", "sql: mayChange(",
        "isListedSince(", "sql: isListedSince(",
    ]

    private static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources")

    private func files(in folder: URL) throws -> [URL] {
        let all = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        return all.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
    }

    @Test func `no statement's text is put together from values`() throws {
        let files = try files(in: Self.sources.appending(path: "History"))
        #expect(files.count > 10)
        let constants = try Self.constants(in: files)
        var statements = 0
        for file in files {
            let source = try String(contentsOf: file, encoding: .utf8)
                .split(separator: "\n", omittingEmptySubsequences: false)
                .filter { !$0.trimmingPrefix(while: \.isWhitespace).hasPrefix("//") }.joined(separator: "\n")
            for match in source.matches(of: /(sql|literal):\s*("""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*")/) {
                statements += 1
                for piece in Self.interpolations(in: String(match.2))
                where !Self.permitted.contains(piece) && !Self.permittedCalls.contains(where: piece.hasPrefix) {
                    // GRDB binds what is interpolated into a literal, unless it says that it is SQL.
                    let isBound = match.1 == "literal" && !piece.contains("sql:") && !piece.contains("SQL(")
                    #expect(isBound, "\(file.lastPathComponent): \(piece)")
                }
            }
            // It hands on what it is given.
            guard file.lastPathComponent != "Row.swift" else { continue }
            for match in source.matches(of: /sql:\s*([A-Za-z(][^,)\n]*)/) {
                let name = String(match.1)
                let isWritten =
                    [
                        "Self.", "String(", #"isSeen(bundleKey: "tracked."#, "AppNames.ids(", "AppNames.holders(",
                        "isListedSince(", "isVisible", "mayChange(",
                    ].contains {
                        name.hasPrefix($0)
                    }
                    || ["migrations[step]", "column", "columns", "table", "select", "name", "lastSeen"].contains(name)
                    || constants.contains(String(name.split(separator: ".").last ?? ""))
                #expect(isWritten, "\(file.lastPathComponent): sql: \(name)")
            }
        }
        #expect(statements > 40)
    }

    /// The names of texts that are written in the source whole.
    private static func constants(in files: [URL]) throws -> Set<String> {
        var names: Set<String> = []
        for file in files {
            for match in try String(contentsOf: file, encoding: .utf8).matches(of: /static let (\w+) =\s*"/) {
                names.insert(String(match.1))
            }
        }
        return names
    }

    /// What stands in `\( )`, at any depth of brackets.
    private static func interpolations(in literal: String) -> [String] {
        literal.ranges(of: "\\(").map { range in
            var depth = 1
            return String(
                literal[range.upperBound...].prefix { character in
                    if character == "(" { depth += 1 }
                    if character == ")" { depth -= 1 }
                    return depth > 0
                })
        }
    }

    @Test func `only the history knows SQLite, and nothing shows what is bound`() throws {
        for file in try files(in: Self.sources) {
            let source = try String(contentsOf: file, encoding: .utf8)
            #expect(!source.contains("publicStatementArguments"), "\(file.lastPathComponent)")
            guard !file.path.contains("/History/"), !file.path.contains("/rankbench/") else { continue }
            #expect(!source.contains("import GRDB") && !source.contains("import SQLite3"), "\(file.lastPathComponent)")
        }
    }
}
