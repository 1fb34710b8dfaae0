package import RankKit

/// What a pass says about one of its answers.
package enum PassCircumstances: Sendable, Hashable {
    case usual
    /// Too many of its lists cannot be believed.
    case badDay
    /// Other lists came whole, and this one was short when it was asked again.
    case supported
}

/// Checks that the history cannot take for now, oldest first, in little memory: of each list, who held which place.
/// `Recorder` decides when they wait and when they are tried again.
package struct WaitingChecks: Sendable {
    /// An hour's worth at the default pace, and a little more.
    package static let most = 1_000
    /// The most that all lists together may take, in bytes: a bound for lists of unusual length.
    package static let mostBytes = 32 << 20

    private struct Entry {
        let query: Query
        let at: Timestamp
        let outcome: Outcome
        let circumstances: PassCircumstances
        let isGood: Bool

        enum Outcome {
            case answered(PackedList)
            case suspect(PackedList, Suspicion)
            case failed(Failure)
        }

        var bytes: Int {
            switch outcome {
            case .answered(let list), .suspect(let list, _): list.bytes.count
            case .failed(let failure): failure.detail.utf8.count
            }
        }
    }

    private var entries: [Entry] = []
    /// What all lists together take.
    package private(set) var bytes = 0
    /// How many of the oldest had to give way.
    package private(set) var dropped = 0

    package init() {}

    package var count: Int { entries.count }

    /// The oldest, with what its pass says about it. The names and prices of its apps are gone: they
    /// are read again when the apps are seen next.
    package var first: (check: Check, circumstances: PassCircumstances)? {
        entries.first.map { (Check(query: $0.query, at: $0.at, outcome: Self.unpacked($0.outcome)), $0.circumstances) }
    }

    package mutating func add(_ check: Check, _ circumstances: PassCircumstances = .usual) {
        let entry = Entry(
            query: check.query, at: check.at, outcome: Self.packed(check.outcome), circumstances: circumstances,
            isGood: check.outcome.isGood)
        entries.append(entry)
        bytes += entry.bytes
        while entries.count > Self.most || (bytes > Self.mostBytes && entries.count > 1) {
            removeFirst()
            dropped += 1
        }
    }

    package mutating func removeFirst() { bytes -= entries.removeFirst().bytes }

    /// `stored` with what waits added to it. As among stored checks, a failure that is later than `now` is left out, and
    /// so is any other check that is later than its query's slot: both are from before the clock was set back.
    ///
    /// - Parameter slotEnds: when each query's slot at `now` ends; of a query that is not there, what is later than
    ///   `now` is left out.
    package func added(
        to stored: [Query: Attempts], asOf now: Timestamp, slotEnds: [Query: Timestamp] = [:]
    ) -> [Query: Attempts] {
        var attempts = stored
        for entry in entries {
            guard entry.at < (entry.isGood ? slotEnds[entry.query] ?? now + 1 : now + 1) else { continue }
            attempts[entry.query] = (attempts[entry.query] ?? Attempts()).adding(good: entry.isGood, at: entry.at)
        }
        return attempts
    }

    private static func packed(_ outcome: Check.Outcome) -> Entry.Outcome {
        switch outcome {
        case .answered(let list): .answered(PackedList(list))
        case .suspect(let list, let why): .suspect(PackedList(list), why)
        case .failed(let failure): .failed(failure)
        }
    }

    private static func unpacked(_ outcome: Entry.Outcome) -> Check.Outcome {
        switch outcome {
        case .answered(let list): .answered(list.list)
        case .suspect(let list, let why): .suspect(list.list, why)
        case .failed(let failure): .failed(failure)
        }
    }
}

/// A result list without what its entries said: a few dozen bytes a place, and nothing that holds on to the answer.
struct PackedList: Sendable {
    /// A place after the other: 8 bytes of the app's number (0 where it has none), the length of its bundle identifier
    /// (0 where it could not be read), the identifier.
    let bytes: [UInt8]

    init(_ list: ResultList) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(list.count * 40)
        for (index, place) in list.places.enumerated() {
            let text = (place?.bundleID.text ?? "").utf8
            let id = place == nil ? list.unnamed[index] : place?.id
            withUnsafeBytes(of: (id?.number ?? 0).littleEndian) { bytes.append(contentsOf: $0) }
            // A bundle identifier has at most 255 characters, each of one byte.
            bytes.append(UInt8(clamping: text.count))
            bytes.append(contentsOf: text)
        }
        self.bytes = Array(bytes[...])
    }

    var list: ResultList {
        var places: [SeenApp?] = []
        var unnamed: [Int: AppID] = [:]
        var rest = bytes[...]
        while rest.count > 8 {
            let number = rest.prefix(8).reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) }
            let length = Int(rest[rest.startIndex + 8])
            let text = String(decoding: rest.dropFirst(9).prefix(length), as: UTF8.self)
            let id = number > 0 ? AppID(number) : nil
            let bundleID = BundleID(text)
            if bundleID == nil { unnamed[places.count] = id }
            places.append(bundleID.map { SeenApp(id: id, bundleID: $0) })
            rest = rest.dropFirst(9 + length)
        }
        return ResultList(places: places, unnamed: unnamed)
    }
}
