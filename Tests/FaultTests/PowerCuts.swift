#if os(Linux)
    import Foundation
    import ProgramStage
    import TestSupport
    import Testing

    extension FaultTests {
        /// Only what was synced survives.
        @Suite(.longRun, .timeLimit(.minutes(20))) struct PowerCuts {
            private static let rounds = 60
            private static let queries = 3_000

            @Test(.cutsPower, .needs("cc"))
            func `a power cut loses nothing that was reported`() async throws {
                var random = SplitMix(seed: 3)
                try await Stage.run { outer async throws in
                    let shim = try await PowerCutShim.built(on: outer)
                    let names = terms(Self.queries)
                    let recordings = try Recordings.ofFiveApps(for: names, on: outer)
                    let store = try await outer.simulator(["--replay", recordings.folder])

                    // The disk, as each cut leaves it.
                    var disk: String?
                    var told: Set<Int> = []
                    var cutWhileAsking = 0
                    for round in 1...Self.rounds {
                        let next = outer.file("disk-\(round)")
                        try FileManager.default.createDirectory(atPath: next, withIntermediateDirectories: false)
                        try await Stage.run { stage async throws in
                            try stage.watch(ProgramStage.watchlist(names, [Stage.mine, Stage.nowhere]))
                            for suffix in ["", "-wal"] {
                                guard let file = disk.map({ $0 + "/history.sqlite" + suffix }),
                                    FileManager.default.fileExists(atPath: file)
                                else { continue }
                                try FileManager.default.copyItem(atPath: file, toPath: stage.database + suffix)
                                try FileManager.default.copyItem(
                                    atPath: file, toPath: next + "/history.sqlite" + suffix)
                            }
                            let rankd = try stage.rankd(
                                ["--once"], store: store.origin, environment: ["LD_PRELOAD": shim, "SHADOW": next])
                            if !round.isMultiple(of: 3) { try await rankd.prints("check=") }
                            try await Task.sleep(for: .milliseconds(Int.random(in: 0..<400, using: &random)))
                            rankd.signal(SIGKILL)
                            _ = try await rankd.ends()
                            if !rankd.printedLines.isEmpty { cutWhileAsking += 1 }
                            told.formUnion(stage.told)
                            guard !told.isEmpty else { return }
                            // Whoever opens it may change it: a copy is judged.
                            let copy = stage.file("copy")
                            try FileManager.default.copyItem(atPath: next, toPath: copy)
                            for flaw in try await stage.flaws(in: copy + "/history.sqlite") {
                                Issue.record("round \(round): \(flaw)")
                            }
                            let kept = try RecordedHistory(copy + "/history.sqlite").checks
                            #expect(told.isSubset(of: kept), "round \(round) lost \(told.subtracting(kept).count)")
                        }
                        disk = next
                    }
                    print(
                        "SWEEP power cut: \(Self.rounds) rounds, \(cutWhileAsking) while asking, \(told.count) checks told"
                    )
                    #expect(cutWhileAsking >= 40)
                }
            }
        }
    }
#endif
