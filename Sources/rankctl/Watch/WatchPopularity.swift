internal import ArgumentParser
import Console
import History
import RankKit
import Reports

struct WatchPopularity: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "popularity", abstract: "Writes into the watchlist how often people search for its queries.",
        discussion: """
            FILE is a table such as Apple Ads or another tool exports it. rankctl finds its columns by their names, such as \
            Keyword, Search Popularity and Country. Figures go from 0 to 100. A column of another figure, such as Volume or \
            Traffic, is read only if you name it with --popularity-column. Only the queries that the table names change, \
            and your comments and layout stay.
            """)

    @Argument(
        help: ArgumentHelp("The table: CSV, or separated by semicolons or tabs.", valueName: "file"),
        completion: .file())
    var file: String

    @Option(help: ArgumentHelp("The country of rows without one.", valueName: "code"))
    var country: Country?

    @Option(help: ArgumentHelp("The name of the column of search texts.", valueName: "name"))
    var queryColumn: String?

    @Option(help: ArgumentHelp("The name of the column of popularity.", valueName: "name"))
    var popularityColumn: String?

    @OptionGroup var watchlist: WatchlistOption

    func run() async throws {
        let file = EditedWatchlist(path: watchlist.path(Surroundings()))
        let before = try file.read()
        let queries = before.watchlist.queries.map(\.query)
        // Where all is asked in one country, there is no other that the table could mean.
        let countries = Set(queries.map(\.country))
        let table = try PopularityTable(
            self.file, country: country ?? (countries.count == 1 ? countries.first : nil), query: queryColumn,
            popularity: popularityColumn)
        var changed = 0
        try file.change(read: before) { changed = try $0.setPopularity(table.figures) }
        let known = Set(queries.filter { table.figures[$0.folded]?[$0.country] != nil }.map(\.folded))
        var words = ["\(Figures.counted(changed, "query", "queries")) changed"]
        if known.count > changed { words.append("\(known.count - changed) already had theirs") }
        let missing = Set(queries.map(\.folded)).subtracting(known).count
        if missing > 0 { words.append("\(missing) of the watchlist not in the table") }
        let others = table.figures.keys.filter { !known.contains($0) }.count
        if others > 0 { words.append("\(others) of the table not in the watchlist") }
        Terminal.say("popularity in \(file.path): \(words.joined(separator: ", "))")
        if changed > 0 { Terminal.say(Remedy.reload(file.path)) }
    }
}
