import Foundation
import History
import ProgramStage
import RankKit
import TestSupport

/// What a history holds of lists and positions.
struct Remains {
    struct Place: Hashable {
        var app: String
        var query: String
        var at: Int64
        var position: Int?
        var within: Int
    }

    struct Key: Hashable {
        var query: String
        var check: Int64
    }

    var lists: [Key: StoredList] = [:]
    /// Lists that are there twice.
    var doubles = 0
    var positions: Set<Place> = []
    /// What the lists say of the app that is tracked later.
    var expected: Set<Place> = []

    /// - Parameter late: the app that is tracked later.
    init(of database: String, queries: [String], late: String) throws {
        let reader = try HistoryReader(path: database)
        let numbers = try reader.numbers(of: bundle(late))
        for text in queries {
            try reader.lists(on: query(text)) { list in
                if lists.updateValue(list, forKey: Key(query: text, check: list.checkID)) != nil {
                    doubles += 1
                }
                let place = list.place(of: numbers)
                if list.outcome == .good {
                    expected.insert(
                        Place(
                            app: late, query: text, at: list.at.secondsSinceEpoch,
                            position: place.position?.number, within: place.within))
                }
                return true
            }
        }
        let rows = try RecordedHistory(database).table(
            """
            SELECT pair.bundle_id, query.text, at, position, within
            FROM position JOIN pair ON pair.id = position.pair JOIN query ON query.id = pair.query
            """)
        for row in rows {
            positions.insert(
                Place(
                    app: row[0] ?? "", query: row[1] ?? "", at: row[2].flatMap { Int64($0) } ?? 0,
                    position: row[3].flatMap { Int($0) }, within: row[4].flatMap { Int($0) } ?? 0))
        }
    }
}
