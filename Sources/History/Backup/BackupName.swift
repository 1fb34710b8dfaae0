import Foundation
package import RankKit

/// What backups are called, after the database and the moment.
package enum BackupName {
    /// One that the service makes by itself: `history-20261121T033000Z.sqlite`.
    package static func scheduled(of database: String, at moment: Timestamp) -> String {
        let time = CivilTime.iso8601(moment).filter { $0 != "-" && $0 != ":" }
        return "\(stem(of: database))-\(time).sqlite"
    }

    /// One that a person asked for in a folder: `history-2026-11-21-033000.sqlite`. Never the form of a scheduled one,
    /// because the service deletes those.
    package static func byHand(of database: String, at moment: Timestamp) -> String {
        let time = CivilTime.iso8601(moment).replacing("T", with: "-").filter { $0 != ":" && $0 != "Z" }
        return "\(stem(of: database))-\(time).sqlite"
    }

    static func isScheduled(_ name: String, of database: String) -> Bool {
        matches(name, of: database, like: "00000000T000000Z")
    }

    /// Whether it is a backup of either kind.
    static func isDated(_ name: String, of database: String) -> Bool {
        isScheduled(name, of: database) || matches(name, of: database, like: "0000-00-00-000000")
    }

    /// - Parameter form: a time in which 0 stands for any digit.
    private static func matches(_ name: String, of database: String, like form: String) -> Bool {
        let (head, tail) = (stem(of: database) + "-", ".sqlite")
        guard name.hasPrefix(head), name.hasSuffix(tail) else { return false }
        let time = Array(name.dropFirst(head.count).dropLast(tail.count).utf8)
        return time.count == form.utf8.count
            && zip(time, form.utf8).allSatisfy { byte, sample in
                sample == UInt8(ascii: "0") ? (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) : byte == sample
            }
    }

    private static func stem(of database: String) -> String {
        URL(fileURLWithPath: database).deletingPathExtension().lastPathComponent
    }
}
