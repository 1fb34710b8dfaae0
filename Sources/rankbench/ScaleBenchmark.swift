import Foundation
import History
import RankKit

/// What a question costs on a watchlist of 1,000, of 10,000 and of 100,000 pairs, as a person or a reload asks it.
struct ScaleBenchmark {
    let bench: Workbench

    static let explanation = """
        scale-QUESTION-PAIRS: processor time, and where the name says so the most memory resident, on a watchlist of \
        so many pairs (one line each, ten a query) with a month of daily checks. pair: report on one app and one query; \
        country: on one country; all: report --all as a table; json: as JSON; status, plan, check (watch check), add \
        (watch add): those commands; reload: what rankd needs to take up a list with ten pairs more; idle-memory: \
        what it has resident a minute later.
        """

    static let sizes = [1_000, 10_000, 100_000]
    private static let rounds = 3

    private enum Question: String, CaseIterable {
        case pair, pairMemory = "pair-memory", country, all, json, jsonMemory = "json-memory", status, plan, check
        case add, reload, idleMemory = "idle-memory"

        var unit: String {
            switch self {
            case .pairMemory, .jsonMemory, .idleMemory: "MB"
            default: "ms"
            }
        }

        /// The most that it may be, at the greatest size.
        var goal: Double? {
            switch self {
            case .pair: 150
            case .pairMemory: 128
            case .json: 3_000
            case .jsonMemory: 256
            case .add, .reload: 2_000
            case .idleMemory: 80
            case .country, .all, .status, .plan, .check: nil
            }
        }
    }

    static var names: [RowName] {
        Question.allCases.flatMap { question in sizes.map { RowName.scale(question.rawValue, pairs: $0) } }
    }

    func run(_ wanted: Set<RowName>) async throws -> [Row] {
        var rows: [Row] = []
        for pairs in Self.sizes
        where Question.allCases.contains(where: { wanted.contains(.scale($0.rawValue, pairs: pairs)) }) {
            let list = ScaleWatchlist(pairs: pairs, now: Timestamp(Date()))
            let database = bench.file("scale-\(pairs).sqlite")
            try await list.write(to: database)
            let watchlist = try bench.write(list.text(), to: "scale-\(pairs).json")
            let named = Set(Question.allCases.filter { wanted.contains(.scale($0.rawValue, pairs: pairs)) })
            func add(_ question: Question, _ value: () throws -> Double) {
                guard named.contains(question) else { return }
                let name = RowName.scale(question.rawValue, pairs: pairs)
                do {
                    let goal = pairs == Self.sizes.last ? question.goal.map { Row.Goal.value(atMost: $0) } : nil
                    rows.append(
                        Row(name: name, value: try value(), unit: question.unit, reference: nil, goal: goal))
                } catch {
                    bench.say("\(name.rawValue): \(error)")
                }
            }
            reports(on: database, list, add)
            edits(of: watchlist, on: database, add)
            #if os(Linux)
                if !named.isDisjoint(with: [.reload, .idleMemory]) { daemon(list, database, add) }
            #endif
            try bench.removeDatabase(database)
        }
        return rows
    }

    private typealias Adding = (Question, () throws -> Double) -> Void

    private func reports(on database: String, _ list: ScaleWatchlist, _ add: Adding) {
        let onFile = ["--database", database]
        let query = list.queries / 2
        let pair = [
            "--app", ScaleWatchlist.bundle(list.app(query, 3)), "--query", ScaleWatchlist.text(query),
            "--country", ScaleWatchlist.country(query),
        ]
        var usage = Child.Usage(rusage(), peakMemory: 0)
        add(.pair) {
            usage = try median(["report"] + pair + onFile)
            return usage.processorTime * 1e3
        }
        add(.pairMemory) { try peak(["report"] + pair + onFile, known: usage) }
        add(.country) { try milliseconds(["report", "--country", "de"] + onFile) }
        add(.all) { try milliseconds(["report", "--all"] + onFile) }
        usage.peakMemory = 0
        let json = ["report", "--all", "--format", "json"] + onFile
        add(.json) {
            usage = try median(json)
            return usage.processorTime * 1e3
        }
        add(.jsonMemory) { try peak(json, known: usage) }
        // Nobody records: it says that it is down.
        add(.status) { try milliseconds(["status"] + onFile, orStatus: 2) }
    }

    private func edits(of watchlist: String, on database: String, _ add: Adding) {
        add(.plan) { try milliseconds(["plan", watchlist, "--database", database]) }
        add(.check) { try milliseconds(["watch", "check", watchlist]) }
        add(.add) {
            // Each round adds another line.
            let times = try (0..<Self.rounds).map { round in
                try bench.start(
                    "rankctl",
                    ["watch", "add", "another query \(round)", ScaleWatchlist.bundle(0), "--watchlist", watchlist]
                ).usage().processorTime * 1e3
            }
            return times.median ?? 0
        }
    }

    private func milliseconds(_ words: [String], orStatus other: Int32? = nil) throws -> Double {
        try median(words, orStatus: other).processorTime * 1e3
    }

    private func peak(_ words: [String], known: Child.Usage) throws -> Double {
        let usage = known.peakMemory > 0 ? known : try median(words)
        return usage.peakMemory / 1e6
    }

    /// The median time and the greatest peak of some rounds.
    private func median(_ words: [String], orStatus other: Int32? = nil) throws -> Child.Usage {
        let usages = try (0..<Self.rounds).map { _ in try bench.start("rankctl", words).usage(orStatus: other) }
        var usage = usages[0]
        usage.processorTime = usages.map(\.processorTime).median ?? 0
        usage.peakMemory = usages.map(\.peakMemory).max() ?? 0
        return usage
    }

    #if os(Linux)
        /// A daemon with nothing due that reloads a list with ten pairs more.
        private func daemon(_ list: ScaleWatchlist, _ database: String, _ add: Adding) {
            var rankd: Child?
            add(.reload) {
                let child = try started(list, database)
                rankd = child
                let before = try child.processorTime()
                _ = try bench.write(list.text(), to: "reloaded.json")
                kill(child.process, SIGHUP)
                _ = try child.wait(for: "watchlist reloaded", in: child.errors, seconds: 120)
                // Until the loop has looked at the new list.
                sleep(2)
                return (try child.processorTime() - before) * 1e3
            }
            add(.idleMemory) {
                let child = try rankd ?? started(list, database)
                sleep(65)
                return try child.memory("VmRSS:") / 1e6
            }
        }

        private func started(_ list: ScaleWatchlist, _ database: String) throws -> Child {
            let shorter = try bench.write(list.text(without: 10), to: "reloaded.json")
            // Nobody listens there, and nobody is asked: nothing is due, and the look-ups are of apps that were seen.
            let rankd = try bench.start(
                "rankd",
                ["--watchlist", shorter, "--database", database, "--search-url", "http://127.0.0.1:9"])
            _ = try rankd.wait(for: "started", in: rankd.errors, seconds: 120)
            sleep(3)
            return rankd
        }
    #endif
}
