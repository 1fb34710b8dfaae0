internal import ArgumentParser
import Console
import History
import RankKit
import Reports

struct AppsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apps", abstract: "The apps ever seen: name, bundle id, when, on how many queries, best place.")

    @Argument(help: ArgumentHelp("Looked for in names, developers and bundle ids.", valueName: "text"))
    var text: String?

    @Option(help: ArgumentHelp("How many are shown.", valueName: "number"))
    var limit = 50

    @OptionGroup var database: DatabaseOption

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard limit > 0 else { throw ValidationError("--limit is \(limit): write a number from 1") }
    }

    func run() async throws {
        let surroundings = Surroundings()
        let directory = try AppDirectory(
            matching: text, limit: limit, from: try database.reader(surroundings), now: surroundings.now)
        let report = AppDirectoryReport(directory)
        try output.deliver(surroundings) { report.render(as: $0, style: $1) }
    }
}
