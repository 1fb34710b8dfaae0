internal import ArgumentParser
import Console
import History
import RankKit
import Reports

extension ReportFormat: ExpressibleByArgument {}
extension StatusReport.Format: ExpressibleByArgument {}
extension PlanReport.Format: ExpressibleByArgument {}
extension Platform: ExpressibleByArgument {}

extension Country: ExpressibleByArgument {
    package init?(argument: String) { self.init(code: argument) }
}

extension BundleID: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

struct DatabaseOption: ParsableArguments {
    @Option(help: ArgumentHelp("The history.", valueName: "file"), completion: .file())
    var database: String?

    func reader(_ surroundings: Surroundings) throws -> HistoryReader {
        let reader = try HistoryReader(path: surroundings.locations.database(flag: database))
        if reader.isSnapshot {
            Terminal.say("rankd is stopped and its WAL files are gone: reading the file as it was left")
        }
        return reader
    }
}

struct WatchlistOption: ParsableArguments {
    @Option(help: ArgumentHelp("The watchlist.", valueName: "file"), completion: .file())
    var watchlist: String?

    func path(_ surroundings: Surroundings) -> String { surroundings.locations.watchlist(flag: watchlist) }
}

/// Which pairs a report is about; every option may be given several times.
struct FilterOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Only this app.", valueName: "alias or bundle id"), completion: .app)
    var app: [String] = []

    @Option(help: ArgumentHelp("Only this search text.", valueName: "text"), completion: .query)
    var query: [String] = []

    @Option(help: ArgumentHelp("Only this country.", valueName: "code"))
    var country: [Country] = []

    @Option(help: "Only this platform: iphone, ipad or mac.")
    var platform: [Platform] = []

    @Option(help: ArgumentHelp("Only pairs with this tag.", valueName: "tag"), completion: .tag)
    var tag: [String] = []

    var filter: PairFilter {
        PairFilter(apps: app, queries: query, countries: country, platforms: platform, tags: tag)
    }
}
