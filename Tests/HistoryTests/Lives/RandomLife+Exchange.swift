import Foundation
import GRDB
import RankKit
import TestSupport

@testable import History

extension RandomLife {
    /// Imports the history's own export, into itself or a new one, or that of another.
    func exchange() async throws {
        files += 1
        switch Int.random(in: 0..<3, using: &dice) {
        case 0:
            note("imported what it exported itself")
            _ = try await store.importExport(try await store.export(to: folder))
        case 1:
            note("goes on as a new one")
            let file = try await store.export(to: folder)
            let next = try HistoryStore(path: folder.file("history\(files).sqlite"))
            _ = try await next.importExport(file)
            try await store.close()
            store = next
        default:
            note("imported another")
            let other = try HistoryStore(path: folder.file("other\(files).sqlite"))
            let own = (store, time, ahead)
            (store, time, ahead) = (other, time - number(0...5) * Self.day, roll(2) ? 0 : pick(Self.jumps))
            try await adopt()
            for _ in 0...number(1...15) {
                time = time + number(1...20_000)
                try await ask()
                if roll(8) { setClock() }
                if roll(8) { try await adopt() }
            }
            (store, time, ahead) = own
            _ = try await store.importExport(try await other.export(to: folder))
            try await other.close()
        }
    }

    /// Imports a table of another tool: days of some zone, places or none, of one app or two.
    func importTable() async throws {
        note("imported a table")
        let apps = roll(2) ? ["com.app1"] : ["com.app1", "com.app2"]
        let days = (0...number(0...5)).map { now - number(0...30) * Self.day - $0 * Self.day }
        let rows = days.flatMap { day in
            apps.map { app in
                let place = roll(5) ? pick(["-", ">100", "100+", "", "N/A"]) : "\(number(1...90))"
                return "\(CivilTime.date(day)),timer,us,\(place),\(app)"
            }
        }
        let file = try folder.write(
            (["Date,Keyword,Country,Rank,Bundle ID"] + rows).joined(separator: "\n") + "\n", to: "ranks.csv")
        var options = ForeignTableOptions(
            name: "tool", absent: ForeignTableOptions.marks("empty"), within: 200, country: nil,
            timeZone: .gmt, app: nil)
        options.dayZone = pick(Self.zones).flatMap(TimeZone.init(identifier:))
        // What may be refused is a clock that is far behind, from before there was a store, or two places of one day.
        do { _ = try await store.importTable(file, options: options, now: now) } catch is ImportRefusal {}
        // The same again adds nothing.
        do {
            let again = try await store.importTable(file, options: options, now: now)
            guard again.checks == 0 else { throw LifeFailure(what: "a table brought \(again.checks) checks twice") }
        } catch is ImportRefusal {}
    }

    /// Makes a copy of the history, or goes on with the last one once it has been given the export of the history that
    /// went on: nothing is lost, and what was asked since is as it was.
    func restore() async throws {
        files += 1
        let file = try await store.export(to: folder)
        guard let copy = backup, !roll(3) else {
            note("made a copy")
            try await backup?.close()
            let copy = try HistoryStore(path: folder.file("backup\(files).sqlite"))
            _ = try await copy.importExport(file)
            (backup, hasLostSince) = (copy, false)
            return
        }
        note("goes on as the copy with the newer export")
        backup = nil
        _ = try await copy.importExport(file, now: now)
        try await store.fillIn()
        try await copy.fillIn()
        if !hasLostSince {
            let (own, restored) = (
                try await Set(store.told(hasJumped)), try await Set(copy.told(hasJumped))
            )
            let lost = own.subtracting(restored).sorted()
            guard lost.isEmpty else {
                let others = restored.subtracting(own).sorted()
                throw LifeFailure(
                    what: "the copy lacks \(lost.prefix(5)) of the history, and has \(others.prefix(5)) instead")
            }
        }
        try await store.close()
        store = copy
    }
}

struct LifeFailure: Error, CustomStringConvertible {
    var what: String
    var description: String { what }
}

extension HistoryStore {
    /// What its checks and listings tell, without the numbers that this file alone has.
    ///
    /// - Parameter withoutListings: a wrong clock dates what listings said anew with each check that comes to be known.
    fileprivate func told(_ withoutListings: Bool) async throws -> [String] {
        try await read { database in
            let listings = [
                """
                SELECT 'listing', app.app_id, storefront.country, storefront.language, listing.name, listing.version
                FROM listing JOIN app ON app.id = listing.app JOIN storefront ON storefront.id = listing.storefront
                """,
                """
                SELECT 'change', app.app_id, storefront.country, storefront.language, change.at, change.field, change.was
                FROM listing_change AS change JOIN app ON app.id = change.app
                    JOIN storefront ON storefront.id = change.storefront
                """,
            ]
            let all = [
                "SELECT 'name', app.app_id, name.bundle_key, name.from_at FROM bundle_name AS name "
                    + "JOIN app ON app.id = name.app",
                """
                SELECT 'check', query.text, query.country, query.platform, query.source, check_log.at, outcome
                FROM check_log JOIN query ON query.id = check_log.query WHERE outcome = 'good'
                """,
            ]
            return try (all + (withoutListings ? [] : listings)).flatMap {
                try Row.fetchAll(database, sql: $0).map(\.text)
            }
        }
    }
}
