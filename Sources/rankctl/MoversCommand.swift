internal import ArgumentParser
import History
import RankKit
import Reports

struct MoversCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "movers", abstract: "What moved between two moments, beyond its own noise: the biggest first.",
        discussion: """
            Compares now, or --until, with a week before, or --since. Without --since, pairs of queries that are asked less \
            often than every other day are compared over four of their cadences: in less no move of theirs can be told \
            from noise.
            """)

    @Flag(help: "Show moves within noise as well.")
    var all = false

    @OptionGroup var options: ReportOptions

    func run() async throws {
        try await options.deliver { context in
            let movers = try Movers(
                from: context.reader, filter: context.filter, since: context.since, until: context.until,
                now: context.now)
            return .movers(MoversReport(movers, options: .init(all: all)))
        }
    }
}
