internal import ArgumentParser
import Reports

struct VisibilityCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "visibility", abstract: "How visible apps are on your queries, in one number by country.",
        discussion: """
            100 where an app is first on all of its queries, 0 where it is on none, its competitors beside it on the \
            same queries. --since names the first day of the chart, 90 days ago without it.
            """)

    @OptionGroup var options: ReportOptions

    func run() async throws {
        try await options.deliver { context in
            .visibility(
                VisibilityReport(
                    try VisibilityHistory(
                        from: context.reader, filter: context.filter, since: context.since, until: context.until,
                        now: context.now)))
        }
    }
}
