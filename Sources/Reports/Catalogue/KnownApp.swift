import History
import RankKit

extension ReportContext {
    /// The app that an option names: an alias or bundle id of the watchlist's, or the bundle id, the number or a link of any
    /// app ever seen.
    ///
    /// - Throws: `ReportRefusal`, which names the apps that come near.
    func knownApp(_ name: String) throws -> BundleID {
        let watched = try reader.watchedApps()
        let wanted = name.lowercased()
        if let app = watched.first(where: { $0.alias?.lowercased() == wanted }) { return app.bundleID }
        if let bundleID = BundleID(name) {
            if let app = watched.first(where: { $0.bundleID == bundleID }) { return app.bundleID }
            if let app = try reader.watchedApp(alsoNamed: bundleID) { return app }
            if try !reader.numbers(of: bundleID).isEmpty || reader.wasTracked(bundleID) { return bundleID }
            if try reader.cameUnnumbered(bundleID) { throw ReportRefusal.noNumber(bundleID) }
        }
        if let id = AppID(named: name), let app = try reader.bundleID(of: id) { return app }
        // Of an earlier moment only what the watchlist names is suggested: other apps may have come since.
        let found: (entries: [DirectoryEntry], count: Int) =
            try reader.moment == nil ? reader.directory(matching: name, limit: 3) : ([], 0)
        var near = found.entries.map { entry in
            entry.bundleID.text + (entry.name.map { " (\(SafeText.escaped($0)))" } ?? "")
        }
        if near.isEmpty {
            let names = watched.flatMap { [$0.alias, $0.bundleID.text] }.compactMap(\.self)
            let slip =
                try Spelling.nearest(to: name, in: names)
                ?? Spelling.nearest(to: name, in: try reader.moment == nil ? reader.bundleIDsEverSeen() : [])
            near = slip.map { [SafeText.escaped($0)] } ?? []
        }
        throw ReportRefusal.noApp(name, near: near, isMore: found.count > near.count)
    }
}
