/// When apps are looked up, and how many at a time: pure functions of what is known of them and now.
package enum LookupSchedule {
    /// The apps of one request, all of one country.
    package struct Batch: Sendable, Hashable {
        package var country: Country
        /// As the watchlist names them; never empty.
        package var bundleIDs: [BundleID]
        /// What those of them are called now that have come under another bundle identifier.
        package var presentNames: [BundleID: BundleID]

        package init(country: Country, bundleIDs: [BundleID], presentNames: [BundleID: BundleID] = [:]) {
            self.country = country
            self.bundleIDs = bundleIDs
            self.presentNames = presentNames
        }

        /// What the store is asked for, each once.
        package var asked: [BundleID] {
            var seen: Set<BundleID> = []
            return bundleIDs.map { presentNames[$0] ?? $0 }.filter { seen.insert($0).inserted }
        }

        package var apps: [StorefrontApp] { bundleIDs.map { StorefrontApp($0, in: country) } }

        /// What an answer says of each app; `failed` where `list` holds entries that cannot be read and an app that is
        /// missing may be one of them.
        package func outcomes(in list: ResultList) -> [StorefrontApp: AppPresence.Outcome] {
            let held = Set(list.places.compactMap { $0?.bundleID })
            let missing: AppPresence.Outcome = list.places.contains { $0 == nil } ? .failed : .empty
            return Dictionary(
                apps.map { ($0, held.contains(presentNames[$0.bundleID] ?? $0.bundleID) ? .found : missing) },
                uniquingKeysWith: { first, _ in first })
        }
    }

    /// The most apps that one request names. Apple has been seen to answer 200 at once and to fail at 400.
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
            Group(country: app.country, failures: min(apps[app]?.failuresInARow ?? 0, 3))
        }
        return groups.sorted { ($0.key.failures, $0.key.country) < ($1.key.failures, $1.key.country) }
            .flatMap { group, asked in
                batches(of: asked.map(\.bundleID), in: group.country, size: max(1, batchSize >> (2 * group.failures)))
                    .map { batch in
                        var batch = batch
                        for app in batch.apps { batch.presentNames[app.bundleID] = apps[app]?.presentName }
                        return batch
                    }
            }
    }

    /// All of these apps of one country in as few requests as they take.
    package static func batches(of bundleIDs: [BundleID], in country: Country, size: Int = batchSize) -> [Batch] {
        var batches: [Batch] = []
        var bytes = 0
        for bundleID in bundleIDs {
            bytes += bundleID.text.utf8.count + 1
            if let last = batches.indices.last, batches[last].bundleIDs.count < size, bytes <= batchBytes {
                batches[last].bundleIDs.append(bundleID)
            } else {
                batches.append(Batch(country: country, bundleIDs: [bundleID]))
                bytes = bundleID.text.utf8.count + 1
            }
        }
        return batches
    }

    private struct Group: Hashable {
        let country: Country
        let failures: Int
    }
}
