import JSON5

/// What rules and mutes name: apps, queries, countries, platforms and tags of the same watchlist.
extension WatchlistDecoder {
    /// An app that the watchlist knows, by its alias or its bundle identifier.
    ///
    /// - Returns: its bundle identifier, and its place in `apps`.
    mutating func knownApp(_ place: JSON5Node) -> (text: String, index: Int)? {
        guard let name = text(place, example: "habits") else { return nil }
        // An alias comes first, as everywhere. Its identifier is spelled as its declaration has it.
        if let index = aliasIndices[name] { return (apps[index].bundleID.text, index) }
        if let bundleID = BundleID(name), let index = appIndices[bundleID] { return (name, index) }
        guard !mayBeKnown(name) else { return nil }
        let names = apps.lazy.prefix(1_000).flatMap { [$0.alias, $0.bundleID.text].compactMap { $0 } }
        refuse(
            place, "the watchlist has no app “\(TextRule.shown(name))”",
            nearest(to: name, in: names).map { "did you mean “\($0)”?" }
                ?? "write an alias of apps, or the bundleId of an app that a line watches")
        return nil
    }

    mutating func knownQuery(_ place: JSON5Node) -> String? {
        guard let term = term(place) else { return nil }
        guard queriesByText[Query.fold(term)] == nil, !mayBeKnown(term) else { return term }
        refuse(
            place, "no line asks for “\(TextRule.shown(term))”",
            nearest(to: term, in: expansion.queries.lazy.map(\.query.text).prefix(1_000))
                .map { "did you mean “\(TextRule.shown($0))”?" } ?? "write a query that a line of watch has")
        return nil
    }

    mutating func knownTag(_ place: JSON5Node) -> String? {
        guard let tag = tag(place) else { return nil }
        guard !watchedTags.contains(tag), !mayBeKnown(tag) else { return tag }
        let tags = watchedTags.sorted()
        refuse(
            place, "no line has the tag “\(TextRule.shown(tag))”",
            nearest(to: tag, in: tags.prefix(1_000)).map { "did you mean “\(TextRule.shown($0))”?" }
                ?? (tags.isEmpty ? "add it to the tags of a line" : "the tags are \(Self.listed(tags))"))
        return nil
    }

    /// A country; one in which nothing is asked is remarked upon.
    mutating func askedCountry(_ place: JSON5Node) -> Country? {
        guard let country = country(place) else { return nil }
        if !watchedCountries.contains(country), !watchedCountries.isEmpty {
            warn(
                place, "no line asks in “\(country)”",
                "the countries here are \(Self.listed(watchedCountries.map(\.code).sorted()))")
        }
        return country
    }

    /// A platform; one on which nothing is asked is remarked upon.
    mutating func askedPlatform(_ place: JSON5Node) -> Platform? {
        guard let platform = platform(place) else { return nil }
        if !watchedPlatforms.contains(platform), !watchedPlatforms.isEmpty {
            warn(
                place, "no line asks on “\(platform.rawValue)”",
                "the platforms here are \(Self.listed(watchedPlatforms.map(\.rawValue).sorted()))")
        }
        return platform
    }

    /// Whether a line or an app that is wrong in another way may have this name: then the name is not wrong as well.
    private mutating func mayBeKnown(_ name: String) -> Bool {
        hasMistakes && writtenTexts.contains(Query.fold(name))
    }

    /// Every text and every key of a document apart from its `alerts`, folded.
    static func textsBesideAlerts(of root: JSON5Node) -> Set<String> {
        var texts: Set<String> = []
        guard case .object(let members) = root.value else { return texts }
        for member in members where member.key != "alerts" { collect(member.value, into: &texts) }
        return texts
    }

    private static func collect(_ node: JSON5Node, into texts: inout Set<String>) {
        switch node.value {
        case .string(let text): texts.insert(Query.fold(text))
        case .array(let elements):
            for element in elements { collect(element, into: &texts) }
        case .object(let members):
            for member in members {
                texts.insert(Query.fold(member.key))
                collect(member.value, into: &texts)
            }
        case .null, .bool, .number: break
        }
    }
}
