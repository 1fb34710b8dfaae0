extension AlertRule {
    /// The rule as one sentence without its full stop: “when one of mine moved by 3 places or more, on tag core: to team,
    /// at most 5 a day”.
    ///
    /// - Parameters:
    ///   - settings: those that the rule is of, which say what it leaves out.
    ///   - apps: those of the watchlist, for their aliases.
    package func words(in settings: AlertSettings, apps: [WatchedApp]) -> String {
        let named = self.apps.map { AlertWording.app($0, among: apps) }
        let clauses = [ofApps(named)] + ofRivals(named) + ofTheRest
        let when = "when " + clauses.compactMap { $0 }.joined(separator: ", or when ")
        return ([when] + filters).joined(separator: ", ") + ": " + delivery(in: settings).joined(separator: ", ")
    }

    /// What one app does.
    private func ofApps(_ named: [String]) -> String? {
        let deeds = when.compactMap(deed)
        guard !deeds.isEmpty else { return nil }
        let somebody =
            switch whose {
            case .mine: "one of mine"
            case .competitors: "a competitor"
            case .all: "an app"
            }
        return (named.isEmpty ? somebody : AlertWording.list(named, "or")) + " " + AlertWording.list(deeds, "or")
    }

    private func deed(_ kind: AlertKind) -> String? {
        let far = places > 1 ? " by \(places) places or more" : ""
        return switch kind {
        case .moved: "moved" + (way.map { " \($0.rawValue)" } ?? "") + far
        case .entered: "came into \(places(top))"
        case .left: "went out of \(places(top))"
        case .drift: "slowly \(way == .up ? "rose" : way == .down ? "slid" : "rose or slid")" + far
        case .release: "got a new version"
        case .price: "changed its price"
        case .name: "changed its name"
        case .appUnknown: "was not found in the App Store"
        case .overtaken, .overtook, .newcomer, .weather, .service, .digest: nil
        }
    }

    private func places(_ top: Int?) -> String { top.map { $0 == 1 ? "first place" : "the first \($0)" } ?? "the list" }

    /// What happens between two apps.
    private func ofRivals(_ named: [String]) -> [String] {
        let names = named.isEmpty ? "" : " (\(AlertWording.list(named, "or")) on either side)"
        return when.compactMap { kind in
            switch kind {
            case .overtaken: "a competitor overtook one of mine" + names
            case .overtook: "one of mine overtook a competitor" + names
            default: nil
            }
        }
    }

    private var ofTheRest: [String] {
        when.compactMap { kind in
            switch kind {
            case .newcomer: "an app that no line names came into \(places(top ?? AlertRule.newcomersTop)) to stay"
            case .weather: "the store of a country shuffled or had a bad day"
            case .service: "rankd was degraded, down or well again"
            case .digest: "the digest is due" + (times.isEmpty ? "" : " " + due)
            default: nil
            }
        }
    }

    /// The times of day with their days of the week: “at 08:00 on Monday and Friday”.
    private var due: String {
        let byDays = Dictionary(grouping: times, by: \.weekdays).sorted { $0.value[0].minute < $1.value[0].minute }
        let parts = byDays.map { weekdays, times in
            let days = Weekday.allCases.filter { weekdays.contains($0.number) }.map(\.name)
            let clock = AlertWording.list(times.map { AlertWording.clock($0.minute) }, "and")
            return "at \(clock)" + (days.isEmpty ? "" : " on \(AlertWording.list(days, "and"))")
        }
        return AlertWording.list(parts, "and")
    }

    private var filters: [String] {
        [
            ("for ", queries.map { "“\($0)”" }), ("in ", countries.map(\.code)),
            ("on ", platforms.map(\.displayName)), ("on tag ", tags),
        ].compactMap { word, names in names.isEmpty ? nil : word + AlertWording.list(names, "or") }
    }

    private func delivery(in settings: AlertSettings) -> [String] {
        let channels = to.isEmpty ? settings.to : to
        var parts = ["to " + (channels.isEmpty ? "nobody" : AlertWording.list(channels, "and"))]
        if let atMost { parts.append("at most \(atMost) a day") }
        if cooldown > 0 { parts.append("about the same thing once in \(AlertWording.length(cooldown))") }
        if severity != .high, let hours = quietHours ?? settings.quietHours { parts.append(hours.words) }
        if severity != .normal { parts.append("of \(severity.rawValue) severity") }
        if let sensitivity { parts.append("at sensitivity \(sensitivity.rawValue)") }
        return parts
    }
}

extension QuietHours {
    /// “not from 22:00 to 07:00”.
    package var words: String { "not from \(AlertWording.clock(from)) to \(AlertWording.clock(to))" }
}

/// Parts of sentences about rules.
enum AlertWording {
    /// The alias that the watchlist has for an app, else the identifier as it is.
    static func app(_ text: String, among apps: [WatchedApp]) -> String {
        guard let bundleID = BundleID(text) else { return text }
        return apps.first { $0.bundleID == bundleID }?.alias ?? text
    }

    /// “a, b or c”.
    static func list(_ words: [String], _ conjunction: String) -> String {
        guard words.count > 1, let last = words.last else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " \(conjunction) \(last)"
    }

    /// `08:00`, of minutes after midnight.
    static func clock(_ minute: Int) -> String {
        TimeOfDay(hour: minute / 60, minute: minute % 60)?.description ?? "\(minute) min"
    }

    /// Seconds in the largest unit that divides them: “2 days”, “1 hour”.
    static func length(_ seconds: Int64) -> String {
        let units: [(name: String, seconds: Int64)] = [
            ("week", 604_800), ("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1),
        ]
        let unit = units.first { seconds.isMultiple(of: $0.seconds) } ?? ("second", 1)
        let count = seconds / unit.seconds
        return "\(count) \(unit.name)\(count == 1 ? "" : "s")"
    }
}
