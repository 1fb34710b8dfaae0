internal import ArgumentParser
import Reports

struct DistributionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "distribution", abstract: "How many pairs stand in which places, now and then.",
        discussion: "--since names the day that is compared with, 30 days ago without it.")

    @Flag(help: "Count competitors as well, apart from mine.")
    var competitors = false

    @OptionGroup var options: ReportOptions

    func run() async throws {
        try await options.deliver { context in
            .distribution(
                DistributionReport(
                    try Distribution(
                        from: context.reader, filter: context.filter, since: context.since, until: context.until,
                        competitors: competitors, now: context.now)))
        }
    }
}
