import Foundation
import JudgingStage
import RankKit
import Testing

@testable import Reports

@Suite struct JSONWriterTests {
    @Test func `objects and arrays nest with their keys in order`() {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("b", 1)
            writer.member("a", "x")
            writer.key("list")
            writer.array([1, 2]) { $0.integer($1) }
            writer.key("none")
            writer.array([Int]()) { $0.integer($1) }
            writer.member("object", Int?.none) { $0.member("n", $1) }
            writer.member("flag", true)
            writer.member("number", 4.5)
            writer.member("infinite", Double.infinity)
        }
        #expect(
            writer.text
                == #"{"b":1,"a":"x","list":[1,2],"none":[],"object":null,"flag":true,"number":4.5,"infinite":null}"#)
    }

    @Test func `hostile text is escaped and read back exactly`() throws {
        let hostile = "\"\\/\u{0}\u{1B}]0;x\u{7}\r\n\t\u{7F}\u{9B}\u{202E}\u{2028}\u{E000}\u{F0000}👩‍👩‍👧‍👦 e\u{301}日本語"
        var writer = JSONWriter()
        writer.array([hostile]) { $0.string($1) }
        #expect(!writer.text.unicodeScalars.contains { SafeText.isUnsafe($0) })
        let back = try JSONDecoder().decode([String].self, from: Data(writer.text.utf8))
        #expect(back[0].unicodeScalars.elementsEqual(hostile.unicodeScalars))
    }

    @Test func `a document carries its version and its moment`() {
        let text = JSONWriter.document(generatedAt: noon) { writer in
            writer.key("rows")
            writer.array([1, 2], linePerElement: true) { $0.integer($1) }
        }
        #expect(text == "{\"version\":1,\"generatedAt\":\"2026-11-20T12:00:00Z\",\"rows\":[\n1,\n2\n]}\n")
    }
}

@Suite struct CSVWriterTests {
    private func record(_ fields: CSVWriter.Field...) -> String {
        var writer = CSVWriter(header: [])
        writer.record(fields)
        return String(writer.text.unicodeScalars.dropFirst(2))
    }

    @Test func `text is quoted where the RFC wants it`() {
        #expect(record(.text("a,b"), .text("say \"x\""), .text("plain")) == "\"a,b\",\"say \"\"x\"\"\",plain\r\n")
        #expect(record(.text("two\r\nlines")) == "\"two\r\nlines\"\r\n")
    }

    @Test func `a quote under a combining mark is doubled all the same`() {
        #expect(record(.text("a\"\u{301},b")).unicodeScalars.elementsEqual("\"a\"\"\u{301},b\"\r\n".unicodeScalars))
    }

    @Test(arguments: ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"])
    func `a spreadsheet cannot run text`(start: String) {
        let cell = record(.text(start + "cmd|' /C calc'!A0"))
        #expect(cell.hasPrefix("'") || cell.unicodeScalars.starts(with: "\"'".unicodeScalars))
    }

    @Test func `a spreadsheet that separates by semicolons or tabs cannot run text either`() {
        #expect(record(.text("x;=cmd|' /C calc'!A0;y")) == "x;'=cmd|' /C calc'!A0;y\r\n")
        #expect(record(.text("x, y;=1")) == "\"x, y;'=1\"\r\n")
        #expect(record(.text("x\t@y\n+1")) == "\"x\t'@y\n'+1\"\r\n")
    }

    @Test func `a formula under a combining mark is a formula all the same`() {
        #expect(record(.text("=\u{301}1")).unicodeScalars.first == "'")
    }

    @Test func `numbers, moments and truths stay what they are`() {
        #expect(
            record(.integer(-3), .number(4.5), .timestamp(noon), .bool(true), .empty)
                == "-3,4.5,2026-11-20T12:00:00Z,true,\r\n")
    }

    @Test func `what acts on a terminal is made visible`() {
        #expect(record(.text("a\u{1B}[2J\u{202E}")) == "a\\u{1B}[2J\\u{202E}\r\n")
    }
}
