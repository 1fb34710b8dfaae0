import JSON5

extension WatchlistDecoder {
    private static let muteExample = "{ \"app\": \"habits\", \"until\": \"2026-12-24\" }"

    mutating func mutes(_ place: JSON5Node) -> [AlertMute] {
        let elements = elements(place, example: Self.muteExample) ?? []
        return bounded(elements, by: AlertLimits.mutes, called: "mutes").compactMap { mute($0) }
    }

    private mutating func mute(_ place: JSON5Node) -> AlertMute? {
        guard let fields = fields(place, of: .mute, remedy: "write \(Self.muteExample)") else { return nil }
        guard fields.members.contains(where: { $0.key != "until" }) else {
            refuse(
                place, "nothing is muted",
                "add one or more of app, query, country, tag and when; without a rule nothing is sent at all")
            return nil
        }
        var mute = AlertMute()
        if let place = fields["app"] { mute.app = knownApp(place)?.text }
        if let place = fields["query"] { mute.query = knownQuery(place) }
        if let place = fields["country"] { mute.country = askedCountry(place) }
        if let place = fields["tag"] { mute.tag = knownTag(place) }
        if let place = fields["when"] {
            mute.kind = word(place, example: AlertKind.weather, called: "kind of message")
            if let kind = mute.kind { refuseIdleOptions(fields, when: [kind]) }
        }
        if let place = fields["until"] { mute.until = day(place) }
        return mute
    }
}
