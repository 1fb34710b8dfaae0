import Foundation
import RankKit
import TestSupport
import Testing

@testable import History

@Suite struct TableRecordsTests {
    private func records(_ text: String, _ separator: Character = ",") -> [[String]] {
        TableRecords(Array(text.utf8), separator: separator.asciiValue ?? 0).map(\.fields)
    }

    @Test(arguments: [
        "a,b\n1,2\n3,4\n", "a,b\r\n1,2\r\n3,4\r\n", "a,b\r1,2\r3,4", "a,b\n1,2\r3,4\r\n", "sep=,\na,b\n\n1,2\n,\n3,4",
    ])
    func `a line ends in LF, CRLF, CR, or now in this and now in that`(text: String) {
        #expect(records(text) == [["a", "b"], ["1", "2"], ["3", "4"]])
    }

    @Test func `each record knows its line, whatever its quotes hold`() {
        let text = "a,b\r\"one\rtwo\",2\r\n\r\n\"x\r\ny\",4\n5,6\n"
        let read = Array(TableRecords(Array(text.utf8), separator: UInt8(ascii: ",")))
        #expect(read.map(\.line) == [1, 2, 5, 7])
        #expect(read.map(\.isAfterGap) == [false, false, true, false])
        #expect(read[2].fields[0] == "x\r\ny")
    }

    @Test(arguments: [
        ("1, q&a \"best\", x", ["1", " q&a \"best\"", " x"]), ("\"best\" app,3", ["\"best\" app", "3"]),
        ("\"say \"\"x\"\", then\",3", ["say \"x\", then", "3"]), ("a, \"b, c\" ,d", ["a", "b, c", "d"]),
        ("'=SUM(A1),'n sync,x;'=1", ["=SUM(A1)", "'n sync", "x;=1"]), ("a, \"b,3", ["a", " \"b", "3"]),
    ]) func `quotes that nobody doubled are part of the text, and guards are taken off`(line: String, fields: [String])
    {
        #expect(records(line) == [fields])
    }

    @Test func `a quote that is not closed is told with its line`() {
        var reading = TableRecords(Array("a,b\n1,2\n\"x,3\n4,5\n".utf8), separator: UInt8(ascii: ","))
        while reading.next() != nil {}
        #expect(reading.failure?.line == 3)
    }
}

@Suite struct TableFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func read(_ bytes: [UInt8]) throws -> String {
        let path = folder.file("table.csv")
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return String(decoding: try TableFile(path).bytes, as: UTF8.self)
    }

    @Test(arguments: [String.Encoding.utf8, .utf16LittleEndian, .utf16BigEndian], [true, false])
    func `Unicode is read with a mark and without`(encoding: String.Encoding, hasMark: Bool) throws {
        let text = "keyword,rank\nMüller,5\n"
        let data = try #require(((hasMark ? "\u{FEFF}" : "") + text).data(using: encoding))
        #expect(try read(Array(data)) == text)
    }

    private struct NoTable: Sendable {
        let bytes: [UInt8]
        let words: String

        init(_ start: String, _ rest: [UInt8] = [], _ words: String) {
            bytes = Array(start.utf8) + rest
            self.words = words
        }
    }

    private static let noTables: [NoTable] = [
        NoTable("keyword,rank\nx,1\nM", [0xFC, 0x6C, 0x0A], "line 3: the text is not UTF-8; it may be Latin-1"),
        NoTable("[{\"keyword\": \"a\"}]", [], "is JSON, not a table"), NoTable("{\n}", [], "is JSON, not a table"),
        NoTable("PK\u{3}\u{4}xl/", [], "is a workbook (xlsx, ods or numbers)"),
        NoTable("", [0x1F, 0x8B, 8, 0], "gunzip"),
        NoTable("{\"type\":\"header\",\"format\":\"rankd-history\"}", [], "is an export of rankctl"),
        NoTable("<!DOCTYPE html>", [], "is a page of HTML"), NoTable("a,b\n1,", [0, 0x0A], "line 2: a zero byte"),
        NoTable("", [0xFF, 0xFE, 0x61], "is UTF-16 that was cut off"),
    ]

    @Test(arguments: noTables)
    private func `what is no table is said to be what it is`(file: NoTable) throws {
        let (bytes, words) = (file.bytes, file.words)
        do {
            _ = try read(bytes)
            Issue.record("read")
        } catch let refusal as ImportRefusal { #expect("\(refusal)".contains(words), "\(refusal)") }
    }
}

@Suite struct TableDatesTests {
    private func moments(_ texts: [String], zone: String = "UTC") throws -> [String] {
        var dates = TableDates(zone: try #require(TimeZone(identifier: zone)))
        for (index, text) in texts.enumerated() { dates.note(text, line: index + 2) }
        return texts.map { text in
            do throws(TableDates.Problem) { return "\(try dates.moment(text, line: 9).at)" } catch { return "\(error)" }
        }
    }

    @Test(arguments: [
        ("2026-05-05 19:54:09 +0100", "2026-05-05T18:54:09Z"), ("2026-07-20T04:00:00.123Z", "2026-07-20T04:00:00Z"),
        (
            "Fri Nov 20 2026 09:00:00 GMT+0200 (Eastern European Standard Time)", "2026-11-20T07:00:00Z"
        ),
        ("2026-11-20 10:00 (UTC-8)", "2026-11-20T18:00:00Z"), ("2026-11-20 10:00 (GMT+9)", "2026-11-20T01:00:00Z"),
        ("2026-11-20 10:00 (UTC)", "2026-11-20T10:00:00Z"), ("2026-11-20 (Fri)", "2026-11-20T00:00:00Z"),
        ("2026-11-20 10:00 UTC+1", "2026-11-20T09:00:00Z"), ("2026-11-20 10:00 (PST)", "unreadable"),
        ("2026-11-20 (UTC)", "unreadable"), ("2026-11-20 10:00 (Pacific Time)", "unreadable"),
        ("Fri, 20 Nov 2026 09:00:00 GMT", "2026-11-20T09:00:00Z"), ("Nov 20, 2026", "2026-11-20T00:00:00Z"),
        ("20-Nov-2026 3:04 PM", "2026-11-20T15:04:00Z"), ("2026/11/20", "2026-11-20T00:00:00Z"),
        ("1763629200", "2025-11-20T09:00:00Z"), ("1763629200123", "2025-11-20T09:00:00Z"),
        ("05/05/2026", "2026-05-05T00:00:00Z"), ("25.11.2026 08:30", "2026-11-25T08:30:00Z"),
        ("2026-02-30", "unreadable"), ("25.11.26", "unreadable"), ("2026-11-20 25:00", "unreadable"),
        ("Pomelo 20 2026", "unreadable"), ("2026-11-20 08:30 +2", "unreadable"), ("", "unreadable"),
    ]) func `a date is read as tools write it`(text: String, moment: String) throws {
        #expect(try moments([text]) == [moment])
    }

    @Test func `the whole column decides what is the day and what the month`() throws {
        #expect(try moments(["01.02.2026", "25.11.2026"]) == ["2026-02-01T00:00:00Z", "2026-11-25T00:00:00Z"])
        #expect(try moments(["01/02/2026", "11/25/2026"]) == ["2026-01-02T00:00:00Z", "2026-11-25T00:00:00Z"])
        #expect(try moments(["01/02/2026", "02/03/2026"]) == ["unclear", "unclear"])
        #expect(try moments(["25/11/2026", "11/25/2026"]).allSatisfy { $0.hasPrefix("contradicting") })
    }

    @Test(arguments: [
        ("America/Santiago", "2026-09-06", "2026-09-06T04:00:00Z"),
        ("Africa/Cairo", "2026-04-24", "2026-04-23T22:00:00Z"),
    ])
    func `a day that begins at one o'clock is a day`(zone: String, day: String, moment: String) throws {
        #expect(try moments([day, day + " 00:30"], zone: zone).first == moment)
        #expect(try moments([day + " 00:30"], zone: zone).first?.hasPrefix("2026") == true)
    }
}

@Suite struct TableNumbersTests {
    private func values(_ texts: String...) -> [String] {
        var numbers = TableNumbers()
        for (index, text) in texts.enumerated() { numbers.note(text, line: index + 2) }
        return texts.map { text in
            do throws(TableNumbers.Problem) { return "\(try numbers.value(text))" } catch { return "\(error)" }
        }
    }

    @Test func `a point or a comma means what all of the column says`() {
        #expect(values("5.0", "#12", "46") == ["5.0", "12.0", "46.0"])
        #expect(values("1.234", "2.500.000") == ["1234.0", "2500000.0"])
        #expect(values("1,234", "5.5") == ["1234.0", "5.5"])
        #expect(values("1.234,5", "7.000") == ["1234.5", "7000.0"])
        #expect(values("7.5", "12.345") == ["7.5", "12.345"])
        #expect(values("0.123", "1.234") == ["0.123", "1.234"])
        #expect(values("12", "1.234") == ["12.0", "unclear"])
        #expect(values("46,5", "1,200") == ["46.5", "unclear"])
        #expect(values("1.234.567", "5.5") == ["unclear", "unclear"])
        #expect(
            values("1 234", "12 %", "x", "1..2", "") == ["1234.0", "12.0", "unreadable", "unreadable", "unreadable"])
    }

    @Test(arguments: [
        ("12", "at(12)"), ("5.0", "at(5)"), ("#7", "at(7)"), (">100", "absent(of: Optional(100))"),
        ("100+", "absent(of: Optional(100))"), ("-", "absent(of: nil)"), ("—", "absent(of: nil)"),
        ("Unranked", "absent(of: nil)"), ("0", "absent(of: nil)"), ("?", "unknown"),
    ]) func `a place is read as tools write it, and so is none`(text: String, place: String) throws {
        var places = TablePlaces(absent: [], isWide: false)
        places.note(text, line: 2)
        #expect("\(try places.place(text))" == place)
    }

    @Test(arguments: ["N/A", "#N/A", "NaN", "null", "nil", "None", "na"])
    func `a word for a missing value is the absence where other cells are empty`(word: String) throws {
        for texts in [["5", word, ""], ["", word, "5"]] {
            var places = TablePlaces(absent: [], isWide: false)
            for (index, text) in texts.enumerated() { places.note(text, line: index + 2) }
            #expect(try places.place(word) == .absent(of: nil) && places.place("") == .unknown)
            #expect(places.isGuess(word) && !places.isGuess(""))
            places.note("-", line: 9)
            #expect(try places.place(word) == .unknown && places.place("") == .unknown)
        }
        #expect(TableBlank.isBlank(word))
    }

    @Test(arguments: ["200", "200.0", "#200", "200.00"])
    func `a mark that is a number is one however it is written`(text: String) throws {
        for mark in ["200", "200.0", "#200"] {
            #expect(try TablePlaces(absent: [mark], isWide: false).place(text) == .absent(of: nil), "\(mark)")
        }
        var places = TablePlaces(absent: [], isWide: false)
        places.note(text, line: 2)
        places.note("5.0", line: 3)
        #expect(try places.place(text) == .at(200))
        #expect(try TablePlaces(absent: [], isWide: false).place("0.0") == .absent(of: nil))
    }

    @Test(arguments: [">0", "0+", "> 0"]) func `nobody is absent from nothing`(text: String) throws {
        var places = TablePlaces(absent: [], isWide: false)
        places.note(text, line: 2)
        #expect(try places.place(text) == .unknown && places.depths.isEmpty)
    }

    @Test func `an empty place is an absence unless others say that they are one`() throws {
        var places = TablePlaces(absent: [], isWide: false)
        places.note("5", line: 2)
        #expect(try places.place("") == .absent(of: nil) && places.place("N/A") == .absent(of: nil))
        places.note(">100", line: 3)
        #expect(try places.place("") == .unknown && places.place("N/A") == .unknown)
        #expect(try TablePlaces(absent: [], isWide: true).place("") == .unknown)
        #expect(try TablePlaces(absent: ["999"], isWide: false).place("") == .unknown)
        #expect(try TablePlaces(absent: ["999", ""], isWide: false).place("") == .absent(of: nil))
    }
}
