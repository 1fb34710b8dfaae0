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
        let (head, tail) = (stem(of: database) + "-", ".sqlite")
        guard name.hasPrefix(head), name.hasSuffix(tail) else { return false }
        let time = Array(name.dropFirst(head.count).dropLast(tail.count).utf8)
        return time.count == 16
            && time.enumerated().allSatisfy { index, byte in
                switch index {
                case 8: byte == UInt8(ascii: "T")
                case 15: byte == UInt8(ascii: "Z")
                default: (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                }
            }
    }

    private static func stem(of database: String) -> String {
        URL(fileURLWithPath: database).deletingPathExtension().lastPathComponent
    }
}
