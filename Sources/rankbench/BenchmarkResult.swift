import Reports

/// The rows of one run, for people and for scripts.
struct BenchmarkResult {
    /// In the order of the table; one that could not be measured has no row.
    private var rows: [(name: RowName, row: Row?)] = []

    mutating func add(_ name: RowName, _ row: Row?) { rows.append((name, row)) }

    /// Those that could not be measured.
    var missing: [RowName] { rows.filter { $0.row == nil }.map(\.name) }

    /// Whether every row was measured and kept to its goal.
    var isOK: Bool { rows.allSatisfy { $0.row?.isOK ?? false } }

    func table(_ style: TerminalStyle) -> String {
        let numbers = ["value", "unit", "reference", "ratio", "goal"]
        var table = Table(
            columns: [.init("name")] + numbers.map { .init($0, $0 == "unit" ? .left : .right) } + [.init("ok")])
        table.rows = rows.map { name, row in
            guard let row else {
                let empty = [Cell("not measured", .bad)] + Array(repeating: Cell(""), count: 4)
                return .cells([Cell(name.rawValue, .strong)] + empty + [Cell("NO", .bad)])
            }
            return .cells([
                Cell(row.name.rawValue, .strong), Cell(Self.figure(row.value)), Cell(row.unit, .faint),
                Cell(row.reference.map(Self.figure) ?? "–"),
                Cell(row.ratio.map { Figures.decimal($0, places: 2) } ?? "–"),
                Cell(Self.words(row.goal)), row.isOK ? Cell("yes", .good) : Cell("NO", .bad),
            ])
        }
        return table.lines(style).map { $0 + "\n" }.joined()
    }

    private static func words(_ goal: Row.Goal?) -> String {
        switch goal {
        case .value(let limit): "≤ \(Figures.decimal(limit, places: limit < 2 ? 2 : 0))"
        case .valueAtLeast(let limit): "≥ \(Figures.decimal(limit, places: 0))"
        case .ratio(let limit): "ratio ≤ \(Figures.decimal(limit, places: 1))"
        case .ratioAtLeast(let limit): "ratio ≥ \(Figures.decimal(limit, places: 1))"
        case nil: ""
        }
    }

    private static func figure(_ number: Double) -> String { Figures.decimal(number, places: number < 1_000 ? 2 : 0) }

    /// An array of objects; `value` is null where a row could not be measured. `goal` is what `value` or `ratio` may be at
    /// most or has to be at least, as the table says.
    var json: String {
        var writer = JSONWriter()
        writer.array(rows, linePerElement: true) { writer, element in
            let (name, row) = element
            writer.object { writer in
                writer.member("name", name.rawValue)
                writer.member("value", (row?.value).map(Self.rounded))
                writer.member("unit", row?.unit)
                writer.member("reference", (row?.reference).map(Self.rounded))
                writer.member("ratio", (row?.ratio).map(Self.rounded))
                writer.member("goal", (row?.goal).map(Self.limit))
                writer.member("ok", row?.isOK ?? false)
            }
        }
        return writer.text + "\n"
    }

    private static func limit(_ goal: Row.Goal) -> Double {
        switch goal {
        case .value(let limit), .valueAtLeast(let limit), .ratio(let limit), .ratioAtLeast(let limit): limit
        }
    }

    /// To three decimals: more would be noise.
    private static func rounded(_ number: Double) -> Double { (number * 1_000).rounded() / 1_000 }
}
