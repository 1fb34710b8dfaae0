internal import ArgumentParser
import History
import Judging
import RankKit
import Reports

struct OpportunitiesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "opportunities", abstract: "Queries to push, to defend and to drop, each with its reason.")

    @OptionGroup var options: ReportOptions

    func validate() throws {
        guard options.since == nil else {
            throw ValidationError("opportunities are judged by the weeks before --until: leave out --since")
        }
    }

    func run() async throws {
        try await options.deliver { context in
            .opportunities(
                OpportunitiesReport(
                    try Opportunities(
                        from: context.reader, filter: context.filter, until: context.until, now: context.now)))
        }
    }
}
