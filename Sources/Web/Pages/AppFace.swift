import History
import RankKit
import Reports

/// What a page says of an app beside its reports, as a storefront last told it.
struct AppFace: Sendable, Hashable {
    var bundleID: BundleID
    /// `nil` until an answer held the app, as the rest is.
    var name: String?
    var developer: String?
    /// As people read it: `2.99 EUR`, `free`.
    var price: String?
    var version: String?
    /// The store's addresses of pictures.
    var icon: String?
    var screenshots: [String] = []

    var title: String { name ?? bundleID.text }
}

extension AppFace {
    init(_ card: AppCard) {
        self.init(
            bundleID: card.bundleID, name: card.name, developer: card.developer,
            price: card.price.map { Figures.price($0, card.currency) }, version: card.version, icon: card.iconURL,
            screenshots: card.screenshotURLs)
    }
}
