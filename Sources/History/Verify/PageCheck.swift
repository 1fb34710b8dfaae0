import GRDB
import RankKit

/// Looks through the pages of lists of one query: that each can be read, and holds lists of its query's checks and of
/// none that is kept elsewhere.
struct PageCheck {
    let query: Int64
    /// The query in words.
    let name: String

    /// - Parameter each: called before every page.
    func run(in database: Database, each: () throws -> Void, found: (Finding) -> Void) throws {
        var end: StoredList.Key?
        let rows = try PageRow.all(of: query, in: .min...(.max), database)
        while let page = try rows.next() {
            try each()
            func tell(_ problem: String) {
                found(Finding(part: .lists, place: "\(name), page \(page.id)", problem: problem))
            }
            if let end, page.first <= end { tell("begins before the page before it ends") }
            end = max(end ?? page.last, page.last)
            let heads: [StoredList.Head]
            do { heads = try page.decoded().map(\.head) } catch let error as DatabaseError
                where error.resultCode == .SQLITE_CORRUPT
            {
                tell("cannot be read")
                continue
            }
            if zip(heads, heads.dropFirst()).contains(where: { $1.key <= $0.key }) { tell("is out of order") }
            // One tells enough of a page whose lists are not what they should be.
            for head in heads {
                guard let problem = try problem(with: head, in: database) else { continue }
                tell(problem)
                break
            }
        }
    }

    private func problem(with head: StoredList.Head, in database: Database) throws -> String? {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT query = ? AND at = ? AND outcome = ?,
                        EXISTS (SELECT 1 FROM result_list WHERE check_id = check_log.id)
                    FROM check_log WHERE id = ?
                    """), arguments: [query, head.at.secondsSinceEpoch, head.outcome.rawValue, head.checkID])
        guard let row else { return "holds a list of check \(head.checkID), which is not there" }
        guard row[0] else { return "holds a list of check \(head.checkID) that is not of that query, time or outcome" }
        return row[1] ? "holds the list of check \(head.checkID), which is also kept by itself" : nil
    }
}
