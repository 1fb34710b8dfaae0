import RankKit

/// What a pair's own history shows of its noise, as counts that add up over pairs.
struct NoiseCounts {
    /// Readings on calm days around which the usual place is known.
    var readings = 0
    /// Of those, away from the usual place.
    var away = 0
    /// Readings that follow one that was away; and of those, at the very same place again.
    var followed = 0
    var stayed = 0
    /// The median of how far they were away, on `PositionScale`; `nil` if none was.
    var distance: Double?

    /// Readings on either side among which the usual place is looked for: few enough for a lasting move to become the
    /// usual, so that it does not count as noise.
    private static let reach = 7
    /// Readings among which the usual place of one is looked for, with itself.
    static let window = 2 * reach + 1

    init() {}

    /// The usual place around each reading is the lower median of it and those up to `reach` away from it. Absences and
    /// stormy days tell nothing of a pair's own noise.
    ///
    /// - Parameters:
    ///   - judged: how many of the newest readings are to be judged, and say nothing of what is usual where there are
    ///     enough others.
    ///   - known: the excursions of the track's table that were asked about last. Of the next day they are nearly the same.
    init(_ track: ReadingTrack, without judged: Int = 7, excursions known: inout SortedSlice) {
        let others = min(track.count, max(track.count - judged, NoiseModel.minimumReadings))
        let all = track.range.lowerBound..<track.range.lowerBound + others
        if others >= Self.window, !track.knowsStorms, let excursions = track.table.excursions,
            track.table.hasNoAbsence(in: all)
        {
            // Nothing is left out, so most usual places are known.
            count(all, of: track.table.places, excursions, &known)
            return
        }
        let places = (0..<others).compactMap { track.storm($0) <= 1 ? track.place($0) : nil }
        guard places.count >= NoiseModel.minimumReadings else { return }
        count(places)
    }

    init(_ track: ReadingTrack) {
        var known = SortedSlice()
        self.init(track, excursions: &known)
    }

    private mutating func count(_ places: [Int]) {
        var distances: [Double] = []
        distances.reserveCapacity(places.count / 2)
        SortedPlaces.withController(for: Self.window + 1) { window in
            for place in places.prefix(Self.reach) { window.insert(place) }
            var last: Last?
            for (index, place) in places.enumerated() {
                if index + Self.reach < places.count { window.insert(places[index + Self.reach]) }
                if index > Self.reach { window.remove(places[index - Self.reach - 1]) }
                last = take(place, usual: window.lowerMedian, after: last, &distances)
            }
        }
        distance = Robust.median(distances)
    }

    /// As above, where `all` is as long as a window at least.
    private mutating func count(
        _ all: Range<Int>, of places: [Int], _ excursions: Excursions, _ known: inout SortedSlice
    ) {
        let inner = all.lowerBound + Self.reach..<all.upperBound - Self.reach
        // Of the readings near either end.
        var distances: [Double] = []
        distances.reserveCapacity(2 * Self.reach)
        SortedPlaces.withController(for: Self.window + 1) { window in
            for place in places[all.lowerBound..<inner.lowerBound] { window.insert(place) }
            var last: Last?
            for index in all.lowerBound..<inner.lowerBound {
                window.insert(places[index + Self.reach])
                last = take(places[index], usual: window.lowerMedian, after: last, &distances)
            }
            follow(places[inner.lowerBound], after: last)
            readings += inner.count
            away += excursions.count(in: inner)
            followed += excursions.count(in: inner.dropLast())
            stayed += excursions.stays(after: inner.dropLast())
            last = (places[inner.upperBound - 1], excursions.count(in: inner.suffix(1)) > 0)
            window.removeAll()
            for place in places[all.upperBound - Self.window..<all.upperBound] { window.insert(place) }
            for index in inner.upperBound..<all.upperBound {
                window.remove(places[index - Self.reach - 1])
                last = take(places[index], usual: window.lowerMedian, after: last, &distances)
            }
        }
        known.move(to: excursions.range(of: inner), of: excursions.distances)
        distances.sort()
        distance = distances.withUnsafeMutableBufferPointer { known.median(with: $0) }
    }

    private typealias Last = (place: Int, isAway: Bool)

    private mutating func take(
        _ place: Int, usual: Int, after last: Last?, _ distances: inout [Double]
    ) -> Last {
        follow(place, after: last)
        readings += 1
        guard place != usual else { return (place, false) }
        away += 1
        distances.append(abs(PositionScale.table(place) - PositionScale.table(usual)))
        return (place, true)
    }

    private mutating func follow(_ place: Int, after last: Last?) {
        guard let last, last.isAway else { return }
        followed += 1
        if place == last.place { stayed += 1 }
    }
}

/// The readings of a table that are away from the usual place of those around them, as far as there are enough on either
/// side: worked out once, whichever days are then judged.
struct Excursions: Sendable {
    /// How many of the readings before each, and before the end, are away.
    private var counts: [Int] = [0]
    /// And at how many of these the next reading is at the very same place.
    private var stays: [Int] = [0]
    /// How far each is away, on `PositionScale`.
    private(set) var distances: [Double] = []

    /// - Parameter usual: by index, and for the end, the usual place of the `NoiseCounts.window` readings before it. What
    ///   they say where absences are among these is not asked for.
    init(_ places: [Int], usual: [Int]) {
        let reach = NoiseCounts.window / 2
        counts.reserveCapacity(places.count + 1)
        stays.reserveCapacity(places.count + 1)
        for (index, place) in places.enumerated() {
            let around = index + reach + 1
            let usual = around < usual.count ? usual[around] : ReadingTable.absent
            var isAway = false
            if place != ReadingTable.absent, usual != ReadingTable.absent, place != usual {
                isAway = true
                distances.append(abs(PositionScale.table(place) - PositionScale.table(usual)))
            }
            let isStay = isAway && index + 1 < places.count && places[index + 1] == place
            counts.append(counts[index] + (isAway ? 1 : 0))
            stays.append(stays[index] + (isStay ? 1 : 0))
        }
    }

    func count(in range: Range<Int>) -> Int { counts[range.upperBound] - counts[range.lowerBound] }

    /// Which of `distances` are those of the readings in `range`.
    func range(of readings: Range<Int>) -> Range<Int> { counts[readings.lowerBound]..<counts[readings.upperBound] }

    /// How many of the readings in `range` are away and repeated by the next.
    func stays(after range: Range<Int>) -> Int { stays[range.upperBound] - stays[range.lowerBound] }
}

/// A few places in ascending order.
private struct SortedPlaces {
    private let room: UnsafeMutableBufferPointer<Int>
    private var count = 0

    static func withController(for most: Int, _ body: (inout SortedPlaces) -> Void) {
        withUnsafeTemporaryAllocation(of: Int.self, capacity: most) { room in
            var places = SortedPlaces(room: room)
            body(&places)
        }
    }

    private init(room: UnsafeMutableBufferPointer<Int>) { self.room = room }

    var lowerMedian: Int { room[(count - 1) / 2] }

    mutating func insert(_ place: Int) {
        var slot = count
        while slot > 0, room[slot - 1] > place {
            room[slot] = room[slot - 1]
            slot -= 1
        }
        room[slot] = place
        count += 1
    }

    mutating func remove(_ place: Int) {
        var slot = 0
        while room[slot] != place { slot += 1 }
        count -= 1
        while slot < count {
            room[slot] = room[slot + 1]
            slot += 1
        }
    }

    mutating func removeAll() { count = 0 }
}
