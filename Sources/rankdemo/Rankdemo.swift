internal import ArgumentParser
import Console
import Foundation
import RankKit
import ReportCommands

@main
struct Rankdemo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rankdemo",
        abstract: "Tracks a simulated App Store for a simulated month.",
        discussion: "Runs rankd's own passes and asks Apple nothing. The folder keeps the history and its watchlist.",
        version: Release.version)

    @Option(
        help: ArgumentHelp(
            "The folder for the demo's files; those of an earlier demo are replaced.", valueName: "folder"))
    var folder: String

    @Option(help: "The seed of the simulated store: the same one gives the same month.")
    var seed: UInt64 = 1

    @Option(
        help: ArgumentHelp(
            "When the month ends, such as 2026-11-20T08:00:00Z (default: now).", valueName: "time"))
    var end: Timestamp?

    /// On the main thread, because there is no other yet.
    @MainActor static func main() async {
        // script/demo calls it rankctl, so that the demo is built as one program and looked at with it.
        if CommandLine.arguments.first?.split(separator: "/").last == "rankctl" {
            DemoRankctl.begin()
            return await DemoRankctl.run(typed: CommandLine.arguments.dropFirst())
        }
        RepeatedOption.refuse(in: Self.self)
        await main(nil)
    }

    func run() async throws {
        try await Complaint.exiting {
            try await Demo(folder: URL(fileURLWithPath: folder), seed: seed, end: end ?? Timestamp(Date())).run()
        }
    }
}

extension Timestamp: ExpressibleByArgument {
    package init?(argument: String) { self.init(iso8601: argument) }
}
