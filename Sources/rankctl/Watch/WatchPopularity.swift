internal import ArgumentParser
import Console
import History
import RankKit
import ReportCommands
import Reports

struct WatchPopularity: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "popularity", abstract: "Writes into the watchlist how often people search for its queries.",
        usage: """
            rankctl watch popularity <file> [--country <code>] [--query-column <name>]
                                     [--popularity-column <name>] [--watchlist <file>]
            """,
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
        let asked = Set(queries.map { Asked($0.folded, $0.country) })
        try refuseForeign(table, asked, file.path)
        var changed = 0
        try file.change(read: before) { changed = try $0.setPopularity(table.figures) }
        let words = Self.words(changed, asked, table)
        Terminal.say("popularity in \(file.path): \(words.joined(separator: ", "))")
        for note in table.notes { Terminal.say(SafeText.escaped("note: \(note)")) }
        if changed > 0 { Terminal.say(Remedy.reload(file.path)) }
    }

    /// Refuses a table of which nothing is in the watchlist.
    private func refuseForeign(_ table: PopularityTable, _ asked: Set<Asked>, _ watchlist: String) throws {
        let named = Set(table.figures.flatMap { text, places in places.keys.map { Asked(text, $0) } })
            .union(table.withoutFigure.flatMap { text, places in places.map { Asked(text, $0) } })
        guard named.isDisjoint(with: asked), let first = named.min() else { return }
        let byText = Dictionary(asked.sorted().map { ($0.text, $0) }, uniquingKeysWith: { first, _ in first })
        let elsewhere = named.sorted().lazy.compactMap { byText[$0.text] }.first
        throw ImportRefusal(
            file: file, line: nil,
            problem: named.count == 1
                ? "“\(first.text)” in \(first.country) is not in \(watchlist)"
                : "none of \(named.count) queries is in \(watchlist), such as “\(first.text)” in \(first.country)",
            remedy: elsewhere.map { "it asks “\($0.text)” in \($0.country): correct the country" }
                ?? "check that these are the table and the watchlist that you mean")
    }

    /// A search text in a country, which a figure is for.
    private struct Asked: Hashable, Comparable {
        let text: String
        let country: Country

        init(_ text: String, _ country: Country) { (self.text, self.country) = (text, country) }

        static func < (left: Self, right: Self) -> Bool { (left.text, left.country) < (right.text, right.country) }
    }

    /// What became of the watchlist's queries and of the table's.
    private static func words(_ changed: Int, _ asked: Set<Asked>, _ table: PopularityTable) -> [String] {
        let figures = Set(table.figures.flatMap { text, places in places.keys.map { Asked(text, $0) } })
        let blanks = Set(table.withoutFigure.flatMap { text, places in places.map { Asked(text, $0) } })
            .subtracting(figures)
        let known = Set(asked.intersection(figures).map(\.text)).count
        var words = ["\(Figures.counted(changed, "query", "queries")) changed"]
        if known > changed { words.append("\(known - changed) already had theirs") }
        let counts = [
            (asked.subtracting(figures).subtracting(blanks), "of the watchlist not in the table"),
            (asked.intersection(blanks), "of the watchlist without a figure in the table"),
            (figures.subtracting(asked), "of the table not in the watchlist"),
        ]
        return words + counts.filter { !$0.0.isEmpty }.map { "\($0.0.count) \($0.1)" }
    }
}
