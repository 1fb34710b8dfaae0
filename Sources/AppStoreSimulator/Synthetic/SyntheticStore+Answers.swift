package import RankKit

extension SyntheticStore {
    /// Apple's bounds for `limit`, and what it takes where there is none.
    private static let defaultLimit = 50
    private static let largestLimit = 200

    package func answer(_ request: ReceivedRequest, at moment: Timestamp) -> StoreAnswer {
        guard Country(code: request.country) != nil || request.endpoint == .web else {
            return .invalidValue(ofKey: "country")
        }
        switch request.endpoint {
        case .web: return page(request, at: moment)
        case .search:
            switch search(request, defaultLimit: Self.defaultLimit, at: moment) {
            case .refused(let answer): return answer
            case .found(let numbers, let platform):
                return list(numbers, country: request.country, isMac: platform == .mac, at: moment)
            }
        case .lookup: return lookUp(request, at: moment)
        }
    }

    /// `limit` counts here too; without it the truth is the whole list.
    package func truth(_ request: ReceivedRequest, at moment: Timestamp) -> StoreTruth? {
        guard Country(code: request.country) != nil else { return .refusal(.invalidValue(ofKey: "country")) }
        switch search(request, defaultLimit: Self.largestLimit, at: moment) {
        case .refused(let answer): return .refusal(answer)
        case .found(let numbers, _): return .order(numbers.map { apps[$0].bundleID.text })
        }
    }

    private enum Outcome {
        case found([Int], Platform)
        case refused(StoreAnswer)
    }

    private func search(_ request: ReceivedRequest, defaultLimit: Int, at moment: Timestamp) -> Outcome {
        guard let term = request["term"], !Query.fold(term).isEmpty else {
            return .refused(.invalidValue(ofKey: "term"))
        }
        let platforms: [String: Platform] = ["software": .iphone, "iPadSoftware": .ipad, "macSoftware": .mac]
        guard let platform = platforms[request.entity] else { return .refused(.invalidValue(ofKey: "resultEntity")) }
        let limit = request["limit"].map { Int($0) } ?? defaultLimit
        guard let limit, limit >= 1 else { return .refused(.invalidValue(ofKey: "limit")) }

        var numbers = order(term, country: request.country, platform: platform, at: moment)
        if let period = options.badPeriods.first(where: { $0.during.contains(moment) }) {
            let store = SeededHash.mix(seed, SeededHash.of(request.country + platform.rawValue))
            switch period.effect(on: SeededHash.mix(store, SeededHash.of(Query.fold(term)))) {
            case .fails(let answer): return .refused(answer)
            case .collapses(let tenths): numbers = Array(numbers.prefix(numbers.count * tenths / 10))
            case nil: break
            }
        }
        return .found(Array(numbers.prefix(min(limit, Self.largestLimit))), platform)
    }

    private func lookUp(_ request: ReceivedRequest, at moment: Timestamp) -> StoreAnswer {
        let wanted: [SyntheticApp?]
        switch (request["id"], request["bundleId"]) {
        case (let ids?, nil):
            let numbers = ids.split(separator: ",").map { Int64($0) }
            guard !numbers.isEmpty, !numbers.contains(nil) else { return .invalidValue(ofKey: "itunesId") }
            wanted = numbers.map { $0.flatMap(app(forTrackID:)) }
        case (nil, let bundleIDs?):
            wanted = bundleIDs.split(separator: ",").map { BundleID(String($0)).flatMap(app(forBundleID:)) }
        default: return .invalidValue(ofKey: "itunesId")
        }
        let sold = wanted.compactMap { $0 }.filter { $0.isSold(in: request.country) }
        return list(
            sold.compactMap { number(of: $0) }, country: request.country, isMac: false, at: moment)
    }

    private func list(_ numbers: [Int], country: String, isMac: Bool, at moment: Timestamp) -> StoreAnswer {
        let storefront = Storefront(code: country)
        return StoreAnswer(
            body: Envelope.body(
                numbers.map { number in
                    let edition = apps[number].edition(at: moment)
                    let key = EntryCache.Key(app: number, country: country, isMac: isMac)
                    return entries.entry(for: key, edition) {
                        apps[number].entry(
                            edition, storefront: storefront, isMac: isMac, size: options.isFullSize ? .full : .lean)
                    }
                }))
    }
}
