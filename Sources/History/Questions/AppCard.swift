package import RankKit

/// What a storefront says of an app, as it was last seen there, and where and when it was seen at all.
package struct AppCard: Sendable, Hashable {
    /// The newest, where Apple numbered the app anew.
    package var id: AppID
    package var bundleID: BundleID
    /// Whose storefront tells what follows; `nil` if none ever told anything.
    package var country: Country?
    package var name: String?
    package var developer: String?
    package var genre: String?
    /// In units of `currency`; 0 is free.
    package var price: Double?
    /// ISO 4217.
    package var currency: String?
    /// Average rating over all versions, 0–5.
    package var rating: Double?
    package var ratingCount: Int64?
    package var version: String?
    package var versionReleasedAt: Timestamp?
    /// Addresses as Apple names them; whoever fetches one checks it.
    package var storeURL: String?
    package var iconURL: String?
    /// In Apple's order.
    package var screenshotURLs: [String] = []
    /// Those in whose storefronts it was seen, by code.
    package var countries: [Country] = []

    package init(id: AppID, bundleID: BundleID) {
        self.id = id
        self.bundleID = bundleID
    }
}
