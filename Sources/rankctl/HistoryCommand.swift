internal import ArgumentParser
import Console
import History
import RankKit
import Reports

struct HistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "What every check of a query said about one app, tracked or not.")

    @Option(help: ArgumentHelp("The app: any that was ever seen.", valueName: "alias or bundle id"))
    var app: String

    @OptionGroup var query: QueryOption

    @Option(help: ArgumentHelp("From when: 2026-11-01, 30d, yesterday.", valueName: "time"))
    var since: String?

    @Option(help: ArgumentHelp("Until when.", valueName: "time"))
    var until: String?

    @OptionGroup var database: DatabaseOption

    @Option(help: "table, json or csv.")
    var format: ReportFormat = .table

    func run() async throws {
        let surroundings = Surroundings()
        let reader = try database.reader(surroundings)
        let span = try TimeReading(reader, surroundings).span(since: since, until: until)
        let history = try PairHistory(
            of: try knownApp(app, reader), on: try query.choose(reader), in: span, from: reader, now: surroundings.now)
        let style = Terminal.style(environment: surroundings.environment)
        try Terminal.deliver(PairHistoryReport(history).render(as: format, style: style))
    }
}
