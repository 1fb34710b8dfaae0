import Foundation
import RankKit
import TestSupport

@testable import Alerts

let noon = time("2026-11-20T12:00:00Z")

/// What strangers call their apps.
let hostileNames = [
    "<script>alert(1)</script> & \"co\"", "\u{202E}gnp.exe", String(repeating: "w", count: 300),
    "one\ntwo\r\nthree\u{2028}four",
    "{{template}} ${x} %s", "<!channel> <@U123> <!here|x>", "@everyone <@123> @here",
    "*b* _i_ ~s~ `c` [l](https://x.example)",
    "a" + String(repeating: "\u{0301}", count: 2_000), "\u{1B}[2J\u{0}\u{7}", "👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿",
]

func line(_ text: String = "#34 → #9", app: String? = "Habits", query: String? = "habit tracker") -> AlertMessage.Line {
    AlertMessage.Line(
        kind: .moved, text: text, app: app, bundleID: bundle("com.me.habits"), query: query,
        country: Country(code: "us"), platform: .iphone, from: 34, to: 9, since: "2026-11-19",
        places: [.place(34), .place(33), .unknown, .place(12), .place(9)])
}

func message(
    _ lines: [AlertMessage.Line] = [line()], title: String = "Habits: #34 → #9", omitted: Int = 0,
    severity: AlertSeverity = .normal
) -> AlertMessage {
    AlertMessage(id: "m1", at: noon, severity: severity, title: title, lines: lines, omitted: omitted)
}

/// Each hostile name as title, app, query and sentence.
var hostileMessages: [AlertMessage] {
    hostileNames.map { message([line($0, app: $0, query: $0)], title: $0) }
}

/// More, and longer, than any way out has room for.
var longMessage: AlertMessage {
    message(
        (0..<400).map { line("\($0) " + String(repeating: "&<*日本👩‍👩‍👧‍👦", count: 60)) },
        title: String(repeating: "&<*é", count: 400))
}

func parsed(_ body: [UInt8]) throws -> ParsedJSON { try ParsedJSON(String(decoding: body, as: UTF8.self)) }

extension ParsedJSON {
    var text: String {
        guard case .string(let text) = self else { return "" }
        return text
    }

    var elements: [ParsedJSON] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }
}
