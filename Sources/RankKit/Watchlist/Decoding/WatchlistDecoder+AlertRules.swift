import JSON5

extension WatchlistDecoder {
    /// - Parameter hasCommon: whether `alerts` says where messages go of rules that do not.
    mutating func rules(_ place: JSON5Node, among channels: [String]?, hasCommon: Bool) -> [AlertRule]? {
        guard let elements = nonEmpty(place, example: "{ \"when\": [\"moved\"] }") else { return nil }
        var names: Set<String> = []
        var rules: [AlertRule] = []
        var hasUsual = false
        for element in bounded(elements, by: AlertLimits.rules, called: "rules") {
            if case .string(let word) = element.value {
                guard readUsual(word, element, isFirst: !hasUsual, hasCommon: hasCommon, channels) else { continue }
                hasUsual = true
                rules += AlertRule.defaults
                continue
            }
            guard let fields = fields(element, of: .rule, remedy: "write { \"when\": [\"moved\"] }") else { continue }
            if !hasCommon, fields["to"] == nil {
                refuse(
                    element, "no “to”, and alerts has none either",
                    "add \"to\": [\(Self.quotedExample(channels))] here or to alerts")
            }
            if let rule = rule(fields, among: channels, names: &names) { rules.append(rule) }
        }
        if !hasUsual, !rules.isEmpty, rules.allSatisfy({ $0.when == [.digest] }) {
            warn(
                place, "with these rules only the digest is sent, because they replace the usual rules",
                "write \"\(AlertRule.usual)\" in front of them to keep the usual rules")
        }
        return rules
    }

    /// Whether a rule that is a text is the word for the usual rules.
    private mutating func readUsual(
        _ word: String, _ place: JSON5Node, isFirst: Bool, hasCommon: Bool, _ channels: [String]?
    ) -> Bool {
        guard word == AlertRule.usual else {
            refuse(
                place, "“\(TextRule.shown(word))” is not a rule",
                "write \"\(AlertRule.usual)\" for the usual rules, or { \"when\": [\"moved\"] }")
            return false
        }
        guard isFirst else {
            refuse(place, "the usual rules are named twice", "keep one of them")
            return false
        }
        if !hasCommon {
            refuse(
                place, "no “to” in alerts: nothing says where messages of the usual rules go",
                "add \"to\": [\(Self.quotedExample(channels))] to alerts")
        }
        return true
    }

    private mutating func rule(
        _ fields: Fields, among channels: [String]?, names: inout Set<String>
    ) -> AlertRule? {
        // Read in any case, so that a mistake in `when` does not hide the others.
        let when = kinds(in: fields)
        var rule = AlertRule(when: when ?? AlertKind.allCases)
        if let place = fields["name"] { rule.name = ruleName(place, among: &names) }
        if let place = fields["to"] { rule.to = channelNames(place, among: channels) }
        readFilters(fields, into: &rule)
        readShape(fields, into: &rule)
        readDigest(fields, isDigest: when?.contains(.digest), into: &rule)
        guard let when else { return nil }
        refuseIdleOptions(fields, when: when)
        return rule
    }

    /// `nil` if any of them is wrong: what the others mean for the rest of the rule is not known then.
    private mutating func kinds(in fields: Fields) -> [AlertKind]? {
        guard let place = fields["when"] else {
            refuse(
                fields.place, "no “when”",
                "add \"when\" with one or more of \(AlertKind.allCases.map(\.rawValue).joined(separator: ", "))")
            return nil
        }
        let places = oneOrMore(place, example: "moved")
        let kinds = places.compactMap { word($0, example: AlertKind.moved, called: "kind of message") }
        return kinds.isEmpty || kinds.count < places.count ? nil : distinct(kinds)
    }

    private mutating func ruleName(_ place: JSON5Node, among names: inout Set<String>) -> String? {
        guard let text = text(place, example: "big moves") else { return nil }
        let name = Self.trimmed(text)
        guard !name.isEmpty, name.utf8.count <= AlertLimits.longestName, !TextRule.hasControl(text) else {
            refuse(
                place, "“\(TextRule.shown(text))” is not a valid name",
                "write a few words of at most \(AlertLimits.longestName) bytes on one line")
            return nil
        }
        guard names.insert(name.lowercased()).inserted else {
            refuse(place, "another rule is called “\(TextRule.shown(name))”", "choose another name")
            return nil
        }
        return name
    }

    /// What the rule is about.
    private mutating func readFilters(_ fields: Fields, into rule: inout AlertRule) {
        let named = places(["app", "apps"], in: fields, example: "habits").compactMap { place in
            knownApp(place).map { (place, $0.text, $0.index) }
        }
        rule.apps = distinct(named.map(\.1))
        rule.queries = distinct(
            places(["query", "queries"], in: fields, example: "habit tracker").compactMap { knownQuery($0) })
        rule.countries = distinct(
            places(["country", "countries"], in: fields, example: "us").compactMap { askedCountry($0) })
        rule.platforms = distinct(
            places(["platform", "platforms"], in: fields, example: "iphone").compactMap { askedPlatform($0) })
        rule.tags = distinct(places(["tag", "tags"], in: fields, example: "core").compactMap { knownTag($0) })
        let isAboutPlaces = rule.when.contains { Self.isOfMine.contains($0) }
        rule.whose = isAboutPlaces && named.isEmpty ? .mine : .all
        guard let place = fields["whose"] else { return }
        guard let whose = word(place, example: AlertRule.Whose.mine, called: "word for apps") else { return }
        rule.whose = whose
        // Who is whose competitor is known only of apps that are declared without a mistake.
        guard whose != .all, !hasMistakes else { return }
        for (place, _, index) in named where apps[index].isMine != (whose == .mine) {
            refuse(
                place, "the app is \(apps[index].isMine ? "yours" : "a competitor"), and the rule is about \(whose)",
                "take it out, or leave out \"whose\"")
        }
    }

    /// Rules about these mean one's own apps, unless they say otherwise.
    static let isOfMine: Set<AlertKind> = [.moved, .entered, .left, .overtaken, .overtook, .drift]

    /// The values of the one key of `keys`, a singular and its plural, that is given.
    private mutating func places(_ keys: [String], in fields: Fields, example: String) -> [JSON5Node] {
        guard let (key, place) = onlyOne(of: keys, in: fields) else { return [] }
        if key == keys[0] { return [place] }
        return nonEmpty(place, example: JSONString.quoted(example)) ?? []
    }

    /// How large, how keen, how often.
    private mutating func readShape(_ fields: Fields, into rule: inout AlertRule) {
        if let place = fields["way"] { rule.way = word(place, example: AlertRule.Direction.up, called: "way") }
        if let place = fields["places"] { rule.places = wholeNumber(place, in: AlertLimits.places) ?? rule.places }
        if let place = fields["top"] { rule.top = wholeNumber(place, in: AlertLimits.places) }
        if let place = fields["severity"] {
            rule.severity = word(place, example: AlertSeverity.high, called: "severity") ?? rule.severity
        }
        if let place = fields["quietHours"] {
            rule.quietHours = quietHours(place)
            if rule.severity == .high {
                refuse(
                    place, "messages of high severity are sent in quiet hours too",
                    "leave out “quietHours”, or choose another severity")
            }
        }
        if let place = fields["atMost"] { rule.atMost = wholeNumber(place, in: AlertLimits.messagesPerDay) }
        if let place = fields["cooldown"] {
            rule.cooldown =
                lengthOfTime(place, in: AlertLimits.cooldown, example: "2d", range: "1m to 52w") ?? rule.cooldown
        }
        if let place = fields["sensitivity"] { rule.sensitivity = sensitivity(place) }
    }

    /// When the digest is sent.
    private mutating func readDigest(_ fields: Fields, isDigest: Bool?, into rule: inout AlertRule) {
        let days = fields["on"].map { weekdays($0) } ?? []
        guard let place = fields["at"] else {
            if isDigest == true {
                refuse(fields.place, "no “at”: nothing says when the digest is sent", "add \"at\": \"08:00\"")
            }
            return
        }
        guard case .at(let times) = at(place) else { return }
        rule.times = times.map { DigestTime(minute: $0.minuteOfDay, weekdays: days) }
    }

    private mutating func weekdays(_ place: JSON5Node) -> Set<Int> {
        Set(
            oneOrMore(place, example: "mon").compactMap { place in
                word(place, example: Weekday.mon, called: "day of the week").map(\.number)
            })
    }

    /// An option is given that none of the kinds has.
    mutating func refuseIdleOptions(_ fields: Fields, when: [AlertKind]) {
        for member in fields.members {
            guard let option = AlertOption(key: member.key), !option.kinds.contains(where: when.contains) else {
                continue
            }
            let named = when.map { "“\($0.rawValue)”" }.joined(separator: ", ")
            refuse(
                at: member.keyRange.lowerBound, "“\(member.key)” means nothing for \(named)",
                "leave it out: it is for \(option.kinds.map(\.rawValue).joined(separator: ", "))")
        }
    }
}

/// The days of the week by the words of the watchlist.
package enum Weekday: String, Sendable, Hashable, CaseIterable {
    case mon, tue, wed, thu, fri, sat, sun

    /// 1 (Monday) to 7.
    package var number: Int {
        switch self {
        case .mon: 1
        case .tue: 2
        case .wed: 3
        case .thu: 4
        case .fri: 5
        case .sat: 6
        case .sun: 7
        }
    }

    package var name: String {
        switch self {
        case .mon: "Monday"
        case .tue: "Tuesday"
        case .wed: "Wednesday"
        case .thu: "Thursday"
        case .fri: "Friday"
        case .sat: "Saturday"
        case .sun: "Sunday"
        }
    }
}
