import Foundation
import GRDB

/// Looks whether the bytes of all lists are as they were written, without making lists of them: pages by their
/// checksums, and lists by themselves, of which there are few and which have none, by their form.
enum ListBytesCheck {
    /// Damage beyond so many findings is not told one by one.
    private static let most = 100

    static func findings(in database: Database) throws -> [Finding] {
        var findings: [Finding] = []
        func tell(_ place: String) {
            if findings.count < most { findings.append(Finding(part: .lists, place: place, problem: "cannot be read")) }
        }
        let pages = try Row.fetchCursor(database, sql: "SELECT id, query, bytes FROM result_page")
        while let row = try pages.next() {
            if !ResultPage.isIntact([UInt8](row[2] as Data)) {
                tell("page \(row[0] as Int64) of query \(row[1] as Int64)")
            }
        }
        let lists = try Row.fetchCursor(database, sql: "SELECT check_id, places FROM result_list")
        while let row = try lists.next() {
            do { _ = try ResultListCodec.decode([UInt8](row[1] as Data)) } catch {
                tell("the list of check \(row[0] as Int64)")
            }
        }
        return findings
    }
}
