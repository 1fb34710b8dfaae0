internal import ArgumentParser
import Console
import Foundation
import RankKit

@main
struct Rankdemo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rankdemo",
        abstract: "Runs rankd's own passes through a simulated month against a simulated App Store.",
        discussion: "Nothing is asked of Apple. The folder keeps the history and its watchlist.",
        version: Release.version)

    @Option(
        help: ArgumentHelp("Where the demo's files go; those of an earlier demo are replaced.", valueName: "folder"))
    var folder: String

    @Option(help: "The seed of the simulated store: the same one gives the same month.")
    var seed: UInt64 = 1

    @Option(
        help: ArgumentHelp(
            "When the month ends, such as 2026-11-20T08:00:00Z; now without it.", valueName: "time"))
    var end: Timestamp?

    func run() async throws {
        try await Complaint.exiting {
            try await Demo(folder: URL(fileURLWithPath: folder), seed: seed, end: end ?? Timestamp(Date())).run()
        }
    }
}

extension Timestamp: ExpressibleByArgument {
    package init?(argument: String) { self.init(iso8601: argument) }
}
