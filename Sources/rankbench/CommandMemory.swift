import Foundation
import History

/// The most memory that rankctl's commands need on a year's file.
struct CommandMemory {
    let bench: Workbench
    let database: String

    /// What is run; one that is added is measured with the rest.
    ///
    /// - Parameters:
    ///   - apps: bundle identifiers of an app that is tracked on the query, and of one that never was.
    static func commands(
        query: String, apps: (tracked: String, untracked: String), watchlist: String
    ) -> [[String]] {
        [
            ["report"], ["report", "--format", "json"],
            ["report", "history", "--query", query, "--app", apps.tracked],
            ["report", "history", "--query", query, "--app", apps.untracked],
            ["report", "results", "--query", query, "--compare", "90d"],
            ["report", "competitors", "--app", apps.tracked], ["report", "compare", "--app", apps.tracked],
            ["apps"], ["apps", "app1"], ["status"], ["watch", "check", watchlist],
        ]
    }

    /// The peak of the one that needs most, in bytes.
    func most(of commands: [[String]]) throws -> Double {
        var peaks: [(command: String, peak: Double)] = []
        for command in commands {
            let files = command.first == "watch" ? [] : ["--database", database]
            let child = try bench.start("rankctl", command + files)
            let peak = try Self.peak(of: child)
            let said = FileManager.default.contents(atPath: child.output) ?? Data()
            guard !said.isEmpty else {
                let errors = FileManager.default.contents(atPath: child.errors) ?? Data()
                throw BenchmarkFailure(
                    "rankctl \(command.joined(separator: " ")) said nothing: \(String(decoding: errors, as: UTF8.self))"
                )
            }
            peaks.append((command.joined(separator: " "), peak))
        }
        let words = peaks.map { "\($0.command): \(Int($0.peak / 1e6)) MB" }
        bench.say("memory of rankctl: " + words.joined(separator: ", "))
        return peaks.map(\.peak).max() ?? 0
    }

    #if os(Linux)
        /// Looks at it until it ends. What the kernel says afterwards is no less than what this process itself once had.
        private static func peak(of child: Child) throws -> Double {
            var peak = 0.0
            while let status = FileManager.default.contents(atPath: "/proc/\(child.process)/status") {
                let lines = String(decoding: status, as: UTF8.self).split(separator: "\n")
                // One that has ended has no memory any more.
                guard let line = lines.first(where: { $0.hasPrefix("VmHWM:") }),
                    let kilobytes = line.split(whereSeparator: { !$0.isNumber }).first.flatMap({ Double($0) })
                else { break }
                peak = max(peak, kilobytes * 1_024)
                usleep(500)
            }
            _ = child.stop()
            return peak
        }
    #else
        private static func peak(of child: Child) throws -> Double { try child.usage().peakMemory }
    #endif
}
