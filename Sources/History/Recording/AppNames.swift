import GRDB
import RankKit

/// The bundle identifiers that one of Apple's numbers has had, oldest first: the number is the app, and a bundle
/// identifier is a name that it has from a time on.
///
/// A name is the app's once it has stayed: for two days checks showed it and no other one. Until then the app has the name
/// before, and nothing is told. So two of Apple's caches that take turns make one change, and a single odd answer none;
/// an app that comes back to a name gets it back by the same rule. A name that has not stayed yet stands for the app all
/// the same if no other app has it, so that whoever tracks it by the new one need not wait. It is forgotten when checks
/// have shown others alone for two days.
struct AppNames: Hashable {
    struct Name: Hashable {
        var bundleID: BundleID
        /// When it was first seen after the one before it, in seconds.
        var from: Int64
        /// When a check showed that it had stayed, in seconds.
        var stayed: Int64
    }

    /// A name that has not stayed yet.
    struct NewName: Hashable {
        var bundleID: BundleID
        var from: Int64
        /// Since when checks show others; `nil` if the newest showed this one.
        var until: Int64?
        /// Whether it stands for the app.
        var stands = false
    }

    /// Those that have stayed.
    private(set) var all: [Name]
    private(set) var new: [NewName]

    init(_ names: [Name], new: [NewName] = []) { (all, self.new) = (names, new) }

    /// The app's present one.
    var present: BundleID? { all.last?.bundleID }

    func contains(_ bundleID: BundleID) -> Bool {
        all.contains { $0.bundleID == bundleID } || new.contains { $0.bundleID == bundleID }
    }

    /// In seconds.
    private static let secondsToStay = ListingPast.secondsToStay

    /// When the app had a bundle identifier, in seconds: until the next one that stayed.
    ///
    /// - Parameter key: folded.
    func tenures(of key: String) -> [Range<Int64>] {
        var tenures: [Range<Int64>] = []
        for (index, name) in all.enumerated() where name.bundleID.folded == key {
            let until = index + 1 < all.count ? all[index + 1].from : .max
            tenures.append(min(name.from, until)..<until)
        }
        // What has not stayed yet may be an odd answer: it ends nothing.
        for name in new where name.stands && name.bundleID.folded == key { tenures.append(name.from..<(.max)) }
        return tenures
    }

    /// What was known of them at a moment, in seconds; which of the new ones stood for the app is not. Of a new name
    /// that was forgotten since nothing is known.
    func known(at moment: Int64) -> AppNames {
        let new = self.new.filter { $0.from <= moment }.map { name in
            NewName(bundleID: name.bundleID, from: name.from, until: name.until.flatMap { $0 <= moment ? $0 : nil })
        }
        let coming = all.filter { $0.from <= moment && moment < $0.stayed }
            .map { NewName(bundleID: $0.bundleID, from: $0.from) }
        return AppNames(all.filter { $0.stayed <= moment }, new: coming + new)
    }

    /// The same names, where each of the new ones for which `stands` says so stands for the app.
    func letting(_ stands: (BundleID) throws -> Bool) rethrows -> AppNames {
        AppNames(
            all,
            new: try new.map { name in
                var name = name
                name.stands = try stands(name.bundleID)
                return name
            })
    }

    static func hasStayed(from start: Int64, to end: Int64) -> Bool {
        let (span, overflows) = end.subtractingReportingOverflow(start)
        return end > start && (overflows || span >= secondsToStay)
    }

    /// Takes up which name a check has just shown. It is the newest, whatever the clock says.
    mutating func see(_ bundleID: BundleID, at moment: Int64) {
        new = new.compactMap { name in
            guard name.bundleID != bundleID else { return name }
            if let until = name.until, Self.hasStayed(from: until, to: moment) { return nil }
            var name = name
            name.until = min(name.until ?? moment, moment)
            return name
        }
        guard bundleID != present else { return }
        guard let index = new.firstIndex(where: { $0.bundleID == bundleID }) else {
            new.append(NewName(bundleID: bundleID, from: moment))
            return
        }
        let name = new[index]
        if name.until != nil {
            (new[index].from, new[index].until) = (moment, nil)
        } else if Self.hasStayed(from: name.from, to: moment) {
            new.remove(at: index)
            let from = Self.after(all.last, name.from)
            all.append(Name(bundleID: bundleID, from: from, stayed: max(from, moment)))
        } else {
            new[index].from = min(name.from, moment)
        }
    }

    /// Takes up that nothing was seen after `limit`: a clock that was ahead said so. It was seen at `moment` at the latest.
    /// Both are in seconds, and `moment` is not after `limit`.
    mutating func undate(after limit: Int64, to moment: Int64) {
        func dated(_ time: Int64) -> Int64 { time > limit ? moment : time }
        var end = limit
        for index in all.indices.reversed() {
            all[index].from = min(dated(all[index].from), end)
            all[index].stayed = max(all[index].from, dated(all[index].stayed))
            end = all[index].from - 1
        }
        for index in new.indices {
            new[index].from = dated(new[index].from)
            new[index].until = new[index].until.map { max(new[index].from, dated($0)) }
        }
    }

    /// All of them, folded.
    var keys: Set<String> { Set(all.map(\.bundleID.folded) + new.map(\.bundleID.folded)) }

    /// No two names begin at once: which is the newer one is to be the same for everybody who reads them.
    private static func after(_ name: Name?, _ moment: Int64) -> Int64 {
        guard let name, moment <= name.from else { return moment }
        return name.from == .max ? .max : name.from + 1
    }

    /// Takes up what another history knows of the same app: every change that one of them saw. What a history saw first is
    /// a change only if the app is not known to have had that name before; if it did not see it for long, it has not
    /// stayed.
    ///
    /// - Parameters:
    ///   - day: the day on which this history saw the app last.
    ///   - otherDay: the day on which the other one did.
    mutating func merge(_ other: AppNames, lastSeen day: Int64, _ otherDay: Int64) {
        let firsts = [(names: self, day), (names: other, otherDay)].sorted {
            guard let one = $0.names.all.first, let another = $1.names.all.first else { return false }
            return Self.isEarlier(one, another)
        }
        var names = all.dropFirst() + other.all.dropFirst() + firsts[0].names.all.prefix(1)
        var new = self.new + other.new
        if let second = firsts[1].names.all.first,
            !names.contains(where: { $0.bundleID == second.bundleID && $0.from <= second.from })
        {
            let end = Timestamp.startOfDay(firsts[1].1).secondsSinceEpoch
            if firsts[1].names.all.count > 1 || Self.hasStayed(from: second.from, to: end) {
                names.append(second)
            } else {
                new.append(NewName(bundleID: second.bundleID, from: second.from))
            }
        }
        all = []
        for name in names.sorted(by: Self.isEarlier) {
            if let last = all.last, last.bundleID == name.bundleID {
                all[all.count - 1].stayed = min(last.stayed, name.stayed)
            } else {
                let from = Self.after(all.last, name.from)
                all.append(Name(bundleID: name.bundleID, from: from, stayed: max(from, name.stayed)))
            }
        }
        let newest = Dictionary(new.map { ($0.bundleID, $0) }) { one, other in
            if one.until == nil, other.until == nil { return one.from <= other.from ? one : other }
            return (one.from, one.until ?? .max) < (other.from, other.until ?? .max) ? other : one
        }
        self.new = newest.values.filter { $0.bundleID != present }.sorted {
            ($0.from, $0.bundleID) < ($1.from, $1.bundleID)
        }
    }

    private static func isEarlier(_ one: Name, _ other: Name) -> Bool {
        (one.from, one.bundleID, one.stayed) < (other.from, other.bundleID, other.stayed)
    }
}
