internal import Foundation

/// A pair's newest readings in the form that the arithmetic wants.
struct Track {
    struct Point {
        let day: Int64
        /// `nil` where absent.
        let place: Int?
        /// How many places the list had.
        let within: Int
        /// How many times as far as usual the country's lists moved; 1 on a calm day.
        let storm: Double
    }

    private(set) var readings: [Point]

    init(_ series: NoiseModel.Series, upTo day: Int64, storms: [Int64: Double]) {
        readings = series.readings.reversed().lazy.drop { $0.day > day }.prefix { $0.day > day - series.span.memory }
            .map { day, reading in
                Point(
                    day: day, place: reading.position?.number, within: reading.within, storm: storms[day] ?? 1)
            }
            .reversed()
    }

    private init(_ readings: [Point]) { self.readings = readings }

    func from(_ day: Int64) -> Track { Track(Array(readings.drop { $0.day < day })) }

    /// The lower median of the places of the readings in `range`: a place where the app really stood. An absence stands
    /// below all places.
    ///
    /// - Returns: `nil` where there are none, or the median is an absence.
    func usualPlace(_ range: Range<Int>) -> Int? {
        let places = readings[range].map { $0.place ?? Int.max }.sorted()
        guard !places.isEmpty else { return nil }
        let middle = places[(places.count - 1) / 2]
        return middle == Int.max ? nil : middle
    }
}
