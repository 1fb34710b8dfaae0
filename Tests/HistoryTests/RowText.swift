import GRDB

/// `History` has one of its own, which tests of what it wrote need not know.
typealias Row = GRDB.Row

extension Row {
    /// The row's values as SQL literals, joined by spaces: what tests compare.
    var text: String {
        databaseValues.map { value in
            switch value.storage {
            case .null: "NULL"
            case .int64(let number): "\(number)"
            case .double(let number): "\(number)"
            case .string(let text): "'\(text)'"
            case .blob(let data): "x\(data.count)"
            }
        }.joined(separator: " ")
    }
}
