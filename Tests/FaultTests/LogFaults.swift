import Foundation
import ProgramStage
import Testing

extension FaultTests {
    /// Logs that would grow too long, and logs that nobody reads.
    @Suite struct LogFaults {
        @Test func `a thousand failures are a few lines`() async throws {
            try await Stage.run { stage async throws in
                let store = try await stage.simulator(["--seed", "1", "--apps", "20", "--fault", "html=1"])
                try stage.watch(watchlist(terms(1_000), [Stage.mine]))
                let rankd = try stage.rankd(store: store.origin)
                try await rankd.says("pass ended")
                #expect(try await store.searches() == 1_000)
                let lines = rankd.errors.split(separator: "\n")
                #expect(lines.count { $0.contains("check failed") } <= 3, "\(lines.count)")
                #expect(lines.count < 20, "\(rankd.errors)")
                rankd.signal(SIGTERM)
                #expect(try await rankd.ends() == .code(0))
                #expect(try RecordedHistory(stage.database).checkCount == 1_000)
                try await stage.isSound()
            }
        }

        /// Where stderr goes.
        @Test(arguments: ["2>/dev/full", "2>&-", "2>fifo 9<fifo", "0<&- 1>&- 2>&-", "1>/dev/full 2>/dev/full"])
        func `a log that nobody reads, or that is full, holds nothing up`(_ streams: String) async throws {
            try await Stage.run { stage async throws in
                let recordings = try Recordings.ofFiveApps(for: terms(500), on: stage)
                let store = try await stage.simulator(["--replay", recordings.folder])
                try stage.watch(watchlist(terms(500), [Stage.mine]))
                // The shell holds the other end of the FIFO open, and reads nothing.
                let script =
                    "cd \(stage.path); mkfifo fifo; exec 9<>fifo; exec \(Program.Name.rankd.path) --once --log-level trace "
                    + "--watchlist watchlist.json --database history.sqlite --search-url \(store.origin) "
                    + streams.replacing("2>fifo 9<fifo", with: "2>&9")
                let shell = try stage.start(path: "/bin/sh", ["-c", script])
                #expect(try await shell.ends() == .code(0), "\(shell.errors)")
                #expect(try RecordedHistory(stage.database).checkCount == 500)
                #expect(FileManager.default.contents(atPath: stage.database + ".lock") == Data())
                try await stage.isSound()
            }
        }
    }
}
