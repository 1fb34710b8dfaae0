package import Foundation
package import RankKit

/// How another tool's table is to be read.
package struct ForeignTableOptions: Sendable {
    /// The tool, by which its rows are told apart from Apple's checks: `import:NAME` is their source.
    package var name: String
    /// What stands for an absence beside the usual marks, in lower case; the empty text is an empty cell.
    package var absent: Set<String>
    /// How many places the tool looked at.
    package var within: Int?
    package var country: Country?
    package var platform: Platform
    /// Of times without one.
    package var timeZone: TimeZone
    /// Whose days dates without a time are: the watchlist's; `nil` for those of `timeZone`.
    package var dayZone: TimeZone?
    /// The app of rows without one, for tables without one.
    package var app: BundleID?
    /// The time of rows without one.
    package var date: Timestamp?
    /// Whether `date` stands for a day.
    package var dateIsDay = false
    /// What the watchlist calls apps, by alias and by bundle ID, in lower case. A history that has not adopted it yet does
    /// not know them.
    package var aliases: [String: BundleID] = [:]
    /// The texts of the watchlist's queries, as `Query.fold` has them. Those of the watchlist that the history has adopted
    /// come beside them.
    package var queries: Set<String> = []
    /// Reports of rankctl's that cannot be read back.
    package var reports: [OwnReport] = []

    package init(
        name: String, absent: Set<String> = [], within: Int? = nil, country: Country? = nil,
        platform: Platform = .iphone, timeZone: TimeZone = .gmt, app: BundleID? = nil, date: Timestamp? = nil
    ) {
        self.name = name
        self.absent = absent
        self.within = within
        self.country = country
        self.platform = platform
        self.timeZone = timeZone
        self.app = app
        self.date = date
    }

    package static let largestDepth = 1_000

    var source: Source { .imported(name) }

    /// The days of dates without a time.
    var days: ZoneDays { ZoneDays(dayZone ?? timeZone) }

    /// Reads `0,999,">200",empty`.
    package static func marks(_ text: String) -> Set<String> {
        Set(
            text.split(separator: ",", omittingEmptySubsequences: true).map { mark in
                let plain = mark.trimmingCharacters(in: .whitespaces).trimmingCharacters(in: ["\"", "'"]).lowercased()
                return plain == "empty" ? "" : plain
            })
    }
}

extension Platform {
    /// As tools write it: `iPhone`, `iOS`, `mobile`; `nil` if `text` is none.
    init?(inTable text: String) {
        switch TableColumn.plain(text) {
        case "iphone", "ios", "mobile", "phone", "smartphone": self = .iphone
        case "ipad", "ipados", "pad", "tablet": self = .ipad
        case "mac", "macos", "osx", "desktop": self = .mac
        default: return nil
        }
    }
}
