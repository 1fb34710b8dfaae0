package import RankKit

/// When an app became another one: a version that the watchlist notes or that the store has shown, or a noted change
/// without a version.
package struct AppRelease: Sendable, Hashable {
    package var bundleID: BundleID
    /// As the note has it, else as Apple does; `nil` for a noted change without one.
    package var version: String?
    /// The first second of the note's day; without a note what Apple dates the version to, else the first check that
    /// showed it.
    package var at: Timestamp
    package var source: Source
    /// What Apple dates the version to; `nil` if no answer said so.
    package var releasedAt: Timestamp?
    /// The first check whose answer showed the version; `nil` if none did, or where the first answer that showed the
    /// app already did.
    package var seenAt: Timestamp?
    /// When it was known to be one, where that was later than `seenAt`: the version had given way to the one before it once,
    /// and had to stay.
    package var confirmedAt: Timestamp?
    /// The note's words; empty without a note.
    package var text: String
    /// Search texts that the change was meant to gain.
    package var added: [String]
    /// Search texts that the change gave up.
    package var removed: [String]

    package enum Source: String, Sendable, Hashable, CaseIterable {
        /// The watchlist: the day is what its user says.
        case note
        /// The store's answers.
        case sighting
    }

    package init(
        bundleID: BundleID, version: String?, at: Timestamp, source: Source, releasedAt: Timestamp? = nil,
        seenAt: Timestamp? = nil, text: String = "", added: [String] = [], removed: [String] = []
    ) {
        self.bundleID = bundleID
        self.version = version
        self.at = at
        self.source = source
        self.releasedAt = releasedAt
        self.seenAt = seenAt
        self.text = text
        self.added = added
        self.removed = removed
    }

    /// The day that counts as the release's: that of the moment, for a note its own.
    ///
    /// - Parameter days: of the watchlist's zone, by which notes are made.
    package func day(in days: ZoneDays) -> Int64 { days.day(of: at) }

    /// What versions are compared by: without regard to case, white space around it, and a `v` before a digit.
    package static func fold(version: String) -> String {
        let text = String(version.lowercased().drop(while: \.isWhitespace))
        let digits = text.hasPrefix("v") && (text.dropFirst().first?.isNumber ?? false) ? text.dropFirst() : text[...]
        return String(digits.reversed().drop(while: \.isWhitespace).reversed())
    }

    package func isVersion(_ version: String) -> Bool {
        self.version.map { Self.fold(version: $0) == Self.fold(version: version) } ?? false
    }
}
