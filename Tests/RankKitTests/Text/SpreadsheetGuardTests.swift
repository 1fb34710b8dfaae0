import RankKit
import Testing

@Suite struct SpreadsheetGuardTests {
    @Test(arguments: [
        ("=SUM(A1)", "'=SUM(A1)"), ("x;=cmd|' /C calc'!A0;y", "x;'=cmd|' /C calc'!A0;y"), ("x\t@y", "x\t'@y"),
        ("x\n+1", "x\n'+1"), ("x; \"=1", "x;' \"=1"), ("habit tracker", "habit tracker"), ("a-b=c;d", "a-b=c;d"),
        ("'n sync", "'n sync"), ("", ""),
    ]) func `a formula is harmless wherever a spreadsheet may begin a cell`(text: String, guarded: String) {
        #expect(SpreadsheetGuard.guarded(text) == guarded)
        #expect(SpreadsheetGuard.unguarded(guarded) == text)
    }

    @Test func `whatever was guarded comes back`() {
        let parts: [Unicode.Scalar] = ["'", "=", "-", ";", "\t", "\n", "\"", " ", "a", "＝", "@"]
        var random = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...7, using: &random)
            var text = String.UnicodeScalarView()
            for _ in 0..<count { if let part = parts.randomElement(using: &random) { text.append(part) } }
            let guarded = SpreadsheetGuard.guarded(String(text))
            #expect(SpreadsheetGuard.unguarded(guarded).unicodeScalars.elementsEqual(text), "\(text.debugDescription)")
            // What each of the ways to divide it would make a cell of begins with no formula.
            for cell in guarded.unicodeScalars.split(whereSeparator: { ";\t\r\n".unicodeScalars.contains($0) }) {
                #expect(!"=-@＝".unicodeScalars.contains(cell.first ?? "a"), "\(guarded.debugDescription)")
            }
        }
    }
}
