import Console
import Foundation
package import History
package import RankKit
import Reports

/// What the history, where one is at hand, knows of the names of apps. A watchlist is right or wrong whatever the history
/// is like, so that one that is missing, or cannot be read, knows nothing, and is no failure of a command on the watchlist.
package struct KnownNames {
    private let reader: HistoryReader?
    private let days: ZoneDays

    package init(_ database: DatabaseOption, of watchlist: Watchlist, _ surroundings: Surroundings) {
        days = watchlist.days
        do {
            reader = try HistoryReader(path: surroundings.locations.database(flag: database.database))
        } catch {
            reader = nil
        }
    }

    /// The other names of the watchlist that `bundleID`'s app has, and which app it is; `nil` if there is none.
    package func other(_ bundleID: BundleID, in watchlist: Watchlist) -> (names: [BundleID], app: OneApp)? {
        do {
            let known = watchlist.namedApps
            guard let app = try reader?.app(of: bundleID, among: known) else { return nil }
            return (app.names.filter { $0 != bundleID }, app)
        } catch {
            return nil
        }
    }

    /// What the watchlist calls the app that somebody called `name`: `name` itself where that is an alias or a bundle id of
    /// it, and where neither the watchlist nor the history knows better. Says so where it is another name.
    package func watched(_ name: String, in watchlist: Watchlist) -> String { allWatched(name, in: watchlist)[0] }

    /// `watched`, and behind it the other names that the watchlist has for the app.
    package func allWatched(_ name: String, in watchlist: Watchlist) -> [String] {
        let isAlias = watchlist.apps.contains { $0.alias?.lowercased() == name.lowercased() }
        guard let bundleID = BundleID(name), !isAlias, !watchlist.namedApps.contains(bundleID) else { return [name] }
        guard let other = other(bundleID, in: watchlist), !other.names.isEmpty else { return [name] }
        Terminal.say(words(other.app))
        return other.names.map(\.text)
    }

    /// What is wrong with a watchlist that names apps twice.
    package func warnings(on watchlist: Watchlist) -> [String] {
        do {
            return try reader?.oneApps(of: watchlist.namedApps).map { $0.warning(days) } ?? []
        } catch {
            return []
        }
    }

    package func words(_ app: OneApp) -> String { app.words(days) }

    package func warning(_ app: OneApp) -> String { app.warning(days) }
}
