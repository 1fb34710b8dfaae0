import Foundation
import RankKit

/// What of a pair's readings one judgement looks at: the newest of a day, and those before it.
struct ReadingTrack {
    struct Point {
        let day: Int64
        /// `nil` if absent.
        let place: Int?
        /// How many places the list had.
        let within: Int
        /// How many times as far as usual the country's lists moved; 1 on a calm day.
        let storm: Double
        /// Half a place above and below, on `PositionScale`; not a number if absent.
        let edges: (above: Double, below: Double)
    }

    let table: ReadingTable
    /// Of the table's readings.
    let range: Range<Int>
    private let storms: StormFactors

    /// - Parameters:
    ///   - first: the day after which readings are looked at.
    ///   - day: the newest that is looked at.
    init(_ table: ReadingTable, after first: Int64, upTo day: Int64, storms: StormFactors) {
        let end = table.index(after: day)
        self.init(table, min(table.index(after: first), end)..<end, storms)
    }

    private init(_ table: ReadingTable, _ range: Range<Int>, _ storms: StormFactors) {
        self.table = table
        self.range = range
        self.storms = storms
    }

    /// Whether the other looks at the same readings in the same weather.
    func isSame(as other: ReadingTrack) -> Bool {
        table === other.table && range == other.range && !knowsStorms && !other.knowsStorms
    }

    var count: Int { range.count }
    var newest: Point? { range.isEmpty ? nil : self[count - 1] }

    /// Counted from the oldest that is looked at.
    subscript(index: Int) -> Point {
        Point(
            day: day(index), place: place(index), within: table.withins[range.lowerBound + index], storm: storm(index),
            edges: table.edges[range.lowerBound + index])
    }

    func day(_ index: Int) -> Int64 { table.days[range.lowerBound + index] }

    func place(_ index: Int) -> Int? {
        let place = table.places[range.lowerBound + index]
        return place == ReadingTable.absent ? nil : place
    }

    /// Its place on `PositionScale`; not a number if absent.
    func value(_ index: Int) -> Double { table.values[range.lowerBound + index] }

    func storm(_ index: Int) -> Double {
        guard table.storeDays != nil else { return storms[day(index)] }
        return storeDays(index).reduce(1) { max($0, storms[$1]) }
    }

    /// The days of the store that a reading was taken on.
    func storeDays(_ index: Int) -> ClosedRange<Int64> {
        table.storeDays?[range.lowerBound + index] ?? day(index)...day(index)
    }

    /// Whether any of the days in `range` was stormy.
    var knowsStorms: Bool { !storms.isEmpty }

    func from(_ day: Int64) -> ReadingTrack {
        ReadingTrack(table, max(table.index(after: day - 1), range.lowerBound)..<range.upperBound, storms)
    }

    /// The first reading after `day`, or the number of readings.
    func index(after day: Int64) -> Int {
        var index = count
        while index > 0, self.day(index - 1) > day { index -= 1 }
        return index
    }

    /// The lower median of the places of the readings in `range`: a place where the app really stood. An absence stands
    /// below all places.
    ///
    /// - Returns: `nil` if there are none, or the median is an absence.
    func usualPlace(_ range: Range<Int>) -> Int? {
        table.usualPlace(self.range.lowerBound + range.lowerBound..<self.range.lowerBound + range.upperBound)
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
        /// In lists that were too short before to show it: of the time before that day nothing is known.
        case uncovered(since: Int64)

        func judgement(_ track: ReadingTrack) -> MoveJudgement {
            switch self {
            case .entered(let since):
                // As for a move: where it stands now, however long ago it came.
                let first = max(track.index(after: since - 1), track.count - MoveDetection.longest)
                guard let place = track.usualPlace(first..<track.count), let at = Position(place) else {
                    return .withinNoise
                }
                return .entered(at: at, since: since)
            case .left(let from, let since):
                return Position(from).map { .left(from: $0, since: since) } ?? .withinNoise
            case .flickering, .uncovered: return .withinNoise
            case .tooShort: return .notJudged(.history)
            }
        }
    }

    /// Readings that have to agree on an entry or an absence.
    private static let confirming = 2

    /// In the last quarter of a list whoever stands just below its end is in it for two readings now and then: an entry
    /// there needs three, however keenly it is judged.
    private func confirming(_ run: Range<Int>, at place: Int) -> Int {
        let within = run.map { table.withins[range.lowerBound + $0] }.max() ?? 0
        return place * 4 > within * 3 ? NoiseModel.confirmingReadings : Self.confirming
    }

    /// Readings before the passage that are asked, and how many of them, in tenths, may contradict.
    private static let before = 14
    private static let contradictingTenths = 2

    /// The newest passage; `nil` if the pair was in the list throughout, or absent throughout.
    ///
    /// - Parameter since: of what began by that day it is not asked whether lists were too short to show the pair. Then an
    ///   entry counts as `entered` and an exit as `flickering`: what is judged is the same either way.
    func passage(priors: NoisePriors, since: Int64) -> Passage? {
        guard count > 0, !table.hasNoAbsence(in: range) else { return nil }
        let isIn = place(count - 1) != nil
        // The newest run, over single readings that contradict.
        var first = count - 1
        while first > 0 {
            if (place(first - 1) != nil) == isIn {
                first -= 1
            } else if first > 1, (place(first - 2) != nil) == isIn, isIn {
                first -= 2
            } else {
                break
            }
        }
        guard first > 0 else { return nil }
        let length = count - first
        let earlier = max(0, first - Self.before)..<first
        let contradicting = earlier.count { (place($0) != nil) == isIn }
        if isIn {
            // One absence among places is no passage.
            if contradicting * 10 > earlier.count * (10 - Self.contradictingTenths) { return nil }
            if earlier.count < NoiseModel.minimumReadings { return length > earlier.count ? nil : .tooShort }
            if contradicting * 10 > earlier.count * Self.contradictingTenths {
                return length > Self.before ? nil : .flickering
            }
            let beginning = first..<min(first + NoiseModel.confirmingReadings, count)
            guard let usual = usualPlace(beginning),
                (first..<count).count(where: { place($0) != nil }) >= confirming(beginning, at: usual)
            else { return .flickering }
            // It may have stood there all the time, below lists that were too short to show it.
            let isNew = day(first) <= since || isSurprising(earlier.filter { place($0) == nil }, around: usual, priors)
            return isNew ? .entered(since: day(first)) : .uncovered(since: day(first))
        }
        guard earlier.count >= NoiseModel.minimumReadings else { return .tooShort }
        if contradicting * 10 > earlier.count * Self.contradictingTenths { return .flickering }
        guard length >= Self.confirming, let usual = usualPlace(earlier) else { return .flickering }
        return day(first) > since && isSurprising(Array(first..<count), around: usual, priors)
            ? .left(from: usual, since: day(first)) : .flickering
    }

    /// Whether so many absences are no chance for a pair that is usually at that place: a list too short to show it says
    /// nothing, and at the end of a list absence is noise.
    private func isSurprising(_ absences: [Int], around usual: Int, _ priors: NoisePriors) -> Bool {
        let noise = priors.noise(of: NoiseCounts(self), band: PositionBand(position: usual))
        var surprise = 0.0
        var previous: Point?
        for point in absences.map({ self[$0] }) {
            surprise -= log(noise.chance(of: point, usual: usual, after: previous))
            previous = point
        }
        return surprise > 5
    }
}
