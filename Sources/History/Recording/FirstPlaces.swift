import RankKit

/// The first places of a query's newest good list, and which apps have come among them and gone again in the days before.
///
/// For every moment from `since` on this says who was among the first `count` places of the newest good list at that
/// moment or before, in whatever order.
package struct FirstPlaces: Sendable, Hashable {
    /// How many places are looked at.
    package static let count = 20
    /// How long changes are kept, in seconds: a week, and a day for lists that are not asked for at the same hour.
    static let memory = 8 * Timestamp.secondsPerDay
    /// And how many: a query that is asked every few minutes may have thousands.
    static let mostChanges = 400

    /// The list's.
    package let key: StoredList.Key
    /// The dense number of the app in each place, best first; `nil` if the entry could not be read.
    package let apps: [Int64?]
    /// In seconds; the list's time at the latest.
    package private(set) var since: Int64
    /// Those after `since`, the oldest first.
    private(set) var changes: [Change] = []

    /// A good list whose first places hold other apps than those of the one before.
    struct Change: Sendable, Hashable {
        var at: Int64
        var entered: [Int64]
        var left: [Int64]
    }

    /// - Parameters:
    ///   - apps: the dense numbers in the list's places, best first, of which the first `count` are taken.
    ///   - before: those of the good list before; `nil` if nothing is known of the time before.
    package init(_ apps: some Sequence<Int64?>, _ key: StoredList.Key, after before: FirstPlaces?) {
        self.key = key
        self.apps = Array(apps.prefix(Self.count))
        since = before?.since ?? key.at
        guard let before else { return }
        changes = before.changes
        let (old, new) = (before.held, held)
        if old != new {
            changes.append(
                Change(at: key.at, entered: new.subtracting(old).sorted(), left: old.subtracting(new).sorted()))
        }
        since = max(since, max(key.at, .min + Self.memory) - Self.memory)
        if changes.count > Self.mostChanges {
            since = max(since, changes[changes.count - Self.mostChanges - 1].at)
        }
        changes.removeAll { $0.at <= since }
    }

    private var held: Set<Int64> { Set(apps.compactMap(\.self)) }

    /// The apps among the first places of the newest good list at `moment`, in seconds, or before; `nil` if that is
    /// not known.
    func held(at moment: Int64) -> Set<Int64>? {
        guard since <= moment else { return nil }
        var held = held
        for change in changes.reversed() where moment < change.at {
            held.subtract(change.entered)
            held.formUnion(change.left)
        }
        return held
    }

    /// Takes up that there was another good list, before this one.
    mutating func meetLate(at moment: Int64) {
        guard since <= moment else { return }
        (since, changes) = (key.at, [])
    }
}

/// Both kinds of bytes are made of `LEB128`.
extension FirstPlaces {
    /// The number of the app in each place, 0 where there is none.
    package var appBytes: [UInt8] {
        var bytes: [UInt8] = []
        for app in apps { LEB128.append(UInt64(app ?? 0), to: &bytes) }
        return bytes
    }

    /// For each change how many seconds after the one before it was, the first after `since`, how many entered and how
    /// many left, and who.
    package var changeBytes: [UInt8] {
        var bytes: [UInt8] = []
        var last = since
        for change in changes {
            LEB128.append(UInt64(change.at - last), to: &bytes)
            for apps in [change.entered, change.left] { LEB128.append(apps.count, to: &bytes) }
            for app in change.entered + change.left { LEB128.append(UInt64(app), to: &bytes) }
            last = change.at
        }
        return bytes
    }

    /// What `appBytes` are made of; `nil` if `bytes` are no such.
    static func apps(_ bytes: [UInt8]) -> [Int64?]? {
        var numbers = NumberStream(bytes.indices)
        var apps: [Int64?] = []
        do {
            while !numbers.isAtEnd {
                let app = try numbers.app(in: bytes)
                apps.append(app == 0 ? nil : app)
            }
        } catch {
            return nil
        }
        return apps.count <= count ? apps : nil
    }

    /// - Returns: `nil` if the bytes are not as they were written.
    init?(_ key: StoredList.Key, appBytes: [UInt8], since: Int64, changeBytes: [UInt8]) {
        guard let apps = Self.apps(appBytes), since <= key.at, !key.at.subtractingReportingOverflow(since).overflow
        else { return nil }
        (self.key, self.apps, self.since) = (key, apps, since)
        var numbers = NumberStream(changeBytes.indices)
        var last = since
        do {
            while !numbers.isAtEnd {
                last += Int64(try numbers.count(upTo: Int(key.at - last), in: changeBytes))
                let entered = try numbers.count(upTo: Self.count, in: changeBytes)
                let left = try numbers.count(upTo: Self.count, in: changeBytes)
                var change = Change(at: last, entered: [], left: [])
                for _ in 0..<entered { change.entered.append(try numbers.app(in: changeBytes)) }
                for _ in 0..<left { change.left.append(try numbers.app(in: changeBytes)) }
                changes.append(change)
            }
        } catch {
            return nil
        }
    }
}

extension NumberStream {
    fileprivate mutating func app(in bytes: [UInt8]) throws(DamagedBytes) -> Int64 {
        Int64(try count(upTo: .max, in: bytes))
    }
}
