/// `rankctl plan`: what a watchlist would change before it is adopted.
package struct PlanReport: Sendable {
    package enum Format: String, Sendable, Hashable, CaseIterable {
        case table, json
    }

    package var change: PlanChange
    /// Whether lists that are long are shown whole; in the table alone, JSON always has everything.
    package var showsAll: Bool

    package init(_ change: PlanChange, showsAll: Bool = false) {
        self.change = change
        self.showsAll = showsAll
    }

    /// The whole report, its last line break included.
    package func render(as format: Format, style: TerminalStyle = .plain) -> String {
        switch format {
        case .table: table(style)
        case .json: json()
        }
    }
}
