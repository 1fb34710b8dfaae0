import Foundation
import GRDB
package import RankKit

/// How the backups that the service makes by itself are doing.
package struct BackupRecord: Sendable, Hashable {
    /// Seconds from one to the next.
    package var every: Int64
    /// Since when the watchlist wants them.
    package var wantedSince: Timestamp
    package var lastAt: Timestamp?
    /// Of the newest try, where that failed.
    package var failedAt: Timestamp?
    package var failure: String?
    /// Lists that are damaged in the newest one and were not in the one before.
    package var newlyDamaged: Int

    package init(
        every: Int64, wantedSince: Timestamp, lastAt: Timestamp? = nil, failedAt: Timestamp? = nil,
        failure: String? = nil, newlyDamaged: Int = 0
    ) {
        self.every = every
        self.wantedSince = wantedSince
        self.lastAt = lastAt
        self.failedAt = failedAt
        self.failure = failure
        self.newlyDamaged = newlyDamaged
    }

    /// Whether one is to be made, or the last is in the future because the clock was set back. After a failure an hour
    /// goes by first.
    package func isDue(at now: Timestamp) -> Bool {
        if let failedAt, failedAt <= now, now < failedAt + Self.retryDelay { return false }
        guard let lastAt else { return true }
        return lastAt + every <= now || now < lastAt
    }

    /// Seconds until one that failed is tried again.
    package static let retryDelay: Int64 = 3_600

    /// Whether the last good one is older than two intervals.
    package func isLate(at now: Timestamp) -> Bool { (lastAt ?? wantedSince) + 2 * every < now }

    /// `nil` if the watchlist wants no backups.
    init?(in database: Database) throws {
        guard let every = try Setting.backupEvery.positive(in: database).map(Int64.init) else { return nil }
        func moment(_ setting: Setting) throws -> Timestamp? {
            try setting.moment(in: database)
        }
        self.init(
            every: every, wantedSince: try moment(.backupWantedSince) ?? Timestamp(secondsSinceEpoch: 0),
            lastAt: try moment(.lastBackup), failedAt: try moment(.backupFailedAt),
            failure: try Setting.backupFailure.text(in: database),
            newlyDamaged: try Setting.newBackupDamage.integer(in: database).map { Int($0) } ?? 0)
    }

    /// Takes up what a new watchlist says.
    static func adopt(_ settings: BackupSettings?, now: Timestamp, in database: Database) throws {
        if settings == nil {
            try Setting.backupWantedSince.set(nil, in: database)
        } else if try Setting.backupEvery.integer(in: database) == nil {
            try Setting.backupWantedSince.set(now.secondsSinceEpoch, in: database)
        }
        try Setting.backupEvery.set(settings?.every, in: database)
    }
}

extension HistoryStore {
    /// `nil` if the watchlist wants no backups.
    package func backups() async throws -> BackupRecord? {
        try await read { try BackupRecord(in: $0) }
    }

    /// - Parameter damaged: how many lists in it cannot be read.
    package func noteBackup(at now: Timestamp, damaged: Int = 0) async throws {
        try await write { database, isAgain in
            if try !isAgain || Setting.lastBackup.integer(in: database) != now.secondsSinceEpoch {
                // An earlier version made backups and noted no damage: what is in them may be known for long.
                let isFirst = try Setting.lastBackup.integer(in: database) == nil
                let known = try Setting.backupDamage.integer(in: database).map { Int($0) } ?? (isFirst ? 0 : damaged)
                try Setting.newBackupDamage.set(damaged > known ? damaged - known : nil, in: database)
                try Setting.backupDamage.set(damaged, in: database)
            }
            try Setting.lastBackup.set(now.secondsSinceEpoch, in: database)
            try Setting.backupFailedAt.set(nil, in: database)
            try Setting.backupFailure.set(nil, in: database)
        }
    }

    package func noteBackupFailure(_ reason: String, at now: Timestamp) async throws {
        try await write { database in
            try Setting.backupFailedAt.set(now.secondsSinceEpoch, in: database)
            try Setting.backupFailure.set(reason.cut(toBytes: 300), in: database)
        }
    }

    /// Makes one of the service's own backups in `directory`, making that too, and deletes the oldest of them; but never
    /// the newest without damaged lists, which may be the last that has them.
    ///
    /// - Returns: the new file's name, and which lists in it are damaged.
    /// - Throws: as `HistoryReader.backUp` does.
    package nonisolated func backUp(
        into directory: String?, keeping count: Int, pause: Duration, now: Timestamp
    ) async throws -> (name: String, damaged: [Finding]) {
        let folder = directory ?? URL(fileURLWithPath: path).deletingLastPathComponent().path + "/backups"
        try DatabaseFile.makeFolder(folder)
        let name = BackupName.scheduled(of: path, at: now)
        // The same moment again: the clock was set back, or a run that could not note its success.
        let copy = try await HistoryReader(path: path).backUp(to: folder + "/" + name, replaces: true, pause: pause)
        if copy.damaged.isEmpty { try await write { try Setting.soundBackup.set(name, in: $0) } }
        let sound = try await read { try Setting.soundBackup.text(in: $0) }
        try Self.thin(folder, of: path, keeping: count, and: sound, orOldest: !copy.damaged.isEmpty)
        return (name, copy.damaged)
    }

    /// Deletes all but the newest of the files that the service named itself, and nothing else.
    ///
    /// - Parameters:
    ///   - sound: the name of one that stays in any case.
    ///   - oldest: whether the oldest does where none is known to be sound.
    private static func thin(
        _ folder: String, of database: String, keeping count: Int, and sound: String?, orOldest oldest: Bool
    ) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { BackupName.isScheduled($0, of: database) }
            .sorted(by: >)
        for name in names.dropFirst(count) where name != sound ?? (oldest ? names.last : nil) {
            var status = stat()
            guard lstat("\(folder)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            guard unlink("\(folder)/\(name)") == 0 else {
                throw FileRefusal.writing(errno: errno, path: "\(folder)/\(name)", option: nil)
            }
        }
    }
}
