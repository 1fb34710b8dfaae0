import Foundation
import GRDB
import RankKit

/// A date without a time in a table: a day of a zone.
struct TableDay: Hashable {
    /// As days since 1970-01-01.
    let date: Int64
    let zone: ZoneDays
}

/// The moments that the days of one source's tables have got, in each zone by whose days such a table was imported: a row
/// of a date is the same row in all of them.
///
/// Zones can be a whole day apart: in Kiritimati a day begins when the day before begins in Honolulu. If a moment is that of
/// another date in a zone that came earlier, the day gets the second after it. So a moment is that of one date alone.
struct TableDays {
    /// UTC first, whose days all were in earlier versions, then in the order in which they came.
    private(set) var zones: [ZoneDays] = [.utc]
    /// Their names as they are kept, that of UTC left out.
    private var names: [String] = []
    private let source: String
    private var moments: [DayInZone: Timestamp?] = [:]

    private struct DayInZone: Hashable {
        let date: Int64
        let place: Int
    }

    init(of source: Source, in database: Database) throws {
        self.source = source.rawValue
        names = try Self.kept(in: database)[self.source] ?? []
        zones += names.map { ZoneDays(kept: $0) }
    }

    /// The moment that a day gets, which lies in it. A zone that was not there before is added.
    mutating func moment(of day: TableDay) -> Timestamp {
        let place = place(of: day.zone) ?? zones.endIndex
        if place == zones.endIndex {
            zones.append(day.zone)
            names.append(day.zone.name)
        }
        return moment(of: day.date, in: place) ?? day.zone.start(of: day.date)
    }

    /// Where a row of `day` is if it was imported by the days of another zone.
    mutating func others(of day: TableDay) -> [(zone: ZoneDays, at: Timestamp)] {
        let own = place(of: day.zone)
        return zones.indices.compactMap { place in
            guard place != own, let at = moment(of: day.date, in: place) else { return nil }
            return (zones[place], at)
        }
    }

    private func place(of zone: ZoneDays) -> Int? {
        zone.isUTC ? 0 : names.firstIndex(of: zone.name).map { $0 + 1 }
    }

    /// `nil` for a date that the zone left out.
    private mutating func moment(of date: Int64, in place: Int) -> Timestamp? {
        let key = DayInZone(date: date, place: place)
        if let known = moments[key] { return known }
        var at = zones[place].seconds(of: date)?.lowerBound
        while let moment = at, isAnother(moment, than: date, before: place) { at = moment + 1 }
        moments.updateValue(at, forKey: key)
        return at
    }

    /// Whether `moment` is that of another date in one of the zones that came earlier.
    private mutating func isAnother(_ moment: Timestamp, than date: Int64, before place: Int) -> Bool {
        for earlier in 0..<place {
            for other in [date - 1, date + 1] {
                let start = zones[earlier].start(of: other)
                // Each zone before it can have put it off by a second.
                guard start <= moment, moment <= start + Int64(earlier) else { continue }
                if self.moment(of: other, in: earlier) == moment { return true }
            }
        }
        return false
    }

    // MARK: In the file

    func keep(in database: Database) throws {
        var kept = try Self.kept(in: database)
        kept[source] = names.isEmpty ? nil : names
        try Self.keep(kept, in: database)
    }

    private static func keep(_ kept: [String: [String]], in database: Database) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let text = String(decoding: try encoder.encode(kept), as: UTF8.self)
        try Setting.tableZones.set(kept.isEmpty ? nil : text, in: database)
    }

    /// As an export has them; `nil` if there are none.
    static func exported(in database: Database) throws -> [ExchangeLine.Header.TableZones]? {
        let kept = try kept(in: database)
        return kept.isEmpty ? nil : kept.sorted { $0.key < $1.key }.map { .init(source: $0, zones: $1) }
    }

    /// Takes up those of an export, behind those that are there.
    static func merge(_ exported: [ExchangeLine.Header.TableZones], in database: Database) throws {
        guard !exported.isEmpty else { return }
        var kept = try kept(in: database)
        for entry in exported {
            let own = kept[entry.source] ?? []
            kept[entry.source] = own + entry.zones.filter { !own.contains($0) }
        }
        try keep(kept, in: database)
    }

    /// The names of the zones beside UTC, by source.
    static func kept(in database: Database) throws -> [String: [String]] {
        guard let text = try Setting.tableZones.text(in: database) else { return [:] }
        do { return try JSONDecoder().decode([String: [String]].self, from: Data(text.utf8)) } catch {
            throw DatabaseError(
                resultCode: .SQLITE_CORRUPT,
                message: "setting \(Setting.tableZones.rawValue): zones of tables that no rankd writes")
        }
    }
}
