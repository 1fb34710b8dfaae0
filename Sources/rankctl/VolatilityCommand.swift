internal import ArgumentParser
import Reports

struct VolatilityCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "volatility", abstract: "The weather: on which days a whole store moved or failed.",
        discussion: """
            By country, over all of its queries; --app, --query, --platform and --tag choose the countries of the pairs \
            that they fit. --since names the first day, 60 days ago without it.
            """)

    @OptionGroup var options: ReportOptions

    func run() async throws {
        try await options.deliver { context in
            .volatility(
                VolatilityReport(
                    try Volatility(
                        from: context.reader, filter: context.filter, since: context.since, until: context.until,
                        now: context.now)))
        }
    }
}
