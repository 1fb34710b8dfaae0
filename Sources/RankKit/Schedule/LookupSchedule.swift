/// When apps are looked up, and how many at a time: pure functions of what is known of them and now.
package enum LookupSchedule {
    /// The apps of one request, all of one country.
    package struct Batch: Sendable, Hashable {
        package var country: Country
        /// As the watchlist names them; never empty.
        package var bundleIDs: [BundleID]
        /// Apple's numbers of the apps, where these are known: either of all of them, or of none.
        package var numbers: [BundleID: [AppID]]

        package init(country: Country, bundleIDs: [BundleID], numbers: [BundleID: [AppID]] = [:]) {
            self.country = country
            self.bundleIDs = bundleIDs
            self.numbers = numbers
        }

        /// The numbers that the store is asked for, each once; where there are none, it is asked for `bundleIDs`.
        package var ids: [AppID] {
            var seen: Set<AppID> = []
            return bundleIDs.flatMap { numbers[$0] ?? [] }.filter { seen.insert($0).inserted }
        }

        package var apps: [StorefrontApp] { bundleIDs.map { StorefrontApp($0, in: country) } }

        /// What an answer says of each app; `failed` where `list` holds entries that cannot be read and an app that is
        /// missing may be one of them. An app whose numbers are missing has no outcome yet: see `toAskByName(after:)`.
        package func outcomes(in list: ResultList) -> [StorefrontApp: AppPresence.Outcome] {
            let isByNumber = !numbers.isEmpty
            let ids = Set(list.places.compactMap { $0?.id })
            let names = Set(list.places.compactMap { isByNumber && $0?.id != nil ? nil : $0?.bundleID })
            let isUnread = list.places.contains { $0 == nil || isByNumber && $0?.id == nil }
            func isHeld(_ bundleID: BundleID) -> Bool {
                names.contains(bundleID) || !ids.isDisjoint(with: numbers[bundleID] ?? [])
            }
            var outcomes: [StorefrontApp: AppPresence.Outcome] = [:]
            for app in apps {
                outcomes[app] = isHeld(app.bundleID) ? .found : isUnread ? .failed : isByNumber ? nil : .empty
            }
            return outcomes
        }

        /// What is to be asked before an answer without the numbers that are known counts as empty: the store may sell an
        /// app under another number now, or a list has shown its edition for another device alone. `nil` where nothing is.
        package func toAskByName(after list: ResultList) -> Batch? {
            let outcomes = outcomes(in: list)
            let missing = bundleIDs.filter { outcomes[StorefrontApp($0, in: country)] == nil }
            return missing.isEmpty ? nil : Batch(country: country, bundleIDs: missing)
        }

        /// Under which bundle identifiers an answer has the numbers that were asked for.
        package func names(in list: ResultList) -> [AppID: BundleID] {
            let asked = Set(ids)
            let told = list.places.compactMap { place in
                place.flatMap { app in app.tellsName ? app.id.map { ($0, app.bundleID) } : nil }
            }
            return Dictionary(told.filter { asked.contains($0.0) }, uniquingKeysWith: { first, _ in first })
        }
    }

    /// The most apps, by name or by number, that one request names. Apple has been seen to answer 200 at once and to fail at 400.
    package static let batchSize = 50
    /// The most bytes that their names take together: addresses of more than about 8,000 are refused by many servers.
    package static let batchBytes = 4_000

    /// The apps that are to be looked up at `now`, in order.
    package static func due(_ apps: [StorefrontApp: AppPresence], now: Timestamp) -> [StorefrontApp] {
        apps.filter { app, presence in presence.nextDue(now: now) <= now }.keys.sorted()
    }

    /// The earliest moment at which any of the apps is to be looked up, not before `now`; `nil` if none is.
    package static func nextWake(_ apps: [StorefrontApp: AppPresence], now: Timestamp) -> Timestamp? {
        apps.values.map { $0.nextDue(now: now) }.min()
    }

    /// The requests that ask about everything that is due, country by country.
    ///
    /// Apps whose look-ups failed are asked about in smaller company each time, so that one that spoils the request it
    /// stands in does not spoil it for ever for the others.
    package static func batches(_ apps: [StorefrontApp: AppPresence], now: Timestamp) -> [Batch] {
        let groups = Dictionary(grouping: due(apps, now: now)) { app in
            Group(
                country: app.country, failures: min(apps[app]?.failuresInARow ?? 0, 3),
                isByNumber: apps[app]?.numbers.isEmpty == false)
        }
        return groups.sorted { $0.key < $1.key }
            .flatMap { group, asked in
                let numbers = group.isByNumber ? asked.map { ($0.bundleID, apps[$0]?.numbers ?? []) } : []
                return batches(
                    of: asked.map(\.bundleID), in: group.country, size: max(1, batchSize >> (2 * group.failures)),
                    numbers: Dictionary(numbers, uniquingKeysWith: { first, _ in first }))
            }
    }

    /// All of these apps of one country in as few requests as they take.
    ///
    /// - Parameter numbers: Apple's numbers of all of them, or of none.
    package static func batches(
        of bundleIDs: [BundleID], in country: Country, size: Int = batchSize, numbers: [BundleID: [AppID]] = [:]
    ) -> [Batch] {
        var batches: [Batch] = []
        var (count, bytes) = (0, 0)
        for bundleID in bundleIDs {
            let ids = numbers[bundleID] ?? []
            let ownCount = max(1, ids.count)
            let ownBytes = bundleID.text.utf8.count + 1
            if let last = batches.indices.last, count + ownCount <= size, bytes + ownBytes <= batchBytes {
                batches[last].bundleIDs.append(bundleID)
                (count, bytes) = (count + ownCount, bytes + ownBytes)
            } else {
                batches.append(Batch(country: country, bundleIDs: [bundleID]))
                (count, bytes) = (ownCount, ownBytes)
            }
            if !ids.isEmpty { batches[batches.count - 1].numbers[bundleID] = ids }
        }
        return batches
    }

    private struct Group: Hashable, Comparable {
        let country: Country
        let failures: Int
        let isByNumber: Bool

        static func < (left: Group, right: Group) -> Bool {
            (left.failures, left.country, left.isByNumber ? 1 : 0)
                < (right.failures, right.country, right.isByNumber ? 1 : 0)
        }
    }
}
