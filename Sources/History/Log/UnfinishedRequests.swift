import GRDB
import RankKit

/// What `Setting.unfinishedRequests` has: searches that left no check, of passes that have not told yet how many they
/// made. A pass that is under way counts there with each of its answers; once it has ended, its result says it
/// (`PassResult.requests`). What a pass counted that was cut off stays: no result has it.
///
/// A search counts 1, and each check takes 1 away, because a check is counted as one request wherever it is.
struct UnfinishedRequests {
    /// Those of one pass.
    struct Count: Equatable {
        var pass: PassID
        /// When the newest of them was made.
        var at: Timestamp
        /// Below 0 where the pass has settled an answer that one before it had asked for.
        var count: Int64
        /// Questions of the pass that were turned away, by id. Of those the history has nothing else: without them, an
        /// entry that is applied again would count again.
        var turnedAway: [Int64] = []
    }

    private(set) var counts: [Count]

    /// Of so many passes each is kept by itself; older ones of a source are one.
    private static let most = 50

    /// What no rankd writes counts for nothing.
    init(in database: Database) throws {
        counts =
            try Setting.unfinishedRequests.text(in: database)?.split(separator: "\n").compactMap { Count($0) } ?? []
    }

    private func keep(in database: Database) throws {
        var counts = counts
        if counts.count > Self.most {
            counts.sort { $0.at < $1.at }
            let sources = counts.map(\.pass.source)
            // More than there are sources, so that two are of one.
            let older = counts.indices.first { sources[($0 + 1)...].contains(sources[$0]) } ?? 0
            let newer = counts.indices.first { $0 > older && sources[$0] == sources[older] } ?? older + 1
            counts[newer].count = Count.limited(Int(counts[older].count + counts[newer].count))
            counts.remove(at: older)
        }
        try Setting.unfinishedRequests.set(
            counts.isEmpty ? nil : counts.map(\.text).joined(separator: "\n"), in: database)
    }

    /// The number of the last pass of a source that has counted; 0 if none has.
    static func last(of source: Source, in database: Database) throws -> Int64 {
        try UnfinishedRequests(in: database).counts.filter { $0.pass.source == source }.map(\.pass.number).max() ?? 0
    }

    /// How many were made in a span.
    ///
    /// - Parameter source: `nil` for all.
    static func sum(in span: ClosedRange<Timestamp>, of source: Source?, in database: Database) throws -> Int {
        let counts = try UnfinishedRequests(in: database).counts.filter { count in
            span.contains(count.at) && (source == nil || count.pass.source == source)
        }
        return max(0, counts.reduce(0) { $0 + Int($1.count) })
    }

    /// Counts `requests` of a pass, the newest at a moment, and takes `checks` away that came of them.
    ///
    /// - Parameter clock: what the clock shows; `nil` if that is not known.
    static func add(
        _ requests: Int, checks: Int = 0, to pass: PassID, at moment: Timestamp, clock: Timestamp?,
        in database: Database
    ) throws {
        guard requests != checks else { return }
        var unfinished = try UnfinishedRequests(in: database)
        unfinished.change(pass, at: moment, clock: clock) {
            $0.count = Count.limited(Int($0.count) + requests - checks)
        }
        try unfinished.keep(in: database)
    }

    /// Counts `requests` for a question that was turned away, once.
    static func add(
        _ requests: Int, turnedAway query: Int64, to pass: PassID, at moment: Timestamp, clock: Timestamp?,
        in database: Database
    ) throws {
        var unfinished = try UnfinishedRequests(in: database)
        guard !unfinished.counts.contains(where: { $0.pass == pass && $0.turnedAway.contains(query) }) else { return }
        unfinished.change(pass, at: moment, clock: clock) {
            $0.count = Count.limited(Int($0.count) + requests)
            $0.turnedAway.append(query)
        }
        try unfinished.keep(in: database)
    }

    /// Takes up that a pass begins at a moment.
    static func begin(at moment: Timestamp, in database: Database) throws {
        var unfinished = try UnfinishedRequests(in: database)
        guard unfinished.counts.contains(where: { moment < $0.at }) else { return }
        unfinished.undate(after: moment)
        try unfinished.keep(in: database)
    }

    /// Nothing was asked at a time that is still to come: the clock was ahead. It counts as of now, so that the day on
    /// which it is counted is one that has been.
    private mutating func undate(after clock: Timestamp) {
        for index in counts.indices { counts[index].at = min(counts[index].at, clock) }
    }

    /// Leaves a pass that ends at a moment to its result, where it has one.
    static func end(_ pass: PassID, _ result: PassResult?, at moment: Timestamp?, in database: Database) throws {
        var unfinished = try UnfinishedRequests(in: database)
        guard !unfinished.counts.isEmpty else { return }
        if let moment { unfinished.undate(after: moment) }
        // Checks of answers that earlier passes asked for, which have counted those requests.
        var settled: Int64 = 0
        if let result {
            unfinished.counts.removeAll { $0.pass == pass }
            settled = Count.limited(max(0, result.succeeded + result.failed + result.suspect - result.requests))
        }
        for index in unfinished.counts.indices where unfinished.counts[index].pass.isUp(to: pass) {
            unfinished.counts[index].turnedAway = []
            if unfinished.counts[index].count < 0 {
                settled -= unfinished.counts[index].count
                unfinished.counts[index].count = 0
            }
        }
        for index in unfinished.counts.indices.reversed() where unfinished.counts[index].pass.isUp(to: pass) {
            let taken = min(settled, unfinished.counts[index].count)
            unfinished.counts[index].count -= taken
            settled -= taken
        }
        unfinished.counts.removeAll { $0.pass.isUp(to: pass) && $0.count == 0 }
        try unfinished.keep(in: database)
    }

    private mutating func change(
        _ pass: PassID, at moment: Timestamp, clock: Timestamp?, by change: (inout Count) -> Void
    ) {
        let index = counts.firstIndex { $0.pass == pass } ?? counts.endIndex
        if index == counts.endIndex { counts.append(Count(pass: pass, at: moment, count: 0)) }
        counts[index].at = max(counts[index].at, moment)
        if let clock { undate(after: clock) }
        change(&counts[index])
        if counts[index].count == 0, counts[index].turnedAway.isEmpty { counts.remove(at: index) }
    }
}

extension UnfinishedRequests.Count {
    /// More are of no pass: a damaged file cannot make sums overflow.
    fileprivate static func limited(_ count: Int) -> Int64 { Int64(min(max(count, -1_000_000_000), 1_000_000_000)) }

    fileprivate var text: String {
        let turnedAway = turnedAway.map(String.init).joined(separator: ",")
        return "\(pass.source.rawValue) \(pass.number) \(at.secondsSinceEpoch) \(count) \(turnedAway)"
    }

    fileprivate init?(_ line: Substring) {
        let parts = line.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 5, let source = Source(rawValue: String(parts[0])), let number = Int64(parts[1]),
            PassID.stored.contains(number), let seconds = Int64(parts[2]), let count = Int64(parts[3]),
            Self.limited(Int(count)) == count
        else { return nil }
        let at = Timestamp(secondsSinceEpoch: seconds)
        guard Timestamp.storable.contains(at) else { return nil }
        (pass, self.at, self.count) = (PassID(of: source, number: number), at, count)
        turnedAway = parts[4].split(separator: ",").compactMap { Int64($0) }
    }
}

extension PassID {
    /// Whether it is `other`, or one of the same source before it.
    fileprivate func isUp(to other: PassID) -> Bool { source == other.source && number <= other.number }
}
