package import RankKit

/// What is sent, whatever the way out: some lines about what came at once.
package struct AlertMessage: Sendable, Hashable {
    /// The same on every try, and of no other message: 1–64 of `[A-Za-z0-9_-]`.
    package var id: String
    /// When it was decided.
    package var at: Timestamp
    package var severity: AlertSeverity
    /// One line, such as “habits: #34 → #9 for ‘habit tracker’ (us, iPhone)”.
    package var title: String
    /// Mine before competitors, the biggest first.
    package var lines: [Line]
    /// Lines that were left out for want of room.
    package var omitted: Int
    /// `Line.event` of all that it tells of, those that were left out included.
    package var events: [String]
    /// What is not shown as a line, such as that older messages were summed up.
    package var remark: String?
    /// Whether it is one that somebody asked for to try the way out.
    package var isTest: Bool

    /// Where an app was on a day, by its last good check.
    package enum DayPlace: Sendable, Hashable {
        /// 1 is the first.
        case place(Int)
        /// Not in the list.
        case absent
        /// There was no good check, or none that says anything of the app.
        case unknown

        package init(_ reading: Reading?) {
            self = reading.map { $0.position.map { .place($0.number) } ?? .absent } ?? .unknown
        }

        /// `nil` if it was at none, or that is not known.
        package var number: Int? { if case .place(let number) = self { number } else { nil } }
    }

    /// One event, in words.
    package struct Line: Sendable, Hashable {
        package var kind: AlertKind
        /// Which event it is, the same on every decision: what is withdrawn before it was sent is found by it.
        package var event: String
        /// A sentence without what the store says.
        package var text: String
        /// What it is about, as the store and the watchlist call it; escaped by each way out.
        package var app: String?
        package var bundleID: BundleID?
        package var query: String?
        package var country: Country?
        package var platform: Platform?
        /// Apple's code; `nil` for a query without one, and for what is about no query.
        package var language: String?
        package var from: Int?
        package var to: Int?
        /// `YYYY-MM-DD`: since when.
        package var since: String?
        /// Newest last, one a day.
        package var places: [DayPlace]
        package var isMine: Bool
        /// As that of its event, by which lines are sorted.
        package var size: Double

        package init(
            kind: AlertKind, event: String = "", text: String, app: String? = nil, bundleID: BundleID? = nil,
            query: String? = nil,
            country: Country? = nil, platform: Platform? = nil, language: String? = nil, from: Int? = nil,
            to: Int? = nil,
            since: String? = nil, places: [DayPlace] = [], isMine: Bool = true, size: Double = 0
        ) {
            self.kind = kind
            self.event = event
            self.text = text
            self.app = app
            self.bundleID = bundleID
            self.query = query
            self.country = country
            self.platform = platform
            self.language = language
            self.from = from
            self.to = to
            self.since = since
            self.places = places
            self.isMine = isMine
            self.size = size
        }
    }

    package init(
        id: String, at: Timestamp, severity: AlertSeverity, title: String, lines: [Line], omitted: Int = 0,
        events: [String] = [], remark: String? = nil, isTest: Bool = false
    ) {
        self.id = id
        self.at = at
        self.severity = severity
        self.title = title
        self.lines = lines
        self.omitted = omitted
        self.events = events
        self.remark = remark
        self.isTest = isTest
    }
}
