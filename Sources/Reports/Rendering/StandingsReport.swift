/// `rankctl report`: where every pair stands.
package struct StandingsReport: Sendable {
    package struct Options: Sendable, Hashable {
        /// Whether the table shows competitors as well; JSON and CSV always have every row.
        package var competitors: Bool

        package init(competitors: Bool = false) { self.competitors = competitors }
    }

    package var standings: Standings
    package var options: Options

    package init(_ standings: Standings, options: Options = Options()) {
        self.standings = standings
        self.options = options
    }

    /// The whole report, its last line break included.
    package func render(as format: ReportFormat, style: TerminalStyle = .plain) -> String {
        switch format {
        case .table: table(style)
        case .json: json()
        case .csv: csv()
        }
    }
}
