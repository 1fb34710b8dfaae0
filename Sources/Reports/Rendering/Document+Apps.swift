package import RankKit

extension Document {
    /// The apps that it names: a page asks for the icons of all of them at once.
    package var apps: Set<BundleID> {
        var apps: Set<BundleID> = []
        func add(_ cells: [Cell]) {
            for case .app(let app)? in cells.map(\.subject) { apps.insert(app) }
        }
        for block in blocks {
            switch block {
            case .paragraph(let text): add(text.cells)
            case .list(let items), .notes(let items): items.forEach { add($0.cells) }
            case .table(let table):
                for row in table.rows {
                    switch row {
                    case .cells(let cells): add(cells)
                    case .heading(let text): add(text.cells)
                    case .blank: break
                    }
                }
            case .heading, .chart, .legend: break
            }
        }
        return apps
    }
}
