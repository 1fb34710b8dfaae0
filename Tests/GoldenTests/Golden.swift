import Foundation
import Reports

/// One form of one view, kept as it was when somebody looked at it and found it right.
struct Golden {
    let name: String
    let text: String

    /// Every form of `report`: a terminal's at the widths of a phone, a small, a usual and a wide one, and the others.
    static func forms(of report: any ReportValue, named name: String) -> [Golden] {
        let plain = [60, 80, 120, 200].map { width in
            Golden(
                name: "\(name).\(width).txt",
                text: report.render(as: .table, style: TerminalStyle(colour: false, width: width)))
        }
        let coloured = Golden(
            name: "\(name).120.ansi", text: report.render(as: .table, style: TerminalStyle(colour: true, width: 120)))
        let others: [(ReportFormat, String)] = [(.json, "json"), (.csv, "csv"), (.markdown, "md"), (.html, "html")]
        return plain + [coloured]
            + others.map { Golden(name: "\(name).\($0.1)", text: report.render(as: $0.0)) }
    }

    /// Where they are kept.
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Goldens")

    static var isRenewing: Bool { ProcessInfo.processInfo.environment["RANKD_RENEW_GOLDENS"] == "1" }

    private var file: URL { Self.folder.appendingPathComponent(name) }

    func renew() throws { try Data(text.utf8).write(to: file) }

    /// The first line in which it is not as it is kept; `nil` where there is none.
    func difference() throws -> String? {
        guard let data = FileManager.default.contents(atPath: file.path) else { return "\(name) is not kept" }
        let kept = String(decoding: data, as: UTF8.self)
        guard Array(kept.utf8) != Array(text.utf8) else { return nil }
        let (old, new) = (Self.lines(kept), Self.lines(text))
        let line = zip(old, new).enumerated().first { $1.0 != $1.1 }?.offset ?? min(old.count, new.count)
        func shown(_ lines: [Substring]) -> String { line < lines.count ? String(lines[line].prefix(300)) : "the end" }
        return "\(name):\(line + 1)\n  kept: \(shown(old))\n  now:  \(shown(new))"
    }

    private static func lines(_ text: String) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
    }
}
