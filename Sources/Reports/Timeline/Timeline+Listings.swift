import History
import Judging
import RankKit

extension Timeline {
    /// What stores changed of what they say about an app. The same change in several of them, within two days, is told
    /// once.
    static func changes(of app: ReportedApp, in pasts: [ListingPast], _ span: ClosedRange<Timestamp>) -> [Event] {
        var found: [StorefrontChange<What>] = []
        for past in pasts {
            func add(_ what: What, at: Timestamp) {
                guard span.contains(at) else { return }
                found.append(StorefrontChange(at: at, country: past.country, language: past.language, what: what))
            }
            for change in past.told(.name).changes(by: AppDetails.appearance, settled: true, until: span.upperBound) {
                add(.renamed(from: change.from, to: change.to), at: change.at)
            }
            for change in past.told(.bundleID).changes(by: { $0 }, settled: false, until: span.upperBound) {
                add(.bundleID(from: change.from, to: change.to), at: change.at)
            }
            for change in past.told(.icon).changes(by: { Picture($0) }, settled: true, until: span.upperBound) {
                add(.icon(from: change.from, to: change.to), at: change.at)
            }
            for change in past.told(.screenshots).changes(by: Picture.all, settled: true, until: span.upperBound) {
                add(.screenshots(PictureChange(from: change.from, to: change.to)), at: change.at)
            }
            // A sale can come and go as often as it likes.
            for change in past.prices.changes(by: { $0 }, settled: false, until: span.upperBound) {
                add(.price(from: change.from, to: change.to), at: change.at)
            }
        }
        return foldedChanges(found) { $0.isSameHappening(as: $1) }.map {
            Event(at: $0.at, .moment, app: app, countries: $0.countries, what: $0.what)
        }
    }
}

extension Timeline.What {
    /// Whether two storefronts tell of the same: a picture's link is each storefront's own, as far as it differs.
    fileprivate func isSameHappening(as other: Self) -> Bool {
        switch (self, other) {
        case (.icon, .icon), (.screenshots, .screenshots): true
        case (.renamed(let from, let to), .renamed(let other, let next)):
            [from, to].map(AppDetails.appearance) == [other, next].map(AppDetails.appearance)
        default: self == other
        }
    }
}
