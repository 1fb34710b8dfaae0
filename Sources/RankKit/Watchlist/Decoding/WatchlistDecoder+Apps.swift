import JSON5

extension WatchlistDecoder {
    /// The `apps` section: registers every alias, then links competitors, which may be declared later in the file.
    mutating func readApps(_ place: JSON5Node) {
        guard case .object(let members) = place.value else {
            refuseKind(place, wanted: "an object", "write { \"alias\": { \"bundleId\": \"com.example.app\" } }")
            return
        }
        var competitors: [(owner: Int, place: JSON5Node)] = []
        var foldedAliases: [String: String] = [:]
        var bundleAliases: [BundleID: String] = [:]
        for member in members {
            guard checkAlias(member, against: &foldedAliases) else { continue }
            guard
                let fields = fields(member.value, of: .app, remedy: "write { \"bundleId\": \"com.example.app\" }")
            else { continue }
            guard let bundlePlace = fields["bundleId"] else {
                refuse(at: member.keyRange.lowerBound, "no bundleId", "add \"bundleId\": \"com.example.app\"")
                continue
            }
            guard let bundleID = bundleID(bundlePlace) else { continue }
            if let other = bundleAliases[bundleID] {
                refuse(bundlePlace, "“\(other)” is already \(bundleID)", "keep one alias for an app")
                continue
            }
            bundleAliases[bundleID] = member.key
            let index = index(of: bundleID)
            apps[index].alias = member.key
            aliasIndices[member.key] = index
            expansion.declarations[index] = member.keyRange.lowerBound
            if let list = fields["competitors"] { competitors.append((index, list)) }
        }
        brokenAliases = Set(members.map(\.key)).subtracting(aliasIndices.keys)
        refuseAmbiguousAliases(members)
        for (owner, list) in competitors { readCompetitors(of: owner, list) }
    }

    private mutating func checkAlias(
        _ member: JSON5Member, against foldedAliases: inout [String: String]
    ) -> Bool {
        let alias = member.key
        let offset = member.keyRange.lowerBound
        let isSingleWord = !alias.contains { $0.isWhitespace || $0 == "," } && !TextRule.hasControl(alias)
        guard !alias.isEmpty, alias.utf8.count <= WatchlistLimits.longestAlias, isSingleWord, !alias.hasPrefix("-")
        else {
            refuse(
                at: offset, "this is not a valid alias",
                "write 1 to \(WatchlistLimits.longestAlias) bytes without spaces, commas or control characters, not beginning with “-”"
            )
            return false
        }
        if let other = foldedAliases.updateValue(alias, forKey: alias.lowercased()) {
            if other == alias {
                refuseDuplicate(member)
            } else {
                refuse(
                    at: offset, "differs from the alias “\(other)” only in upper and lower case", "choose another alias"
                )
            }
            return false
        }
        return true
    }

    /// An alias that is the bundleId of another app would leave open which of the two `--app` means.
    private mutating func refuseAmbiguousAliases(_ members: [JSON5Member]) {
        for member in members {
            guard let own = aliasIndices[member.key], let bundleID = BundleID(member.key),
                let other = appIndices[bundleID], other != own
            else { continue }
            refuse(
                at: member.keyRange.lowerBound, "the alias is the bundleId of another app",
                "choose another alias")
        }
    }

    private mutating func readCompetitors(of owner: Int, _ list: JSON5Node) {
        var listed: Set<Int> = []
        for place in texts(list, example: "alias") ?? [] {
            guard let name = text(place, example: "alias") else { continue }
            guard let competitor = competitor(name, place) else { continue }
            if competitor == owner {
                refuse(place, "the app names itself as its competitor", "remove it from the list")
                continue
            }
            apps[competitor].isMine = false
            if listed.insert(competitor).inserted {
                apps[owner].competitors.append(apps[competitor].bundleID)
            }
        }
    }

    /// A name without a dot is taken as an alias, so that a slip in one does not become an app that nobody has.
    private mutating func competitor(_ name: String, _ place: JSON5Node) -> Int? {
        if let index = aliasIndices[name] { return index }
        if brokenAliases.contains(name) { return nil }
        if let bundleID = BundleID(name), name.contains(".") || appIndices[bundleID] != nil {
            noteSpelling(bundleID, place)
            return index(of: bundleID)
        }
        refuse(
            place, "“\(TextRule.shown(name))” is neither an alias of apps nor a bundleId with a dot",
            aliasRemedy(name, otherwise: "declare it under apps with its bundleId"))
        return nil
    }

    /// The app that an alias stands for.
    mutating func app(alias place: JSON5Node) -> Int? {
        guard let alias = text(place, example: "alias") else { return nil }
        if let index = aliasIndices[alias] { return index }
        if brokenAliases.contains(alias) { return nil }
        refuse(
            place, "no app has the alias “\(TextRule.shown(alias))”",
            aliasRemedy(alias, otherwise: "declare it under apps, or name the app by bundleId"))
        return nil
    }

    private func aliasRemedy(_ name: String, otherwise remedy: String) -> String {
        if let bundleID = BundleID(name), let index = appIndices[bundleID], let alias = apps[index].alias {
            return "its alias is “\(alias)”"
        }
        return nearest(to: name, in: apps.lazy.compactMap(\.alias).prefix(1_000)).map { "did you mean “\($0)”?" }
            ?? remedy
    }

    mutating func bundleID(_ place: JSON5Node) -> BundleID? {
        guard let text = text(place, example: "com.example.app") else { return nil }
        if AppID(written: text) != nil {
            refuse(
                place, "“\(TextRule.shown(text))” is the App Store's number of an app, not a bundleId",
                "write its bundleId: rankctl search and rankctl watch add find it")
            return nil
        }
        if let bundleID = BundleID(text) {
            noteSpelling(bundleID, place)
            return bundleID
        }
        refuse(
            place, "“\(TextRule.shown(text))” is not a bundleId",
            "write 1 to 255 letters, digits, dots, hyphens or underscores, such as com.example.app")
        return nil
    }

    /// Says that an app which is spelled otherwise elsewhere is the same: Apple does not tell bundle IDs apart by case.
    private mutating func noteSpelling(_ bundleID: BundleID, _ place: JSON5Node) {
        guard let known = appIndices[bundleID].map({ apps[$0].bundleID }), known.text != bundleID.text else { return }
        warn(place, "“\(bundleID)” is the same app as “\(known)”", "spell them alike")
    }

    /// The place of an app in `apps`, where it is put if it is new.
    mutating func index(of bundleID: BundleID) -> Int {
        if let index = appIndices[bundleID] { return index }
        let bundleID = BundleID(bundleID.text.unshared) ?? bundleID
        apps.append(WatchedApp(bundleID: bundleID))
        appIndices[bundleID] = apps.count - 1
        return apps.count - 1
    }
}
