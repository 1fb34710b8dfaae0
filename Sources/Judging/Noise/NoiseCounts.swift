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
    /// How far they were away, on `PositionScale`; unordered.
    var distances: [Double] = []

    /// Readings on either side among which the usual place is looked for: few enough for a lasting move to become the
    /// usual, so that it does not count as noise.
    private static let reach = 7
    /// Readings among which the usual place of one is looked for, with itself.
    static let window = 2 * reach + 1

    init() {}

    /// The usual place around each reading is the lower median of it and those up to `reach` away from it. Absences and
    /// stormy days tell nothing of a pair's own noise.
    ///
    /// - Parameter judged: how many of the newest readings are to be judged, and say nothing of what is usual where
    ///   there are enough others.
    init(_ track: ReadingTrack, without judged: Int = 7) {
        let known = min(track.count, max(track.count - judged, NoiseModel.minimumReadings))
        if let usual = track.table.usualPlaces(of: Self.window), !track.knowsStorms {
            // Nothing is left out, so the usual places are known but for those at either end.
            let all = track.range.lowerBound..<track.range.lowerBound + known
            if known >= Self.window, track.table.hasNoAbsence(in: all) {
                count(track.table.places[all], usual[(all.lowerBound + Self.window)...all.upperBound])
                return
            }
        }
        let places = (0..<known).compactMap { track.storm($0) <= 1 ? track.place($0) : nil }
        guard places.count >= NoiseModel.minimumReadings else { return }
        count(places[...], [])
    }

    /// - Parameter known: the usual places around those that have enough on either side, or none.
    private mutating func count(_ places: ArraySlice<Int>, _ known: ArraySlice<Int>) {
        withUnsafeTemporaryAllocation(of: Int.self, capacity: Self.window + 1) { window in
            var held = 0
            func insert(_ place: Int) {
                var slot = held
                while slot > 0, window[slot - 1] > place {
                    window[slot] = window[slot - 1]
                    slot -= 1
                }
                window[slot] = place
                held += 1
            }
            func remove(_ place: Int) {
                var slot = 0
                while window[slot] != place { slot += 1 }
                held -= 1
                while slot < held {
                    window[slot] = window[slot + 1]
                    slot += 1
                }
            }
            let first = places.startIndex
            for place in places.prefix(Self.reach) { insert(place) }
            var wasAway = false
            distances.reserveCapacity(places.count / 2)
            for (index, place) in zip(0..., places) {
                let usual: Int
                if index >= Self.reach, index - Self.reach < known.count {
                    usual = known[known.startIndex + index - Self.reach]
                } else {
                    if index >= Self.reach, index - Self.reach == known.count, !known.isEmpty {
                        held = 0
                        for place in places.suffix(Self.window) { insert(place) }
                    }
                    if index + Self.reach < places.count { insert(places[first + index + Self.reach]) }
                    if index > Self.reach { remove(places[first + index - Self.reach - 1]) }
                    usual = window[(held - 1) / 2]
                }
                readings += 1
                if wasAway {
                    followed += 1
                    if place == places[first + index - 1] { stayed += 1 }
                }
                wasAway = place != usual
                guard wasAway else { continue }
                away += 1
                distances.append(abs(PositionScale.table(place) - PositionScale.table(usual)))
            }
        }
    }
}
