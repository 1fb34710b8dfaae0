internal import ArgumentParser
import RankKit

/// What a person calls an app: an alias of the watchlist, or a bundle id.
enum AppName {
    static func bundleID(_ name: String, in watchlist: Watchlist) throws -> BundleID {
        if let known = watchlist.apps.first(where: { $0.alias == name }) { return known.bundleID }
        guard let bundleID = BundleID(name) else {
            throw ValidationError("“\(name)” is no alias of the watchlist and no bundle id")
        }
        return bundleID
    }
}
