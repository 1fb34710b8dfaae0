import Foundation
import RankKit
import Testing

@Suite struct JSONStringTests {
    private let hostile = "a\"b\\c\n\r\t\u{0}\u{1B}\u{7F}\u{85}\u{2028}\u{202E}é習👨‍👩‍👧\u{E0001}/"

    private func written(_ text: String, keepsUnsafe: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        JSONString.append(text, to: &bytes, keepsUnsafe: keepsUnsafe)
        return bytes
    }

    @Test(arguments: [false, true])
    func `every character comes back from a JSON reader`(keepsUnsafe: Bool) throws {
        for text in [hostile, "", "plain", "é", "\u{10FFFD}"] {
            let bytes = written(text, keepsUnsafe: keepsUnsafe)
            #expect(
                try JSONDecoder().decode(String.self, from: Data(bytes)).unicodeScalars.elementsEqual(
                    text.unicodeScalars))
        }
    }

    @Test func `what would act on a terminal is escaped, unless it is to be kept`() {
        #expect(JSONString.quoted(hostile).unicodeScalars.allSatisfy { !SafeText.isUnsafe($0) })
        #expect(JSONString.quoted("\u{1B}\u{202E}\u{E0001}") == #""\u001B\u202E\uDB40\uDC01""#)
        let kept = String(decoding: written("\u{1B}\u{202E}é", keepsUnsafe: true), as: UTF8.self)
        #expect(kept == "\"\\u001B\u{202E}é\"")
    }

    @Test func `texts stand in one array`() {
        #expect(JSONString.list(["a", "b\""]) == #"["a", "b\""]"#)
        #expect(JSONString.list([]) == "[]")
    }
}
