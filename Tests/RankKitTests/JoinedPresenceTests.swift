import RankKit
import TestSupport
import Testing

/// What two histories know of one app's look-ups.
@Suite struct JoinedPresenceTests {
    private let start = time("2026-11-01T00:00:00Z")

    private func presence(found: Int64? = nil, empty: [Int64] = [], failed: Int64? = nil) -> AppPresence {
        func moment(_ hours: Int64?) -> Timestamp? { hours.map { start + $0 * 3_600 } }
        return AppPresence(
            foundAt: moment(found), emptySince: moment(empty.first), emptyAt: moment(empty.last),
            emptyAnswers: empty.count, failedAt: moment(failed), failuresInARow: failed == nil ? 0 : 1)
    }

    private func expect(_ one: AppPresence, _ other: AppPresence, _ joined: AppPresence, _ place: Int = #line) {
        #expect(one.joined(with: other) == joined, "line \(place)")
        #expect(other.joined(with: one) == joined, "line \(place), in the other order")
    }

    @Test func `the later answer counts`() {
        expect(presence(found: 5), presence(empty: [0, 30]), presence(found: 5, empty: [30]))
        expect(presence(found: 40), presence(empty: [0, 30]), presence(found: 40))
        expect(presence(found: 5), presence(empty: [6, 40]), presence(found: 5, empty: [6, 40]))
        expect(presence(found: 5), presence(found: 9), presence(found: 9))
        expect(presence(found: 5), AppPresence(), presence(found: 5))
    }

    @Test func `an app that was found between two empty answers is not gone`() {
        let joined = presence(empty: [0, 100]).joined(with: presence(found: 98))
        #expect(!joined.isUnknown && joined.emptySince == joined.emptyAt)
    }

    @Test func `empty answers of both count, and those that both know count once`() {
        expect(presence(empty: [0]), presence(empty: [10, 50]), presence(empty: [0, 10, 50]))
        expect(presence(empty: [10, 20]), presence(empty: [21]), presence(empty: [10, 20, 21]))
        expect(presence(empty: [0, 30]), presence(empty: [0, 30]), presence(empty: [0, 30]))
        expect(presence(empty: [0, 30, 60]), presence(empty: [30, 60]), presence(empty: [0, 30, 60]))
        expect(presence(empty: [0, 30]), presence(empty: [20, 50]), presence(empty: [0, 30, 50]))
        expect(presence(found: 15, empty: [20]), presence(empty: [0, 30]), presence(found: 15, empty: [20, 30]))
        let joined = presence(empty: [0]).joined(with: presence(empty: [30]))
        #expect(joined.isUnknown)
    }

    @Test func `a failure counts if it is later than all answers`() {
        expect(presence(found: 5), presence(empty: [0], failed: 9), presence(found: 5, failed: 9))
        expect(presence(found: 5), presence(empty: [0], failed: 3), presence(found: 5))
    }
}
