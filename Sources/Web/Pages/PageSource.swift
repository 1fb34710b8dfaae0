import Foundation
import History
import RankKit
import Reports

/// What the pages ask the history beside its reports: the one place where they read it.
struct PageSource: Sendable {
    /// `nil` for an app that was never seen and never tracked.
    var face: @Sendable (HistoryReader, BundleID) throws -> AppFace?
    /// The store's address of an app's icon; of `country`'s storefront if that has one.
    var icon: @Sendable (HistoryReader, BundleID, Country?) throws -> String?

    /// From what the storefronts have said.
    static let history = PageSource(face: readFace, icon: readIcon)

    private static func readFace(_ reader: HistoryReader, _ app: BundleID) throws -> AppFace? {
        let numbers = try reader.numbers(of: app)
        guard try !numbers.isEmpty || reader.wasTracked(app) else { return nil }
        let named = try reader.apps(numbers, namedIn: nil).values.max { $0.number < $1.number }
        let pasts = try reader.listingPasts(of: app)
        func newest(_ part: ListingPast.Part) -> String? {
            pasts.lazy.compactMap { $0.values[part]?.last?.text }.first { !$0.isEmpty }
        }
        let price = newest(.price).map { price in
            Double(price) == 0 ? "free" : [price, newest(.currency)].compactMap(\.self).joined(separator: " ")
        }
        return AppFace(
            bundleID: named?.bundleID ?? app, name: named?.name, developer: named?.developer, price: price,
            version: try reader.releases(of: app, machineZone: .gmt).last { $0.version != nil }?.version,
            icon: newest(.icon),
            screenshots: newest(.screenshots)?.split(separator: "\n").map(String.init) ?? [])
    }

    private static func readIcon(_ reader: HistoryReader, _ app: BundleID, _ country: Country?) throws -> String? {
        let icons = try reader.listingPasts(of: app).compactMap { past in
            past.values[.icon]?.last?.text.map { (country: past.country, address: $0) }
        }.filter { !$0.address.isEmpty }
        return (icons.first { $0.country == country } ?? icons.first)?.address
    }
}
