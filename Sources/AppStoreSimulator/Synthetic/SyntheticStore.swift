import Algorithms
package import RankKit
import Synchronization

/// An App Store of invented apps.
///
/// The same seed, moment and request give the same bytes, in every process: ranks, versions and ratings are
/// functions of time, not the outcome of a simulation that would have to be run up to it.
package struct SyntheticStore: StoreBackend {
    package struct Options: Sendable {
        /// Invented apps, beside the planted ones.
        package var appCount: Int
        /// Entries of about 9.6 kB in place of 1.5 kB.
        package var isFullSize: Bool
        package var badPeriods: [BadPeriod]

        package init(appCount: Int = 4_000, isFullSize: Bool = false, badPeriods: [BadPeriod] = []) {
            self.appCount = appCount
            self.isFullSize = isFullSize
            self.badPeriods = badPeriods
        }
    }

    let seed: UInt64
    let options: Options
    /// The planted apps first.
    let apps: [SyntheticApp]
    /// By the number of the app and the folded query text.
    let plantedPlaces: [Int: [String: PlantedPlace]]
    private let numbersByBundleID: [BundleID: Int]
    private let numbersByTrackID: [Int64: Int]
    private let sheets = SheetCache()
    let entries = EntryCache()

    /// - Parameter planted: bundleIds beyond the first of each count for nothing.
    package init(seed: UInt64, planted: [PlantedApp] = [], options: Options = Options()) {
        self.seed = seed
        self.options = options
        let apps = SyntheticApp.invented(
            seed: seed, count: options.appCount, planted: planted.uniqued(on: \.bundleID))
        self.apps = apps
        numbersByBundleID = Dictionary(
            apps.enumerated().map { ($0.element.bundleID, $0.offset) }, uniquingKeysWith: { first, _ in first })
        numbersByTrackID = Dictionary(
            apps.enumerated().map { ($0.element.trackID, $0.offset) }, uniquingKeysWith: { first, _ in first })
        plantedPlaces = Dictionary(
            uniqueKeysWithValues: planted.enumerated().map { index, app in
                let folded = app.places.map { (Query.fold($0.key), $0.value) }
                return (index, Dictionary(folded, uniquingKeysWith: { first, _ in first }))
            })
    }

    package func app(forBundleID bundleID: BundleID) -> SyntheticApp? {
        numbersByBundleID[bundleID].map { apps[$0] }
    }

    func number(of app: SyntheticApp) -> Int? { numbersByBundleID[app.bundleID] }

    package func app(forTrackID trackID: Int64) -> SyntheticApp? {
        numbersByTrackID[trackID].map { apps[$0] }
    }

    /// The apps that a search finds, best first, on a day without trouble: 0–200.
    package func ranking(
        _ text: String, country: Country, platform: Platform, at moment: Timestamp
    ) -> [SyntheticApp] {
        order(text, country: country.code, platform: platform, at: moment).map { apps[$0] }
    }

    func order(_ text: String, country: String, platform: Platform, at moment: Timestamp) -> [Int] {
        let key = SheetCache.Key(text: Query.fold(text), country: country, isMac: platform == .mac)
        let sheet = sheets.sheet(for: key) { makeSheet(text, country: country, isMac: platform == .mac) }
        let order = sheet.order(at: moment, onIPad: platform == .ipad)
        return order.filter { apps[$0].planted?.platforms.contains(platform) ?? true }
    }
}

/// Sheets that were worked out already.
final class SheetCache: Sendable {
    struct Key: Hashable {
        let text: String
        let country: String
        let isMac: Bool
    }

    private let sheets = Mutex<[Key: QuerySheet]>([:])
    /// A sheet takes about 15 kB.
    private static let capacity = 2_000

    func sheet(for key: Key, make: () -> QuerySheet) -> QuerySheet {
        if let sheet = sheets.withLock({ $0[key] }) { return sheet }
        let sheet = make()
        sheets.withLock { sheets in
            if sheets.count >= Self.capacity { sheets.removeAll() }
            sheets[key] = sheet
        }
        return sheet
    }
}

/// The newest text of entries, for as long as nothing about them changes.
final class EntryCache: Sendable {
    struct Key: Hashable {
        let app: Int
        let country: String
        let isMac: Bool
    }

    private struct Entries {
        var byKey: [Key: (edition: Edition, bytes: [UInt8])] = [:]
        var size = 0
    }

    private let entries = Mutex(Entries())
    /// Bytes of text, beyond which everything is written anew.
    private static let capacity = 96 << 20

    func entry(for key: Key, _ edition: Edition, make: () -> [UInt8]) -> [UInt8] {
        if let kept = entries.withLock({ $0.byKey[key] }), kept.edition == edition { return kept.bytes }
        let bytes = make()
        entries.withLock { entries in
            if entries.size > Self.capacity { entries = Entries() }
            let former = entries.byKey.updateValue((edition, bytes), forKey: key)
            entries.size += bytes.count - (former?.bytes.count ?? 0)
        }
        return bytes
    }
}
