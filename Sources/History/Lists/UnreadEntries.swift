import GRDB
import RankKit

/// The places of one list in which it has no app, and what is known of who holds them.
struct UnreadEntries {
    /// Who holds such a place, as seen from one pair.
    private enum Holder { case own, another, unknown }

    private struct Entry {
        let position: Int
        /// What the entry called its app, folded; `nil` if it said nothing that is kept.
        let name: String?
        /// Which numbers ever had the name.
        let owner: AppNumbers?
    }

    private let entries: [Entry]
    private let at: Int64

    /// - Parameters:
    ///   - positions: those in which the list has no app, counted from 1.
    ///   - names: what entries called their apps, by place (`UnnumberedPlaces`).
    ///   - moment: when the list was seen, in seconds.
    init(
        at positions: some Sequence<Int>, named names: [Int: BundleID], seenAt moment: Int64, in database: Database
    ) throws {
        at = moment
        entries = try positions.map { position in
            let name = names[position]?.folded
            return Entry(position: position, name: name, owner: try name.map { try AppNumbers(of: $0, in: database) })
        }
    }

    /// Those of a list that is kept.
    init(
        of places: [Int64?], check: Int64, seenAt moment: Int64, in database: Database
    ) throws {
        let positions = places.indices.filter { places[$0] == nil }.map { $0 + 1 }
        let names = positions.isEmpty ? [:] : try UnnumberedPlaces.names(of: check, in: database)
        try self.init(at: positions, named: names, seenAt: moment, in: database)
    }

    /// Whom the names stand for, by the names, folded.
    var owners: [String: AppNumbers] {
        Dictionary(
            entries.compactMap { entry in entry.name.flatMap { name in entry.owner.map { (name, $0) } } },
            uniquingKeysWith: { one, _ in one })
    }

    /// A name is an app's for certain if no other ever had it. One that nobody has yet is the app's that a pair names so,
    /// and for the others it may be anybody's: an app of theirs may have come under a new name.
    private func holder(_ entry: Entry, _ pair: NamedApp) -> Holder {
        guard let name = entry.name, let owner = entry.owner else { return .unknown }
        if owner.isEmpty { return name == pair.key ? .own : .unknown }
        guard let numbers = owner.only else { return .unknown }
        let own = pair.numbers.at(at)
        if numbers.isSubset(of: own) { return .own }
        return numbers.isDisjoint(with: own) ? .another : .unknown
    }

    /// What the list tells of the app of a pair.
    ///
    /// - Parameter listed: the first place in which the list has the app by its number, counted from 1.
    func reading(of pair: NamedApp, listed: Int?) -> Reading {
        var reading = Reading(position: listed)
        for entry in entries {
            switch holder(entry, pair) {
            case .own: reading.position = min(reading.position ?? .max, entry.position)
            case .another: break
            case .unknown:
                reading.isWhole = false
                if entry.name != nil { reading.hasStranger = true }
            }
        }
        return reading
    }

    struct Reading {
        var position: Int?
        /// Whether every place that the list has no app in is known to be another app's or this one's.
        var isWhole = true
        /// Whether one of the entries has a name of which nobody can say whose it is: it may be the app's. An absence that
        /// was recorded all the same is none. (What is not kept of an entry without a name may have told it.)
        var hasStranger = false
    }

    /// Whether a pair can have been told `position` by an entry that the list keeps no number of.
    func allows(_ position: Int, for pair: NamedApp, in database: Database) throws -> Bool {
        guard let entry = entries.first(where: { $0.position == position }) else { return false }
        guard let name = entry.name, let owner = entry.owner else { return true }
        return switch holder(entry, pair) {
        case .own: true
        case .another: false
        case .unknown:
            // By the pair's own name it was told then; by another, while both were one app's.
            try name == pair.key
                || !owner.at(at).isDisjoint(with: pair.numbers.at(at))
                    && AppNames.areOfOneApp(name, pair.key, in: database)
        }
    }
}

/// The app that a pair names.
struct NamedApp: Sendable, Equatable {
    /// Its bundle identifier, folded.
    let key: String
    let numbers: AppNumbers

    init(_ key: String, in database: Database) throws {
        self.key = key
        numbers = try AppNumbers(of: key, in: database)
    }

    /// That of a pair that is there.
    init(ofPair pair: Int64, in database: Database) throws {
        let key = try String.fetchOne(
            database.cachedStatement(sql: "SELECT bundle_key FROM pair WHERE id = ?"), arguments: [pair])
        try self.init(key ?? "", in: database)
    }
}

extension StoredList {
    /// Where an app stands, also by what the list's entries without a number called their apps.
    func place(of app: NamedApp, in database: Database) throws -> StoredPlace {
        let place = place(of: app.numbers.at(at.secondsSinceEpoch))
        guard !isWhole else { return place }
        return try UnreadEntries(
            of: places.map { $0?.number }, check: checkID, seenAt: at.secondsSinceEpoch, in: database
        ).place(of: app, place)
    }
}

extension UnreadEntries {
    /// - Parameter listed: where the list has the app by its number.
    func place(of app: NamedApp, _ listed: StoredPlace) -> StoredPlace {
        let reading = reading(of: app, listed: listed.position?.number)
        var place = listed
        place.position = reading.position.flatMap { Position($0) }
        place.isWhole = reading.isWhole
        return place
    }
}
