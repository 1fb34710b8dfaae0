import Algorithms

/// The last good reading of each day that has one, in order: the readings of a long watchlist are walked through
/// and seldom searched.
package struct DailyReadings: Sendable, Hashable {
    package struct Element: Sendable, Hashable {
        /// Since 1970-01-01.
        package let day: Int64
        package let reading: Reading
    }

    /// In ascending order of days.
    package private(set) var elements: [Element] = []

    package init() {}

    package init(_ readings: [Int64: Reading]) {
        elements = readings.sorted { $0.key < $1.key }.map { Element(day: $0.key, reading: $0.value) }
    }

    package var count: Int { elements.count }

    package subscript(day: Int64) -> Reading? {
        guard let last = last(upTo: day), last.day == day else { return nil }
        return last.reading
    }

    /// The newest that is of `day` or of one before it.
    package func last(upTo day: Int64) -> Element? {
        elements[..<elements.partitioningIndex { $0.day > day }].last
    }

    /// The first day on which it is known that the query was asked; `nil` if none is. There may be readings from before
    /// the first check that is kept.
    ///
    /// - Parameters:
    ///   - firstCheck: of the query; `nil` if none is kept.
    ///   - zone: whose days these are.
    package func firstDay(_ firstCheck: Timestamp?, _ zone: ZoneDays) -> Int64? {
        [firstCheck.map(zone.day), elements.first?.day].compactMap(\.self).min()
    }

    /// Takes up the next reading; of the day of the last one it counts in its stead.
    package mutating func append(_ reading: Reading, on day: Int64) {
        if elements.last?.day == day { elements.removeLast() }
        elements.append(Element(day: day, reading: reading))
    }

    package mutating func reserveCapacity(_ count: Int) { elements.reserveCapacity(count) }

    /// Gives back what was reserved and is not needed: those of a year are kept of many pairs at once.
    package mutating func trim() {
        // As many as there are have room in the new array.
        if elements.count < elements.capacity { elements = elements.map { $0 } }
    }
}

extension DailyReadings: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral readings: (Int64, Reading)...) {
        self.init(Dictionary(readings, uniquingKeysWith: { _, last in last }))
    }
}
