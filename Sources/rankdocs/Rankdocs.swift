internal import ArgumentParser
import Console
import Foundation
import Manual
import RankKit
import Reports

@main
struct Rankdocs: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rankdocs",
        abstract: "Writes a page of the manual to stdout.",
        discussion: """
            The pages of rankd, rankctl and rankweb are made from what the programs say about themselves. Pipe that in: \
            rankctl --experimental-dump-help | rankdocs rankctl. SOURCE_DATE_EPOCH is the time of the sources.
            """,
        version: Release.version)

    enum Page: String, CaseIterable, ExpressibleByArgument { case rankd, rankctl, rankweb, watchlist }

    @Argument(help: "rankd, rankctl, rankweb or watchlist.")
    var page: Page

    @Flag(help: "Write it as Markdown, for docs/commands.md.")
    var markdown = false

    func run() throws {
        if markdown { return try Terminal.deliver(made().markdown()) }
        let epoch = ProcessInfo.processInfo.environment["SOURCE_DATE_EPOCH"].flatMap(Int64.init)
        let time = epoch.map(Timestamp.init(secondsSinceEpoch:)) ?? Timestamp(Date())
        let day = time.date.formatted(Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day())
        try Terminal.deliver(made().roff(version: Release.version, day: day))
    }

    private func made() throws -> ManualPage {
        switch page {
        case .rankd: .rankd(try told())
        case .rankctl: .rankctl(try told())
        case .rankweb: .rankweb(try told())
        case .watchlist: try .watchlist()
        }
    }

    private func told() throws -> CommandInfo {
        try CommandInfo.read(try FileHandle.standardInput.readToEnd() ?? Data(), of: page.rawValue)
    }
}
