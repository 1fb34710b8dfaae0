import JSON5
import Testing

@Suite struct JSON5ParserTests {
    private func parse(_ text: String) throws -> JSON5Node { try JSON5Parser.parse(Array(text.utf8)) }

    private func failure(_ text: String) -> JSON5Error? {
        do {
            _ = try JSON5Parser.parse(Array(text.utf8))
            return nil
        } catch { return error }
    }

    private func number(_ text: String) throws -> Double? {
        guard case .number(let number) = try parse(text).value else { return nil }
        return number
    }

    private func string(_ text: String) throws -> String? {
        guard case .string(let string) = try parse(text).value else { return nil }
        return string
    }

    @Test(arguments: [
        ("0", 0.0), ("15", 15), ("-3", -3), ("+3", 3), (".5", 0.5), ("5.", 5), ("-.25", -0.25), ("1e3", 1000),
        ("1.e1", 10), ("2.5E-1", 0.25), ("0x1F", 31), ("-0Xff", -255), ("Infinity", .infinity),
        ("-Infinity", -.infinity), ("+Infinity", .infinity), ("0.0", 0), ("0e5", 0),
    ])
    func `every form of a number is read`(text: String, value: Double) throws {
        #expect(try number(text) == value)
    }

    @Test func `NaN is read as not a number`() throws {
        #expect(try number("NaN")?.isNaN == true)
        #expect(try number("-NaN")?.isNaN == true)
    }

    @Test(arguments: ["01", "00", "1a", "0x", "0xG", ".", "+", "-", "1e", "1e+", "--1", "1.2.3", "-a", "0b1", "+true"])
    func `what only looks like a number is refused`(text: String) {
        #expect(failure(text) != nil)
    }

    @Test(arguments: [
        (#""a""#, "a"), (#"'a "b"'"#, "a \"b\""), (#""\b\f\n\r\t\v\0""#, "\u{8}\u{C}\n\r\t\u{B}\0"),
        (#""\x41\u00e9\u20AC""#, "Aé€"), (#""\ud83d\ude00""#, "😀"), (#""\a\'\"\\\/""#, "a'\"\\/"),
        ("\"a\\\nb\"", "ab"), ("\"a\\\r\nb\"", "ab"), ("\"a\\\u{2028}b\"", "ab"), ("\"a\u{2028}b\"", "a\u{2028}b"),
        ("\"피트니스 e\u{301} 😀\"", "피트니스 e\u{301} 😀"), ("''", ""), ("\"a\tb\"", "a\tb"),
    ])
    func `every escape and quote is read`(text: String, value: String) throws {
        let read = try #require(try string(text))
        #expect(Array(read.utf8) == Array(value.utf8))
    }

    @Test(arguments: [
        #""\x4""#, #""\u12""#, #""\ud83d""#, #""\ud83dx""#, #""\ud83d\u0041""#, #""\ude00""#, #""\1""#, #""\01""#,
        "\"a\nb\"", "\"a", "'a\"", "\"\\",
    ])
    func `a text that is not well-formed is refused`(text: String) {
        #expect(failure(text) != nil)
    }

    @Test func `comments, trailing commas, bare keys and white space of all kinds are skipped`() throws {
        let text =
            "\u{FEFF}/* a **/ { // b\r\n bare$_é: 1,\u{A0}\u{3000}'single': 2,\u{2028}// c\u{2028}\"d\": [1,/**/],\u{B}\u{C}\\u0061b: 3, } // end"
        guard case .object(let members) = try parse(text).value else {
            Issue.record("not an object")
            return
        }
        #expect(members.map(\.key) == ["bare$_é", "single", "d", "ab"])
    }

    @Test func `members keep their order, their doubles and the places of keys and values`() throws {
        let text = "{ \"b\": 1, a : [true, null], \"b\": false }"
        guard case .object(let members) = try parse(text).value else {
            Issue.record("not an object")
            return
        }
        #expect(members.map(\.key) == ["b", "a", "b"])
        let bytes = Array(text.utf8)
        let keys = members.map { String(decoding: bytes[$0.keyRange], as: UTF8.self) }
        let values = members.map { String(decoding: bytes[$0.value.range], as: UTF8.self) }
        #expect(keys == ["\"b\"", "a", "\"b\""])
        #expect(values == ["1", "[true, null]", "false"])
    }

    @Test(arguments: [
        "", "  ", "{", "[", "[,]", "{,}", "[1 2]", "{a 1}", "{a: 1 b: 2}", "{a: }", "[1,,2]", "nul", "1 2", "{} x",
        "/* x",
        "/", "{1: 2}", "[1]]", "\u{1}", "{\"a\": 1}}",
    ])
    func `what is not one whole document is refused`(text: String) {
        #expect(failure(text) != nil)
    }

    @Test func `an error names the byte, what was expected and what was found`() {
        let error = failure("[1 x]")
        #expect(error?.offset == 3)
        #expect(error?.problem == "expected “,” or “]” but found “x”")
    }

    @Test func `bytes that are not UTF-8 are refused at the first of them`() {
        for (bytes, offset): ([UInt8], Int) in [
            ([0x22, 0xFF, 0x22], 1), ([0x22, 0x41, 0xC0, 0xAF, 0x22], 2), ([0x22, 0xED, 0xA0, 0x80, 0x22], 1),
            ([0xE2, 0x82], 0), ([0xF4, 0x90, 0x80, 0x80], 0), ([0x22, 0xC3], 1), ([0xFF, 0xFE, 0x7B, 0x00], 0),
            ([0xE2, 0x82, 0x41], 0), ([0xF0, 0x9F, 0x98], 0),
        ] {
            #expect(throws: JSON5Error.self) { try JSON5Parser.parse(bytes) }
            do throws(JSON5Error) { _ = try JSON5Parser.parse(bytes) } catch { #expect(error.offset == offset) }
        }
    }

    @Test func `nesting ends at the cap instead of at the end of the stack`() throws {
        let deepest = JSON5Parser.deepestNesting
        _ = try parse(String(repeating: "[", count: deepest) + String(repeating: "]", count: deepest))
        let bomb = failure(String(repeating: "[", count: 1_000_000))
        #expect(bomb?.offset == deepest)
        #expect(bomb?.problem == "lists and objects nested more than 64 deep")
    }

    @Test func `every prefix of a document is refused without trapping`() {
        let bytes = Array("{ a: ['x\\u0041\\x41é', -0x1F, .5e1, /* c */ true], 'b': \"\\\n\" } // d\n".utf8)
        let closing = bytes.lastIndex(of: UInt8(ascii: "}"))!
        for length in 0...closing {
            #expect(throws: JSON5Error.self) { try JSON5Parser.parse(Array(bytes[..<length])) }
        }
    }

    @Test func `any byte put in place of another never traps`() throws {
        let bytes = Array("{ a: ['x\\u0041\\x41é', -0x1F, .5e1, /* c */ true], 'b': \"\\\n\" } // d\n".utf8)
        var refused = 0
        for index in bytes.indices {
            for byte in UInt8.min...UInt8.max {
                var changed = bytes
                changed[index] = byte
                do throws(JSON5Error) {
                    _ = try JSON5Parser.parse(changed)
                } catch {
                    refused += 1
                    #expect(error.offset <= changed.count)
                }
            }
        }
        #expect(refused > 1_000)
    }

    @Test(arguments: ["“a”", "„a“", "”a”", "‘a’", "‚a‘", "“a“"])
    func `texts in curly quotes are read as texts, keys as well`(text: String) throws {
        #expect(try string(text) == "a")
        #expect(try parse("{ \(text): 1 }").member("a") != nil)
    }

    @Test func `curly quotes inside straight ones are characters like others`() throws {
        #expect(try string("\"“a”\"") == "“a”")
        #expect(try string("“it\\u0027s \"a\"”") == "it's \"a\"")
    }

    @Test func `a text in curly quotes ends on its line`() {
        #expect(failure("“a\n”")?.problem == "the line ends inside a text")
        #expect(failure("[“a")?.problem == "the file ends inside a text")
    }
}
