import Foundation
import Testing

@testable import Monitoring

/// The board, the rules and the page stand on what is really served.
@Suite struct MonitoringFilesTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    private static let known = Set(Metric.allCases.map(\.rawValue))

    @Test(arguments: ["rankd.dashboard.json", "rankd.rules.yml", "rankd.rules.test.yml"])
    func `every family that is named is served`(_ file: String) throws {
        let text = try Self.text("monitoring/" + file)
        let named = Set(text.matches(of: /\brankd_[a-z_]+/).map { String($0.output) })
        #expect(!named.isEmpty)
        #expect(named.subtracting(Self.known) == [])
    }

    @Test func `the board names no data source of its own`() throws {
        let board = try Self.text("monitoring/rankd.dashboard.json")
        let sources = Set(board.matches(of: /"uid": "([^"]*)"/).map { String($0.1) })
        #expect(sources == ["${source}", "rankd"])
        #expect(try JSONSerialization.jsonObject(with: Data(board.utf8)) is [String: Any])
    }

    @Test func `the page has every family with its labels and meaning, and every alarm`() throws {
        let page = try Self.text("docs/metrics.md")
        for metric in Metric.allCases {
            let labels = metric.labels.map { "`\($0)` " }.joined()
            #expect(page.contains("| `\(metric.rawValue)` | \(labels)| \(metric.help) |\n"), "\(metric.rawValue)")
        }
        for match in try Self.text("monitoring/rankd.rules.yml").matches(of: /alert: (\w+)/) {
            #expect(page.contains("| `\(match.1)` |"), "\(match.1)")
        }
    }
}
