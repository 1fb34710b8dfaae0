import Console
import Foundation
import History
import RankKit
import Reports

/// What the history, where one is at hand, knows of the names of apps. A watchlist is right or wrong whatever the history
/// is like, so that one that is missing, or cannot be read, knows nothing, and is no failure of a command on the watchlist.
struct KnownNames {
    private let reader: HistoryReader?
    private let days: ZoneDays

    init(_ database: DatabaseOption, of watchlist: Watchlist, _ surroundings: Surroundings) {
        days = watchlist.timeZone.flatMap { TimeZone(identifier: $0) }.map(ZoneDays.init) ?? .utc
        do {
            reader = try HistoryReader(path: surroundings.locations.database(flag: database.database))
        } catch {
            reader = nil
        }
    }

    /// The other names of the watchlist that `bundleID`'s app has, and which app it is; `nil` if there is none.
    func other(_ bundleID: BundleID, in watchlist: Watchlist) -> (names: [BundleID], app: OneApp)? {
        do {
            let known = watchlist.namedApps
            guard let app = try reader?.app(of: bundleID, among: known) else { return nil }
            return (app.names.filter { $0 != bundleID }, app)
        } catch {
            return nil
        }
    }

    /// What is wrong with a watchlist that names apps twice.
    func warnings(on watchlist: Watchlist) -> [String] {
        do {
            return try reader?.oneApps(of: watchlist.namedApps).map { $0.warning(days) } ?? []
        } catch {
            return []
        }
    }

    func words(_ app: OneApp) -> String { app.words(days) }

    func warning(_ app: OneApp) -> String { app.warning(days) }
}

extension Watchlist {
    /// Every app that it names, in its order.
    var namedApps: [BundleID] {
        var known: Set<BundleID> = []
        return (apps.map(\.bundleID) + queries.flatMap { $0.pairs.map(\.bundleID) }).filter {
            known.insert($0).inserted
        }
    }
}
