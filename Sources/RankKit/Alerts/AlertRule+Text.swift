extension AlertRule {
    /// The rule as a line of the watchlist, without a comma: what it leaves out follows the same defaults.
    package var text: String {
        var members: [(key: String, value: String)] = []
        func add(_ key: String, _ values: [String]) {
            if !values.isEmpty { members.append((key, JSONString.list(values))) }
        }
        if let name { members.append(("name", JSONString.quoted(name))) }
        add("when", when.map(\.rawValue))
        if let way { members.append(("way", JSONString.quoted(way.rawValue))) }
        if places > 1 { members.append(("places", "\(places)")) }
        if let top { members.append(("top", "\(top)")) }
        add("apps", apps)
        add("queries", queries)
        add("countries", countries.map(\.code))
        add("platforms", platforms.map(\.rawValue))
        add("tags", tags)
        if whose != usualWhose { members.append(("whose", JSONString.quoted(whose.rawValue))) }
        add("to", to)
        if severity != .normal { members.append(("severity", JSONString.quoted(severity.rawValue))) }
        if let hours = quietHours {
            members.append(("quietHours", JSONString.quoted("\(Self.time(hours.from))-\(Self.time(hours.to))")))
        }
        if let atMost { members.append(("atMost", "\(atMost)")) }
        if cooldown > 0 { members.append(("cooldown", JSONString.quoted(Cadence.written(seconds: cooldown)))) }
        if let sensitivity { members.append(("sensitivity", JSONString.quoted(sensitivity.rawValue))) }
        add("at", times.map { Self.time($0.minute) })
        add("on", Weekday.allCases.filter { times.first?.weekdays.contains($0.number) ?? false }.map(\.rawValue))
        return WatchlistEditor.object(members)
    }

    /// Whose apps it is about if it does not say.
    private var usualWhose: Whose {
        apps.isEmpty && when.contains { WatchlistDecoder.isOfMine.contains($0) } ? .mine : .all
    }

    private static func time(_ minute: Int) -> String {
        TimeOfDay(hour: minute / 60, minute: minute % 60)?.description ?? ""
    }
}
