import RankKit

/// Consecutive result lists of one query in one small piece of bytes: the first list, and for each that follows the
/// edits that make it of the one before.
///
/// **The bytes, version 1.** A version byte (1); a byte that says whether the body is raw (0) or deflated (1, RFC 1951);
/// the CRC-32 of everything else, four bytes with the lowest first; the length of the body; the body. All numbers are
/// LEB128 (`LEB128`), those that may be negative folded.
///
/// The body is the number of lists, the sum of their lengths, the lengths in bytes of ten streams, and the streams.
/// LEB128 of a kind stand together because they compress best so:
///
/// 1. *apps*: the dense number of every app that occurs, in order of first appearance, each less the one before; 0 is
///    an entry that could not be read;
/// 2. *checks*: the first list's check; then, where there are more, the usual distance from one to the next, and for
///    each how much its distance differs from that;
/// 3. *times*: the same of the times, in seconds since 1970;
/// 4. *outcomes*: how many lists are good, then how many are suspect, then good again, and so on;
/// 5. *entries*: which app comes in, for each that does: 0 is the next of *apps* that has not occurred, n the n-th last
///    of those that have;
/// 6. *gone*: for each list how many places of the list before are dropped, and where, counted back from its end;
/// 7. *steps*: for each list the number of its steps. Each has a run and a take. With what is left of the list before,
///    `run` places are taken from its front; then a take of 0 is an app that comes in, and one of n ≥ 2 is the n-th
///    of what is left. After the last step all that is left follows;
/// 8. *moves*: one byte a step. 0 says that run and take follow in the next two streams; else, less 1, its quotient by
///    15 is the run, and the rest the take less 2, where 14 stands for a take of 0;
/// 9. *runs* and 10. *takes*, where *moves* says so.
///
/// The first list is made of an empty one. Decodable for ever: a new form gets a new version byte.
package struct ResultPage: Sendable {
    static let version: UInt8 = 1
    static let raw: UInt8 = 0
    static let deflated: UInt8 = 1
    static let streamCount = 10

    /// Bounds on what a page may hold, so that no bytes whatever make a reader use more memory than this.
    enum Most {
        /// Lists.
        static let lists = 4_096
        /// Places in all lists together.
        static let places = 1 << 20
        /// Bytes of the body.
        static let body = 1 << 22
    }

    /// The check, time and outcome of each list, in the lists' order.
    package let heads: [StoredList.Head]
    /// The dense number of every app that occurs, 0 for an unreadable entry.
    let apps: [Int64]
    /// The sum of the lists' lengths.
    package let placeCount: Int
    let body: [UInt8]
    /// Where in the body each stream lies, in the order of `Stream`.
    let streams: [Range<Int>]

    enum Stream: Int {
        case apps, checks, times, outcomes, entries, gone, steps, moves, runs, takes
    }

    /// - Throws: `DamagedBytes` where `bytes` are not a page, or not as they were written.
    package init(_ bytes: [UInt8]) throws(DamagedBytes) {
        let body = try Self.body(of: bytes)
        var front = NumberStream(0..<body.count)
        let listCount = try front.count(upTo: Most.lists, in: body)
        placeCount = try front.count(upTo: Most.places, in: body)
        var lengths: [Int] = []
        for _ in 0..<Self.streamCount { lengths.append(try front.count(upTo: body.count, in: body)) }
        var streams: [Range<Int>] = []
        var start = front.next
        for length in lengths {
            guard length <= body.count - start else { throw .malformed }
            streams.append(start..<start + length)
            start += length
        }
        guard start == body.count, listCount > 0 else { throw .malformed }
        apps = try Self.apps(in: body, streams[Stream.apps.rawValue])
        heads = try Self.heads(listCount, in: body, streams)
        self.streams = streams
        self.body = body
    }

    /// How *moves* has a step in one byte.
    enum Move {
        /// How many takes there are for each run.
        static let takes = 15
        static let entry = takes - 1
        static let longestRun = (255 - takes) / takes
    }

    /// Bytes before the body's length: version, form, checksum.
    static let prefix = 6

    /// Whether `bytes` are a page as it was written. What they stand for is not looked at.
    static func isIntact(_ bytes: [UInt8]) -> Bool { bytes.first == version && hasOwnChecksum(bytes) }

    private static func hasOwnChecksum(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > prefix else { return false }
        let kept = bytes[2..<prefix].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return kept == checksum(bytes)
    }

    private static func body(of bytes: [UInt8]) throws(DamagedBytes) -> [UInt8] {
        guard bytes.first == version else { throw .unknownVersion }
        guard hasOwnChecksum(bytes) else { throw .malformed }
        var front = NumberStream(prefix..<bytes.count)
        let size = try front.count(upTo: Most.body, in: bytes)
        let rest = bytes[front.next...]
        switch bytes[1] {
        case raw:
            guard rest.count == size else { throw .malformed }
            return Array(rest)
        case deflated:
            guard let body = Deflate.inflated(rest, size: size) else { throw .malformed }
            return body
        default: throw .unknownVersion
        }
    }

    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        Deflate.checksum(bytes[prefix...], after: Deflate.checksum(bytes[..<2]))
    }

    private static func apps(in body: [UInt8], _ range: Range<Int>) throws(DamagedBytes) -> [Int64] {
        var stream = NumberStream(range)
        var apps: [Int64] = []
        var last: Int64 = 0
        while !stream.isAtEnd {
            last &+= LEB128.unfolded(try stream.number(in: body))
            guard last >= 0 else { throw .malformed }
            apps.append(last)
        }
        return apps
    }

    private static func heads(
        _ count: Int, in body: [UInt8], _ streams: [Range<Int>]
    ) throws(DamagedBytes) -> [StoredList.Head] {
        let checks = try progression(count, in: body, streams[Stream.checks.rawValue])
        let times = try progression(count, in: body, streams[Stream.times.rawValue])
        var outcomes = NumberStream(streams[Stream.outcomes.rawValue])
        var heads: [StoredList.Head] = []
        heads.reserveCapacity(count)
        var outcome = StoredList.Outcome.good
        while heads.count < count {
            for _ in 0..<(try outcomes.count(upTo: count - heads.count, in: body)) {
                let index = heads.count
                heads.append(
                    StoredList.Head(
                        checkID: checks[index], at: Timestamp(secondsSinceEpoch: times[index]), outcome: outcome))
            }
            outcome = outcome == .good ? .suspect : .good
        }
        guard outcomes.isAtEnd else { throw .malformed }
        return heads
    }

    private static func progression(
        _ count: Int, in body: [UInt8], _ range: Range<Int>
    ) throws(DamagedBytes) -> [Int64] {
        var stream = NumberStream(range)
        var last = LEB128.unfolded(try stream.number(in: body))
        var numbers = [last]
        if count > 1 {
            numbers.reserveCapacity(count)
            let usual = LEB128.unfolded(try stream.number(in: body))
            for _ in 1..<count {
                last &+= usual &+ LEB128.unfolded(try stream.number(in: body))
                numbers.append(last)
            }
        }
        guard stream.isAtEnd else { throw .malformed }
        return numbers
    }
}
