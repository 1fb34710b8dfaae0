import JudgingStage
import RankKit
import Testing

@testable import Judging

@Suite struct WeatherTests {
    @Test func `a day's figure is the trimean of its moves`() {
        #expect(Weather.figure(lowerQuartile: 0, median: 2, upperQuartile: 5) == 2.25)
        #expect(Weather.figure(lowerQuartile: 0, median: 0, upperQuartile: 0) == 0)
    }

    @Test func `a day is judged by the days before it alone`() throws {
        // Median 2, deviations 1 on every day: spread 1.4826.
        var moves = Dictionary(uniqueKeysWithValues: (100..<120 as Range<Int64>).map { ($0, $0 % 2 == 0 ? 1.0 : 3.0) })
        moves[120] = 2 + 3.6 * Robust.consistency
        moves[121] = 50
        let day = try #require(Weather(moves: moves).day(120))
        #expect(day.usual == 2)
        #expect(abs(day.z - 3.6) < 1e-12)
        #expect(day.state == .stormy)
        #expect(abs(day.factor - day.moves / 2) < 1e-12)
    }

    @Test func `days that are all alike leave a floor below the spread`() throws {
        var moves = Dictionary(uniqueKeysWithValues: (0..<14 as Range<Int64>).map { ($0, 4.0) })
        moves[14] = 4.5
        #expect(abs(try #require(Weather(moves: moves).day(14)).z - 1.25) < 1e-12)
        moves[14] = 4
        #expect(try #require(Weather(moves: moves).day(14)).z == 0)
    }

    @Test func `nothing is said of a day without a figure, or with fewer than 14 before it`() {
        let moves = Dictionary(uniqueKeysWithValues: (0..<14 as Range<Int64>).map { ($0, 4.0) })
        #expect(Weather(moves: moves).day(13) == nil)
        #expect(Weather(moves: moves).day(14) == nil)
        #expect(Weather(moves: [:]).day(0) == nil)
        var late = moves
        late[74] = 4
        #expect(Weather(moves: late).day(74) == nil)
    }

    @Test(
        arguments: [(1.99, .calm), (2, .unsettled), (3.49, .unsettled), (3.5, .stormy), (-9, .calm)]
            as [(Double, Weather.State)])
    func `z tells calm from unsettled from stormy`(_ z: Double, _ state: Weather.State) {
        #expect(Weather.State(z: z) == state)
    }
}
