import Foundation
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

@Suite struct CivilTimeTests {
    @Test func `the calendar agrees with Foundation's, day by day and at the ends`() {
        for day in stride(from: Int64(-135_140), through: 2_932_896, by: 997) {
            let moment = Timestamp.startOfDay(day) + (day & 0xFFFF)
            #expect(CivilTime.iso8601(moment) == moment.description)
        }
        for day in Int64(10_950)...11_700 {
            #expect(CivilTime.date(.startOfDay(day)) == String(Timestamp.startOfDay(day).description.prefix(10)))
        }
        for text in ["1600-01-01T00:00:00Z", "2000-02-29T23:59:59Z", "2100-03-01T00:00:00Z", "9999-12-31T23:59:59Z"] {
            #expect(Timestamp(iso8601: text).map(CivilTime.iso8601) == text)
        }
    }

    @Test func `a moment beyond four digits of years is still written`() {
        #expect(CivilTime.iso8601(Timestamp(secondsSinceEpoch: 400_000_000_000)).hasSuffix("Z"))
    }
}
