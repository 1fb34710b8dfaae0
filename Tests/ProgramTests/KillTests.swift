import Foundation
import Testing

extension ProgramTests {
    @Suite struct KillTests {
        private static let kills = 50
        private static let queries = 2_000

        /// Every line that was printed is in the file, nothing in it is half there, and nothing is asked twice.
        @Test func `kill -9 at any moment of a pass loses nothing that was told, fifty times`() async throws {
            var random = Seeded(state: 20_261_120)
            try await Stage.run { stage async throws in
                let queries = terms(Self.queries)
                let recordings = try Recordings.ofFiveApps(for: queries, on: stage)
                let store = try await stage.simulator(["--replay", recordings.folder, "--latency", "2"])
                try stage.watch(watchlist(queries, ["com.example.app4", "com.example.nowhere"], parallelism: 4))

                var told: Set<Int> = []
                var whileAsking = 0
                for round in 1...Self.kills {
                    let asked = try await store.searches()
                    let before = told.isEmpty ? 0 : try RecordedHistory(stage.database).checkCount
                    let pass = try stage.rankd(["--once"], store: store.origin)
                    // Half of the kills come at any time since the start, half while checks are being recorded.
                    if round.isMultiple(of: 2) { try await pass.prints("check=") }
                    try await Task.sleep(
                        for: .milliseconds(Int.random(in: 0..<(round.isMultiple(of: 2) ? 60 : 300), using: &random)))
                    pass.signal(SIGKILL)
                    #expect(try await pass.ends() == .signal(SIGKILL), "round \(round): \(pass.errors)")

                    let lines = pass.printedLines
                    if !lines.isEmpty { whileAsking += 1 }
                    told.formUnion(try lines.map { try #require(Self.check(in: $0), "\($0)") })
                    guard !told.isEmpty else { continue }
                    let history = try RecordedHistory(stage.database)
                    #expect(told.isSubset(of: try history.checks), "round \(round) lost a check that it had printed")
                    #expect(try history.flaws == [], "round \(round)")
                    #expect(
                        try history.number("SELECT count(*) - count(DISTINCT query) FROM check_log") == 0,
                        "round \(round) asked what was not due")
                    // Whatever was asked beyond what is recorded was under way when the process died.
                    let lost = try await store.searches() - asked - (try history.checkCount - before)
                    #expect((0...8).contains(lost), "round \(round)")
                }
                #expect(whileAsking >= Self.kills / 2)

                let due = try RecordedHistory(stage.database).unasked
                try #require(!due.isEmpty, "the kills left nothing to ask: more queries are needed")
                let asked = try await store.searches()
                let last = try await stage.pass(store: store.origin)
                #expect(last.ending == .code(0), "\(last.errors)")
                #expect(try await store.searches() - asked == due.count)
                let history = try RecordedHistory(stage.database)
                #expect(try history.checkCount == Self.queries)
                #expect(try history.flaws == [])
            }
        }

        /// The number in `check=123 …`.
        private static func check(in line: Substring) -> Int? {
            line.split(separator: " ").first.flatMap { word in
                word.hasPrefix("check=") ? Int(word.dropFirst("check=".count)) : nil
            }
        }
    }
}

/// SplitMix64: the same moments in every run.
private struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
