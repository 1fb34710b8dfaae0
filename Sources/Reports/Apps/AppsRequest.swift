import ArgumentParser
import History

struct AppsRequest: ReportRequest {
    static let about = ReportAbout(
        "apps", "Lists the apps that rankd has ever seen: name, bundle id, when, number of queries, best position.",
        usage: "rankctl apps [<text>] [--limit <number>] [--database <file>] [<options>]", isTopLevel: true,
        arguments: ["text"])

    static let answers: [any ReportValue.Type] = [AppDirectoryReport.self]

    static func examples(_ names: ExampleNames) -> [ReportExample] {
        [ReportExample("apps", ["--limit", "20"])]
    }

    @Argument(help: ArgumentHelp("Only apps with this text in their name, developer or bundle id.", valueName: "text"))
    var text: String?

    @Option(
        help: ArgumentHelp(
            "How many apps to show (default: 50; a table in a file or a pipe shows all).", valueName: "number"))
    var limit: Int?

    private static let usualLimit = 50

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit is \(limit): write a number from 1") }
    }

    func answer(in context: ReportContext) throws -> any ReportValue {
        let limit = limit ?? (context.showsAllRows ? .max : Self.usualLimit)
        try context.requireRoom(
            for: "apps", weight: 10, narrowing: "choose a smaller --limit, or look for a text"
        ) {
            // Counted only where so many are asked for that it matters.
            try limit <= 1_000 ? limit : min(limit, context.reader.directory(matching: text, limit: 0).count)
        }
        return AppDirectoryReport(
            try AppDirectory(matching: text, limit: limit, from: context.reader, now: context.now))
    }
}
