import Foundation
package import RankKit

/// The mails that rankd made and that have not been handed on, as their folder shows them: rankd cannot know what became of
/// a mail that it put there.
package struct WaitingMails: Sendable, Hashable {
    /// When the one was made that waits for longest; `nil` if none waits.
    package var oldest: Timestamp?
    /// Those of the last days that waited for too long to be sent.
    package var late: Int

    /// The folder, beside the history.
    package static let folderName = "outgoing-mail"
    /// In it, the folder of those that are too old to be sent: `rankd-alert-mail.service` puts them there.
    private static let lateName = "late"
    /// In seconds: what was made earlier does not count.
    private static let remembered = 9 * Timestamp.secondsPerDay

    /// None.
    init() { late = 0 }

    /// - Parameter database: the history's file.
    /// - Returns: none of what may not be read.
    init(beside database: String, now: Timestamp) {
        let folder = URL(fileURLWithPath: database).deletingLastPathComponent().path + "/" + Self.folderName
        oldest = Self.moments(in: folder).min()
        late = Self.moments(in: folder + "/" + Self.lateName).count { now - Self.remembered <= $0 }
    }

    private static func moments(in folder: String) -> [Timestamp] {
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: folder) } catch { return [] }
        return names.filter { $0.hasSuffix(".eml") }.compactMap { name in
            var status = stat()
            guard lstat("\(folder)/\(name)", &status) == 0 else { return nil }
            return Timestamp(secondsSinceEpoch: Int64(status.st_mtim.tv_sec))
        }
    }
}
