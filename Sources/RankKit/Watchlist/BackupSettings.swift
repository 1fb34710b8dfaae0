import JSON5

/// When the service backs its history up by itself, and how many copies it keeps.
package struct BackupSettings: Sendable, Hashable {
    /// Seconds from one backup to the next.
    package var every: Int64
    /// How many of its own backups stay; older ones are deleted.
    package var keep: Int
    /// An absolute path; `nil` for the folder `backups` beside the database.
    package var directory: String?

    /// An hour to four weeks.
    package static let permittedSeconds: ClosedRange<Int64> = 3_600...2_419_200
    package static let permittedCopies = 1...1_000

    package init(every: Int64 = Timestamp.secondsPerDay, keep: Int = 7, directory: String? = nil) {
        self.every = every
        self.keep = keep
        self.directory = directory
    }
}

extension WatchlistDecoder {
    /// Reads `{ "every": "24h", "keep": 7, "directory": "/srv/backups" }`, of which all may be left out.
    mutating func backup(_ place: JSON5Node) -> BackupSettings? {
        let remedy = "write { \"every\": \"24h\", \"keep\": 7 }"
        guard let fields = fields(place, of: .backup, remedy: remedy) else { return nil }
        var settings = BackupSettings()
        if let value = fields["every"], let seconds = backupInterval(value) { settings.every = seconds }
        if let value = fields["keep"], let keep = wholeNumber(value, in: BackupSettings.permittedCopies) {
            settings.keep = keep
        }
        if let value = fields["directory"] { settings.directory = backupDirectory(value) }
        return settings
    }

    private mutating func backupInterval(_ place: JSON5Node) -> Int64? {
        guard let text = text(place, example: "24h") else { return nil }
        guard let seconds = Self.seconds(of: text) else {
            refuse(
                place, "“\(TextRule.shown(text))” is not a length of time",
                "write a whole number and h, d or w, such as 12h, 24h or 1w")
            return nil
        }
        guard BackupSettings.permittedSeconds.contains(seconds) else {
            refuse(place, "“\(TextRule.shown(text))” is not in the range", "write a length from 1h to 4w")
            return nil
        }
        return seconds
    }

    private mutating func backupDirectory(_ place: JSON5Node) -> String? {
        guard let path = text(place, example: "/srv/backups") else { return nil }
        guard path.hasPrefix("/"), !TextRule.hasControl(path), path.utf8.count <= 4_000 else {
            refuse(
                place, "“\(TextRule.shown(path))” is not an absolute path",
                "write one such as \"/srv/backups\", or leave it out for the folder backups beside the database")
            return nil
        }
        return path
    }
}
