import RankKit

/// The order of the apps on a page: those that it shows, and then those that it only counts up.
struct WebStoreOrder {
    private var ids: [AppID] = []
    private var lockups: [AppID: WebStoreItem.Lockup] = [:]
    private var beside = ShownBeside()

    /// - Throws: `Failure` with `changedPage`, `cutList` or `tooLarge`.
    init(of items: [WebStoreItem], then next: WebStorePage.Next) throws(Failure) {
        for item in items {
            switch try item.role() {
            // The first place of an app counts; those behind a later one move up.
            case .place(let id, let lockup):
                if lockups.updateValue(lockups[id] ?? lockup, forKey: id) == nil { ids.append(id) }
            case .advertisement(let lockup):
                beside.advertisements.append(
                    ShownBeside.Advertisement(
                        id: lockup.id, bundleID: lockup.bundle, name: lockup.title.flatMap { AppDetails.plausible($0) },
                        placesAbove: ids.count))
            case .noApp: beside.others += 1
            case .unknown(let kind):
                beside.others += 1
                if !beside.unknownKinds.contains(kind) { beside.unknownKinds.append(kind) }
            }
        }
        // What shows nothing but kinds that nobody knows may show apps that it is not known to.
        if ids.isEmpty, let kind = beside.unknownKinds.first {
            throw Failure(.changedPage, "no app, but an item of kind “\(kind)”")
        }
        switch next {
        case .none: break
        case .missing: throw Failure(.changedPage, "the page does not say whether there are more results")
        case .cut: throw Failure(.cutList, "only the first \(ids.count) places")
        case .entries(let entries): try follow(entries)
        }
    }

    /// What comes after the shown places: the whole order again, or only the rest of it.
    private mutating func follow(_ entries: [WebStorePage.Next.Entry]) throws(Failure) {
        guard entries.count <= WebStorePage.mostPlaces else {
            throw Failure(.tooLarge, "more than \(WebStorePage.mostPlaces) results")
        }
        var order: [AppID] = []
        var known: Set<AppID> = []
        for entry in entries {
            switch entry.type {
            case "apps":
                guard let id = entry.id else { throw Failure(.changedPage, "a result without the number of its app") }
                if known.insert(id).inserted { order.append(id) }
            case "editorial-items", "app-bundles", "in-apps": continue
            case let type: throw Failure(.changedPage, "a result of type “\((type ?? "").prefix(80))” further down")
            }
        }
        guard !ids.isEmpty || order.isEmpty else {
            throw Failure(.changedPage, "the page shows no place, and counts up \(order.count)")
        }
        if order.starts(with: ids) {
            ids = order
        } else if known.isDisjoint(with: ids) {
            ids += order
        } else {
            throw Failure(.cutList, "the list neither begins with the shown places nor goes on behind them")
        }
    }

    func list(on platform: Platform) -> ResultList {
        var unnamed: [Int: AppID] = [:]
        var told: [Int: AppDetails] = [:]
        let places = ids.enumerated().map { index, id -> SeenApp? in
            let details = lockups[id]?.details(on: platform)
            if let details, let bundleID = lockups[id]?.bundle {
                return SeenApp(id: id, bundleID: bundleID, fingerprint: nil) { details }
            }
            unnamed[index] = id
            told[index] = details
            return nil
        }
        return ResultList(places: places, unnamed: unnamed, told: told, beside: beside)
    }
}
