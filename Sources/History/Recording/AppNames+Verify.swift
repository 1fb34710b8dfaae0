import GRDB
import RankKit

/// What is wrong with stored names of apps.
extension AppNames {
    /// What stands of the names of apps and cannot be.
    static func findings(in database: Database) throws -> [Finding] {
        try Int64.fetchAll(database, sql: "SELECT DISTINCT app FROM bundle_name ORDER BY app").compactMap { app in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT ordinal, bundle_key, bundle_id, from_at, stayed_at, until_at FROM bundle_name
                    WHERE app = ? ORDER BY ordinal
                    """, arguments: [app])
            guard let problem = try problem(with: rows, of: app, in: database) else { return nil }
            let present = try String.fetchOne(database, sql: "SELECT bundle_id FROM app WHERE id = ?", arguments: [app])
            return Finding(part: .apps, place: "names of \(present ?? "app \(app)")", problem: problem)
        }
    }

    private static func problem(with rows: [Row], of app: Int64, in database: Database) throws -> String? {
        var (last, stayed, new): (Int64?, BundleID?, Set<BundleID>) = (nil, nil, [])
        for (index, row) in rows.enumerated() {
            guard try row[0] as Int == index else { return "the names of this app are not numbered one by one" }
            guard let name = try BundleID(row[2]) else { return "a name of this app cannot be a bundle ID" }
            let (key, from): (String?, Int64) = try (row[1], row[3])
            if let at = try row[4] as Int64? {
                guard new.isEmpty, last.map({ $0 < from }) ?? true, from <= at else {
                    return "the names of this app are not in order of time"
                }
                guard key == name.folded else {
                    return "“\(name.text)” does not stand for this app, although it stayed"
                }
                guard name != stayed, try row[5] as Int64? == nil else {
                    return "“\(name.text)” stayed, and is marked as if it had not"
                }
                (last, stayed) = (from, name)
            } else {
                guard name != stayed, new.insert(name).inserted else {
                    return "“\(name.text)” is marked as new, although the app has it"
                }
                guard try key == (stands(name, for: app, in: database) ? name.folded : nil) else {
                    return key == nil
                        ? "“\(name.text)” does not stand for this app, although no other app has it"
                        : "“\(name.text)” stands for this app, although it is another app's name"
                }
            }
        }
        let present = try Row.fetchOne(
            database, sql: "SELECT bundle_id, bundle_key FROM app WHERE id = ?", arguments: [app])
        guard let stayed, let present, try present[0] as String == stayed.text,
            try present[1] as String == stayed.folded
        else { return "the present name of this app is not the last of its names" }
        return nil
    }
}
