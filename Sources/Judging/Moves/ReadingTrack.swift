import Foundation
import RankKit

/// A pair's newest readings in the form that the arithmetic wants.
struct ReadingTrack {
    struct Point {
        let day: Int64
        /// `nil` if absent.
        let place: Int?
        /// How many places the list had.
        let within: Int
        /// How many times as far as usual the country's lists moved; 1 on a calm day.
        let storm: Double
    }

    private(set) var readings: [Point]

    /// - Parameter first: the day after which readings are looked at, where the series' span does not reach farther back.
    init(_ series: NoiseModel.Series, since first: Int64 = .max, upTo day: Int64, storms: [Int64: Double]) {
        let (oldest, all) = (min(first, day - series.span.memory), series.days.elements)
        var (first, end) = (all.startIndex, all.endIndex)
        while end > first, all[end - 1].day > day { end -= 1 }
        while first < end, all[first].day <= oldest { first += 1 }
        readings = all[first..<end].map { element in
            Point(
                day: element.day, place: element.reading.position?.number, within: element.reading.within,
                storm: storms.isEmpty ? 1 : storms[element.day] ?? 1)
        }
    }

    private init(_ readings: [Point]) { self.readings = readings }

    func from(_ day: Int64) -> ReadingTrack { ReadingTrack(Array(readings.drop { $0.day < day })) }

    /// The lower median of the places of the readings in `range`: a place where the app really stood. An absence stands
    /// below all places.
    ///
    /// - Returns: `nil` if there are none, or the median is an absence.
    func usualPlace(_ range: Range<Int>) -> Int? {
        let places = readings[range].map { $0.place ?? Int.max }.sorted()
        guard !places.isEmpty else { return nil }
        let middle = places[(places.count - 1) / 2]
        return middle == Int.max ? nil : middle
    }
}

extension ReadingTrack {
    /// A pair's coming into the list or going out of it, which no distance measures.
    enum Passage {
        /// Since that day.
        case entered(since: Int64)
        case left(from: Int, since: Int64)
        /// In and out by turns: at the end of the list that is noise.
        case flickering
        /// Something of the kind, with too little before it.
        case tooShort

        func judgement(_ track: ReadingTrack) -> MoveJudgement {
            switch self {
            case .entered(let since):
                let first = track.readings.firstIndex { $0.day >= since } ?? 0
                guard let place = track.usualPlace(first..<track.readings.count), let at = Position(place) else {
                    return .withinNoise
                }
                return .entered(at: at, since: since)
            case .left(let from, let since):
                return Position(from).map { .left(from: $0, since: since) } ?? .withinNoise
            case .flickering: return .withinNoise
            case .tooShort: return .notJudged(.history)
            }
        }
    }

    /// Readings that have to agree on an entry or an absence.
    private static let confirming = 2
    /// Readings before the passage that are asked, and how many of them, in tenths, may contradict.
    private static let before = 14
    private static let contradictingTenths = 2

    /// The newest passage; `nil` if the pair was in the list throughout, or absent throughout.
    func passage(pool: NoisePool, country: Country) -> Passage? {
        guard let newest = readings.last else { return nil }
        let isIn = newest.place != nil
        // The newest run, over single readings that contradict.
        var first = readings.count - 1
        while first > 0 {
            if (readings[first - 1].place != nil) == isIn {
                first -= 1
            } else if first > 1, (readings[first - 2].place != nil) == isIn, isIn {
                first -= 2
            } else {
                break
            }
        }
        guard first > 0 else { return nil }
        let length = readings.count - first
        let earlier = readings[max(0, first - Self.before)..<first]
        let contradicting = earlier.count { ($0.place != nil) == isIn }
        let usual = usualPlace(earlier.startIndex..<first)
        if isIn {
            // One absence among places is no passage.
            if contradicting * 10 > earlier.count * (10 - Self.contradictingTenths) { return nil }
            if earlier.count < NoiseModel.minimumReadings { return length > earlier.count ? nil : .tooShort }
            if contradicting * 10 > earlier.count * Self.contradictingTenths {
                return length > Self.before ? nil : .flickering
            }
            return length >= Self.confirming ? .entered(since: readings[first].day) : .flickering
        }
        guard earlier.count >= NoiseModel.minimumReadings else { return .tooShort }
        if contradicting * 10 > earlier.count * Self.contradictingTenths { return .flickering }
        guard length >= Self.confirming, let usual else { return .flickering }
        // A list too short to show the usual place says nothing, and at the end of a list absence is noise.
        let noise = pool.noise(of: NoiseCounts(self), band: PositionBand(position: usual), country: country)
        var surprise = 0.0
        var previous: Point?
        for point in readings[first...] {
            surprise -= log(noise.chance(of: point, usual: usual, after: previous))
            previous = point
        }
        return surprise > 5 ? .left(from: usual, since: readings[first].day) : .flickering
    }
}
