import Foundation
import RankKit

/// What stands in a `TurnsFile`. All of it may have been written by anybody of the group: no number is taken on trust.
struct TurnsRecord: Codable, Equatable {
    var version = 1
    var keeper: Int32?
    var rows: [Row] = []
    /// What was there could not be read: there may have been a turn at any moment before this one.
    var knowsNothingBefore: Int64?

    private enum CodingKeys: String, CodingKey { case version, keeper, rows }

    /// Nanoseconds: one request a minute, at half the pace after a pause.
    static let longestInterval: Int64 = 120_000_000_000
    private static let mostRows = 8

    struct Pause: Codable, Equatable {
        /// Nanoseconds since the machine was started.
        var from: Int64
        var seconds: Int64

        /// Nanoseconds. One that lies ahead is of before a restart of the machine, and over.
        func left(at now: Int64) -> Int64 {
            guard (0...now).contains(from), EndpointHealth.permittedRetryAfter.contains(seconds) else { return 0 }
            return max(0, seconds * 1_000_000_000 - (now - from))
        }
    }

    /// One endpoint; all times in nanoseconds since the machine was started.
    struct Row: Codable, Equatable {
        var name: String
        var origin: String
        /// When a turn was last taken.
        var taken: Int64?
        /// Where whoever came last stands.
        var tail: Int64?
        /// What the last who came asked for between two turns.
        var interval: Int64 = 0
        /// By the program that was turned away.
        var pauses: [String: Pause] = [:]
    }

    /// - Returns: whether `bytes` were such a record; none at all are one of which nothing has been asked.
    static func read(_ bytes: [UInt8]) -> (record: TurnsRecord, isWhole: Bool) {
        guard !bytes.isEmpty else { return (TurnsRecord(), true) }
        do {
            let record = try JSONDecoder().decode(TurnsRecord.self, from: Data(bytes))
            return record.version == 1 ? (record, true) : (TurnsRecord(), false)
        } catch { return (TurnsRecord(), false) }
    }

    func bytes() throws(TurnsFile.Trouble) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(self), data.count <= LockedFile.largest else {
            throw .unusable(path: "the file of turns", what: "it would be too large")
        }
        return Array(data)
    }

    /// Changes the row of `endpoint`, of which nothing is kept that cannot be true at `now`.
    mutating func withRow<Value>(of endpoint: Endpoint, at now: Int64, _ change: (inout Row) -> Value) -> Value {
        let place = rows.firstIndex { $0.name == endpoint.name && $0.origin == endpoint.origin }
        var row = place.map { rows.remove(at: $0) } ?? Row(name: endpoint.name, origin: endpoint.origin)
        if place == nil { row.taken = knowsNothingBefore }
        row.mend(at: now)
        let value = change(&row)
        // The one that was asked for last stands first, and the last goes where there are too many.
        rows = Array(([row] + rows).prefix(Self.mostRows))
        return value
    }
}

extension TurnsRecord.Row {
    /// Who may stand in line at once, each one interval behind the other.
    private static let mostWaiting: Int64 = 4
    /// What whoever came last may have to wait, in intervals.
    static let longestLine = mostWaiting + 1
    private static let mostPauses = 8

    fileprivate mutating func mend(at now: Int64) {
        interval = min(max(0, interval), TurnsRecord.longestInterval)
        if let taken, !(0...now).contains(taken) { (self.taken, tail) = (now, nil) }
        if let tail, tail < 0 || tail > now + Self.longestLine * TurnsRecord.longestInterval { self.tail = nil }
        pauses = pauses.filter { $0.value.left(at: now) > 0 && $0.key.utf8.count <= 32 }
        if pauses.count > Self.mostPauses { pauses = [:] }
    }

    mutating func turn(
        for program: String, interval mine: Int64, holding place: TurnsFile.Place?, heedsPauses: Bool, at now: Int64
    ) -> TurnsFile.Answer {
        let others = heedsPauses ? pauses.filter { $0.key != program } : [:]
        let pause = others.values.map { $0.left(at: now) }.max() ?? 0
        guard pause <= 0 else {
            if let place, tail == place.at { tail = place.before }
            return .paused(.nanoseconds(pause))
        }
        // Further ahead than all who may wait: nobody honest stands there.
        if let tail, tail > now + Self.longestLine * max(interval, mine) { self.tail = nil }
        let after = taken.map { $0 + mine } ?? now
        let wanted = place?.at ?? max(after, tail.map { $0 + mine } ?? now)
        let at = max(now, after, wanted)
        if at <= now {
            (taken, tail, interval) = (now, max(tail ?? now, now), mine)
            return .granted
        }
        if let place { return .wait(.nanoseconds(at - now), place) }
        guard at - now <= Self.mostWaiting * max(interval, mine) else { return .wait(.nanoseconds(mine), nil) }
        let before = tail
        (tail, interval) = (at, mine)
        return .wait(.nanoseconds(at - now), TurnsFile.Place(at: at, before: before))
    }
}
