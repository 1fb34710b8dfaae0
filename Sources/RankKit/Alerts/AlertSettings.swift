/// `alerts` of a watchlist: what is worth a message, and where messages go.
package struct AlertSettings: Sendable, Hashable {
    /// By name, in the order of the file.
    package var channels: [AlertChannel]
    /// The names of the channels that a rule goes to which names none.
    package var to: [String]
    /// Never empty: `AlertRule.defaults` where the file has none.
    package var rules: [AlertRule]
    /// Whether the rules are the defaults.
    package var hasDefaultRules: Bool
    package var mutes: [AlertMute]
    /// `nil` for the watchlist's.
    package var sensitivity: Sensitivity?
    /// For rules that have none of their own.
    package var quietHours: QuietHours?

    package init(
        channels: [AlertChannel] = [], to: [String] = [], rules: [AlertRule]? = nil, mutes: [AlertMute] = [],
        sensitivity: Sensitivity? = nil, quietHours: QuietHours? = nil
    ) {
        self.channels = channels
        self.to = to
        self.rules = rules ?? AlertRule.defaults
        hasDefaultRules = rules == nil
        self.mutes = mutes
        self.sensitivity = sensitivity
        self.quietHours = quietHours
    }
}

/// What is worth a message.
package struct AlertRule: Sendable, Hashable {
    /// Whose apps it is about.
    package enum Whose: String, Sendable, Hashable, CaseIterable {
        case mine, competitors, all
    }

    package enum Direction: String, Sendable, Hashable, CaseIterable {
        case up, down
    }

    /// As people call it, 1–100 bytes, different from those of other rules; `nil` for the words of `when`.
    package var name: String?
    /// Never empty, no kind twice.
    package var when: [AlertKind]
    /// Of `moved` and `drift`; `nil` for both.
    package var way: Direction?
    /// Places that `moved` and `drift` take at least, 1–200.
    package var places: Int
    /// The first places that `entered`, `left` and `newcomer` are about, 1–200; `nil` for the list (`newcomer`:
    /// `newcomersTop`).
    package var top: Int?
    /// Bundle identifiers in any case, also where the watchlist has an alias; empty for all. Likewise below.
    package var apps: [String]
    /// Search texts.
    package var queries: [String]
    package var countries: [Country]
    package var platforms: [Platform]
    package var tags: [String]
    package var whose: Whose
    /// Names of channels; empty for those of the settings.
    package var to: [String]
    package var severity: AlertSeverity
    /// `nil` for those of the settings.
    package var quietHours: QuietHours?
    /// Messages a day, 1–1,000; `nil` for as many as there are. What is over is told in the next day's first.
    package var atMost: Int?
    /// Seconds after a message in which the same subject is not told of again; 0 for none.
    package var cooldown: Int64
    /// `nil` for that of the settings.
    package var sensitivity: Sensitivity?
    /// When `digest` is sent; empty for a rule without it.
    package var times: [DigestTime]

    package init(
        name: String? = nil, when: [AlertKind], way: Direction? = nil, places: Int = 1, top: Int? = nil,
        apps: [String] = [],
        queries: [String] = [], countries: [Country] = [], platforms: [Platform] = [], tags: [String] = [],
        whose: Whose = .mine, to: [String] = [], severity: AlertSeverity = .normal, quietHours: QuietHours? = nil,
        atMost: Int? = nil, cooldown: Int64 = 0, sensitivity: Sensitivity? = nil, times: [DigestTime] = []
    ) {
        self.name = name
        self.when = when
        self.way = way
        self.places = places
        self.top = top
        self.apps = apps
        self.queries = queries
        self.countries = countries
        self.platforms = platforms
        self.tags = tags
        self.whose = whose
        self.to = to
        self.severity = severity
        self.quietHours = quietHours
        self.atMost = atMost
        self.cooldown = cooldown
        self.sensitivity = sensitivity
        self.times = times
    }

    /// The first places that newcomers are told of where a rule says nothing.
    package static let newcomersTop = 10

    /// What stands for `defaults` among the rules of a watchlist.
    package static let usual = "usual"

    /// What is told where a watchlist names channels and no rules: what asks for a decision, of mine.
    package static let defaults = [
        AlertRule(when: [.moved, .entered, .left, .overtaken, .drift]),
        AlertRule(when: [.weather], whose: .all, severity: .low),
        AlertRule(when: [.newcomer], top: 3, whose: .all, severity: .low),
        AlertRule(when: [.release, .name], whose: .competitors, severity: .low),
        AlertRule(when: [.appUnknown, .service], whose: .all, severity: .high),
    ]
}

/// When the digest is sent: a time of day, on some days of the week.
package struct DigestTime: Sendable, Hashable {
    /// Minutes after midnight in the watchlist's zone, 0–1,439.
    package var minute: Int
    /// 1 (Monday) to 7; empty for every day.
    package var weekdays: Set<Int>

    package init(minute: Int, weekdays: Set<Int> = []) {
        self.minute = minute
        self.weekdays = weekdays
    }
}

/// Hours of the day in which nothing is sent but what is of high severity: it waits until they are over.
package struct QuietHours: Sendable, Hashable {
    /// Minutes after midnight in the watchlist's zone, 0–1,439; the second is not in it any more, and may be the lesser.
    package var from: Int
    package var to: Int

    package init(from: Int, to: Int) {
        self.from = from
        self.to = to
    }

    package func contains(minute: Int) -> Bool {
        from <= to ? (from..<to).contains(minute) : minute >= from || minute < to
    }
}

/// What nothing is sent about until a day.
package struct AlertMute: Sendable, Hashable {
    /// A bundle identifier in any case, also where the watchlist has an alias; `nil` for all. Likewise below: what has
    /// several is of pairs with all of them.
    package var app: String?
    package var query: String?
    package var country: Country?
    package var tag: String?
    package var kind: AlertKind?
    /// `YYYY-MM-DD`: the first day, in the watchlist's zone, on which messages are sent again; `nil` for ever.
    package var until: String?

    package init(
        app: String? = nil, query: String? = nil, country: Country? = nil, tag: String? = nil, kind: AlertKind? = nil,
        until: String? = nil
    ) {
        self.app = app
        self.query = query
        self.country = country
        self.tag = tag
        self.kind = kind
        self.until = until
    }
}
