package import History
package import RankKit

/// `rankctl report`: where every pair stands.
package struct StandingsReport: ReportView {
    package struct Options: Sendable, Hashable {
        /// Whether people's forms show competitors as well; JSON and CSV always have every row.
        package var competitors: Bool
        /// Whether they show every pair, rather than what fits a screen.
        package var all: Bool

        package init(competitors: Bool = false, all: Bool = false) {
            self.competitors = competitors || all
            self.all = all
        }
    }

    package var standings: Standings
    package var options: Options

    package init(_ standings: Standings, options: Options = Options()) {
        self.standings = standings
        self.options = options
    }

    package var generatedAt: Timestamp { standings.generatedAt }
    package var damaged: [DamagedLists] { standings.damaged }
}
