internal import ArgumentParser
import Console
import Reports

struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Shows how rankd and its history are doing.",
        discussion: "Ends with 0 when all is fine, 1 when something needs a look, 2 when nothing is being recorded.")

    @OptionGroup var database: DatabaseOption

    @Option(help: "table or json.")
    var format: StatusReport.Format = .table

    func run() async throws {
        let surroundings = Surroundings()
        let status = try Status(from: try database.reader(surroundings), now: surroundings.now)
        let style = Terminal.style(environment: surroundings.environment)
        try Terminal.deliver(StatusReport(status).render(as: format, style: style))
        guard status.level == .fine else { throw ExitCode(status.level.exitCode) }
    }
}
