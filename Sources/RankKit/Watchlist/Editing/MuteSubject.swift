/// What a person wants to mute: an app by its alias or bundle identifier, a kind of message such as `weather`, or with a
/// word before it `app:habits`, `query:habit tracker`, `country:us`, `tag:core`, `when:weather`.
struct MuteSubject {
    /// The key of a mute that it is written under.
    let key: String
    /// What stands under the key.
    let value: String
    /// The mute that these come to, without an end.
    let mute: AlertMute

    /// - Throws: `unknownSubject`; `ambiguousSubject`.
    init(_ text: String, in watchlist: Watchlist) throws(WatchlistEditor.Refusal) {
        let text = WatchlistDecoder.trimmed(text)
        let found = Self.plain(text, in: watchlist) + [Self.marked(text, in: watchlist)].compactMap { $0 }
        guard let first = found.first else {
            throw .unknownSubject(TextRule.shown(text), remedy: Self.remedy(text, in: watchlist))
        }
        guard found.count == 1 else { throw .ambiguousSubject(text, meanings: found.map(\.description)) }
        self = first
    }

    private init(key: String, value: String, mute: AlertMute) {
        self.key = key
        self.value = value
        self.mute = mute
    }

    /// With the word before it, so that it means this alone.
    private var description: String { "\(key):\(value)" }

    /// Whether `other` is of this and of nothing else, until whatever day.
    func isMuted(by other: AlertMute) -> Bool {
        var other = other
        other.until = nil
        if let own = mute.app, let app = other.app, BundleID(app) == BundleID(own) { other.app = own }
        if let own = mute.query, let query = other.query, Query.fold(query) == Query.fold(own) { other.query = own }
        return other == mute
    }

    // MARK: What a text can mean

    /// What needs no word before it.
    private static func plain(_ text: String, in watchlist: Watchlist) -> [MuteSubject] {
        [app(text, in: watchlist), AlertKind(rawValue: text).map(kind)].compactMap { $0 }
    }

    private static func marked(_ text: String, in watchlist: Watchlist) -> MuteSubject? {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let value = WatchlistDecoder.trimmed(String(text[text.index(after: colon)...]))
        return switch text[..<colon] {
        case "app": app(value, in: watchlist)
        case "query": query(value, in: watchlist)
        case "country": country(value, in: watchlist)
        case "tag": tag(value, in: watchlist)
        case "when": AlertKind(rawValue: value).map(kind)
        default: nil
        }
    }

    private static func app(_ name: String, in watchlist: Watchlist) -> MuteSubject? {
        let bundleID = BundleID(name)
        // An alias comes first, as everywhere.
        let app =
            watchlist.apps.first { $0.alias == name }
            ?? watchlist.apps.first { bundleID != nil && $0.bundleID == bundleID }
        return app.map {
            MuteSubject(key: "app", value: $0.alias ?? $0.bundleID.text, mute: AlertMute(app: $0.bundleID.text))
        }
    }

    private static func query(_ text: String, in watchlist: Watchlist) -> MuteSubject? {
        let folded = Query.fold(text)
        guard let known = watchlist.queries.first(where: { $0.query.folded == folded })?.query.text else { return nil }
        return MuteSubject(key: "query", value: known, mute: AlertMute(query: known))
    }

    private static func country(_ code: String, in watchlist: Watchlist) -> MuteSubject? {
        guard let country = Country(written: code), watchlist.queries.contains(where: { $0.query.country == country })
        else { return nil }
        return MuteSubject(key: "country", value: country.code, mute: AlertMute(country: country))
    }

    private static func tag(_ tag: String, in watchlist: Watchlist) -> MuteSubject? {
        guard watchlist.queries.contains(where: { $0.pairs.contains { $0.tags.contains(tag) } }) else { return nil }
        return MuteSubject(key: "tag", value: tag, mute: AlertMute(tag: tag))
    }

    private static func kind(_ kind: AlertKind) -> MuteSubject {
        MuteSubject(key: "when", value: kind.rawValue, mute: AlertMute(kind: kind))
    }

    /// What may have been meant by a text that means nothing.
    private static func remedy(_ text: String, in watchlist: Watchlist) -> String {
        let unmarked = [query(text, in: watchlist), country(text, in: watchlist), tag(text, in: watchlist)]
            .compactMap { $0?.description }
        if !unmarked.isEmpty { return "did you mean \(AlertWording.list(unmarked, "or"))?" }
        let countries = Set(watchlist.queries.map(\.query.country.code)).sorted()
        if text.hasPrefix("country:") { return "the countries here are \(WatchlistDecoder.listed(countries))" }
        let apps = watchlist.apps.prefix(1_000).flatMap { [$0.alias, $0.bundleID.text].compactMap { $0 } }
        let queries = Set(watchlist.queries.prefix(1_000).map(\.query.text)).sorted().map { "query:\($0)" }
        let tags = Set(watchlist.queries.flatMap(\.pairs).flatMap(\.tags)).sorted().prefix(1_000).map { "tag:\($0)" }
        let kinds = AlertKind.allCases.map(\.rawValue)
        if let meant = Spelling.nearest(to: text, in: apps + kinds + queries + tags) {
            return "did you mean “\(TextRule.shown(meant))”?"
        }
        return "name an app of the watchlist, query:TEXT, country:CODE, tag:TAG, or a kind of message: "
            + kinds.joined(separator: ", ")
    }
}
