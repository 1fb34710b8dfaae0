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

    init() {}

    /// The usual place around each reading is the lower median of it and those up to `reach` away from it. Absences and
    /// stormy days tell nothing of a pair's own noise.
    ///
    /// - Parameter judged: how many of the newest readings are to be judged, and say nothing of what is usual where
    ///   there are enough others.
    init(_ track: ReadingTrack, without judged: Int = 7) {
        let known = min(track.count, max(track.count - judged, NoiseModel.minimumReadings))
        let places = (0..<known).compactMap { track.storm($0) <= 1 ? track.place($0) : nil }
        guard places.count >= NoiseModel.minimumReadings else { return }
        var window = places.prefix(Self.reach).sorted()
        var wasAway = false
        for (index, place) in places.enumerated() {
            if index + Self.reach < places.count { window.insertSorted(places[index + Self.reach]) }
            if index > Self.reach { window.removeSorted(places[index - Self.reach - 1]) }
            let usual = window[(window.count - 1) / 2]
            readings += 1
            if wasAway {
                followed += 1
                if place == places[index - 1] { stayed += 1 }
            }
            wasAway = place != usual
            guard wasAway else { continue }
            away += 1
            distances.append(abs(PositionScale.table(place) - PositionScale.table(usual)))
        }
    }
}

extension [Int] {
    /// Into an ascending array.
    fileprivate mutating func insertSorted(_ value: Int) {
        insert(value, at: firstIndex { $0 > value } ?? count)
    }

    fileprivate mutating func removeSorted(_ value: Int) {
        if let index = firstIndex(of: value) { remove(at: index) }
    }
}
