import Foundation
import History
import RankKit

/// What the site costs on a year of hourly lists and 1,000 pairs.
struct WebBenchmark {
    let bench: Workbench

    static let explanation = """
        web-NAME: rankweb on a year of hourly lists of 200 places on 800 queries, with 1,000 pairs. today-cold, \
        today-kept, today-unchanged: what 95 of 100 requests for the first page take at most, where the history has \
        changed before each, where it has not, and where the browser has the page; beside a page of the same pairs by \
        Python's own server. today-bytes: that page with its style and its script, as it comes over the wire; \
        script-bytes: the script as a browser reads it. streams-memory: what 1,000 open pages take that wait for \
        events. errors, recording, peak-memory: 50 clients, each asking for a page every second for three minutes, \
        while rankd records a pass of 20 checks a minute, the fastest pace without a warning; recording is what the \
        median transaction takes, beside those of the same pass in the three minutes before. idle-memory: what is \
        resident a minute later.
        """

    static let names: [RowName] = [
        .todayCold, .todayKept, .todayUnchanged, .todayBytes, .scriptBytes, .streamsMemory, .webErrors, .webRecording,
        .webPeakMemory, .webIdleMemory,
    ]

    private static let hours: Int64 = 8_760
    private static let coldRounds = 60
    private static let warmRounds = 200
    private static let streams = 1_000
    private static let clients = 50
    private static let perMinute = 20
    /// Seconds.
    private static let load: UInt32 = 200
    private static let before: UInt32 = 210
    private static let rest: UInt32 = 60

    #if os(Linux)
        func run() async throws -> [Row] {
            try raiseFileLimit()
            let end = Timestamp.startOfDay(Timestamp(Date()).day)
            let year = try await YearOfLists(bench.file("web.sqlite"), start: end - Self.hours * 3_600)
            try await year.grow(by: Self.hours)
            let app = "com.example.app\(year.tracked[5][0])"
            try year.addDays(noting: app)
            // As rankd has it open: with a write-ahead log.
            let store = try HistoryStore(path: year.path)
            let site = try bench.start(
                "rankweb",
                [
                    "--database", year.path, "--open", "--listen", "127.0.0.1:0", "--requests-per-minute", "1000000",
                ])
            let origin = try Self.address(of: site)
            let reference = try reference(on: year.path)
            defer { try? bench.removeDatabase(year.path) }
            var rows = try await today(of: origin, store, beside: reference)
            rows.append(try await openStreams(to: origin, of: site, store))
            try await store.close()
            rows += try await pass(of: origin, site, year, app)
            rows.append(
                Row(
                    name: .webPeakMemory, value: try site.memory("VmHWM:") / 1e6, unit: "MB", reference: nil,
                    goal: .value(atMost: 160)))
            sleep(Self.rest)
            rows.append(
                Row(
                    name: .webIdleMemory, value: try site.memory("VmRSS:") / 1e6, unit: "MB",
                    reference: try reference.map { try $0.child.memory("VmRSS:") / 1e6 }, goal: .value(atMost: 60)))
            return rows
        }
    #else
        func run() async throws -> [Row] {
            bench.say("the site is measured on Linux only")
            return []
        }
    #endif
}

#if os(Linux)
    extension WebBenchmark {
        /// 1,000 streams at either end need more files than programs may usually open.
        private func raiseFileLimit() throws {
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            limit.rlim_cur = min(limit.rlim_max, max(limit.rlim_cur, 4_096))
            guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur > 2_100 else {
                throw BenchmarkFailure("a program may open \(limit.rlim_cur) files only")
            }
        }

        private static func address(of server: Child) throws -> String {
            let said = try server.wait(for: "\n", in: server.output, seconds: 60)
            let announcement = "listening on "
            guard let range = said.range(of: announcement) else {
                throw BenchmarkFailure("\(server.program) said “\(said)”, not where it listens")
            }
            return said[range.upperBound...].trimmingCharacters(in: .whitespacesAndNewlines)
        }

        private func reference(on path: String) throws -> (child: Child, origin: String)? {
            if let problem = bench.python.problem(importing: WebReference.modules, on: bench) {
                bench.say("no Python to compare the site with: \(problem)")
                return nil
            }
            let script = try bench.write(WebReference.script, to: "web.py")
            let child = try bench.python.start(
                script, [path], importing: WebReference.modules, streams: bench.file("web"))
            return (child, try Self.address(of: child))
        }

        // MARK: One page

        private func today(
            of origin: String, _ store: HistoryStore, beside reference: (child: Child, origin: String)?
        ) async throws -> [Row] {
            let connection = try WebConnection(origin)
            // A page that shows nothing would be a cheap one.
            let plain = try connection.get("/", [])
            let page = String(decoding: plain.body, as: UTF8.self)
            let shown = page.components(separatedBy: "habit tracker ").count - 1
            guard plain.status == 200, shown >= 200 else {
                throw BenchmarkFailure("Today came with status \(plain.status) and \(shown) pairs")
            }
            let cold = try await Self.times(Self.coldRounds, of: connection, "/", status: 200) { _ in
                try await Self.change(store)
                return []
            }
            let kept = try await Self.times(Self.warmRounds, of: connection, "/", status: 200) { _ in [] }
            // With a new minute the page is another one.
            let unchanged = try await Self.times(Self.warmRounds, of: connection, "/", status: nil) { last in
                last?.fields["etag"].map { ["If-None-Match: \($0)"] } ?? []
            }
            var other: Double?
            if let reference {
                let connection = try WebConnection(reference.origin)
                other = try await Self.times(Self.coldRounds / 3, of: connection, "/", status: 200) { _ in [] }
            }
            return [
                Row(name: .todayCold, value: cold, unit: "ms", reference: other, goal: .value(atMost: 300)),
                Row(name: .todayKept, value: kept, unit: "ms", reference: nil, goal: .value(atMost: 20)),
                Row(name: .todayUnchanged, value: unchanged, unit: "ms", reference: nil, goal: .value(atMost: 20)),
            ] + (try firstView(page, of: connection))
        }

        /// The longest of 95 in 100, in milliseconds.
        ///
        /// - Parameters:
        ///   - status: what each has to be answered with; `nil` for 304 after the first.
        ///   - fields: what is asked with beside gzip, by the last answer.
        private static func times(
            _ rounds: Int, of connection: WebConnection, _ path: String, status: Int?,
            _ fields: (WebConnection.Answer?) async throws -> [String]
        ) async throws -> Double {
            var times: [Double] = []
            var last: WebConnection.Answer?
            var others = 0
            for _ in 0..<rounds {
                let fields = try await fields(last)
                let began = ContinuousClock.now
                let answer = try connection.get(path, ["Accept-Encoding: gzip"] + fields)
                times.append(began.duration(to: .now) / .milliseconds(1))
                if answer.status != status ?? 304 { others += 1 }
                last = answer
            }
            guard others <= (status == nil ? 3 : 0) else {
                throw BenchmarkFailure("\(others) of \(rounds) answers to \(path) were others than expected")
            }
            return percentile(times)
        }

        /// Has the history be another one than before.
        private static func change(_ store: HistoryStore) async throws {
            try await store.noteRequest(at: Timestamp(Date()))
        }

        private static func percentile(_ times: [Double]) -> Double {
            times.isEmpty ? 0 : times.sorted()[(times.count * 95 + 99) / 100 - 1]
        }

        /// The page with all that it needs beside images.
        private func firstView(_ page: String, of connection: WebConnection) throws -> [Row] {
            let files = page.matches(of: /(?:href|src)="(\/assets\/[^"]+\.(?:css|js))"/).map { String($0.output.1) }
            guard files.contains(where: { $0.hasSuffix(".css") }), files.contains(where: { $0.hasSuffix(".js") }) else {
                throw BenchmarkFailure("Today names no style and script of its own")
            }
            let wire = try (["/"] + files).map { try connection.get($0).size }
            let script = try files.filter { $0.hasSuffix(".js") }.map { try connection.get($0, []).body.count }
            return [
                Row(
                    name: .todayBytes, value: Double(wire.reduce(0, +)) / 1e3, unit: "kB", reference: nil,
                    goal: .value(atMost: 80)),
                Row(
                    name: .scriptBytes, value: Double(script.reduce(0, +)) / 1e3, unit: "kB", reference: nil,
                    goal: .value(atMost: 15)),
            ]
        }

        // MARK: Many

        private func openStreams(to origin: String, of site: Child, _ store: HistoryStore) async throws -> Row {
            let before = try site.memory("VmRSS:")
            let streams = try (0..<Self.streams).map { _ in try WebConnection(origin) }
            for stream in streams { try stream.listen() }
            // Of a change they are all told.
            sleep(6)
            try await Self.change(store)
            for stream in streams { try stream.waitForEvent("changed") }
            let after = try site.memory("VmRSS:")
            withExtendedLifetime(streams) {}
            return Row(
                name: .streamsMemory, value: (after - before) / 1e6, unit: "MB", reference: nil,
                goal: .value(atMost: 40))
        }

        private func pass(of origin: String, _ site: Child, _ year: YearOfLists, _ app: String) async throws -> [Row] {
            let store = try SimulatedStore(on: bench, inventing: true)
            let watchlist = try bench.write(
                try year.watchlistText(requestsPerMinute: Self.perMinute, parallelism: 4), to: "web.json")
            let rankd = try bench.start(
                "rankd",
                [
                    "--once", "--watchlist", watchlist, "--database", year.path, "--search-url", store.origin,
                    "--log-level", "trace",
                ])
            _ = try rankd.wait(for: "step=record", in: rankd.errors, seconds: 60)
            sleep(Self.before)
            let query = "query=habit%20tracker%205&country=us&platform=iphone"
            let paths = [
                "/", "/reports/movers", "/", "/apps/\(app)", "/", "/queries?\(query)", "/?sort=1d",
                "/reports/history?app=\(app)&\(query)", "/api/v1/reports/standings?limit=50",
            ]
            let began = Date()
            let clients = WebClients(Self.clients, asking: paths, of: origin)
            sleep(Self.load)
            let outcome = clients.stop()
            let ended = Date()
            _ = rankd.stop()
            let log = String(decoding: FileManager.default.contents(atPath: rankd.errors) ?? Data(), as: UTF8.self)
            let recording = try RecordingTimes(log: log).medians(between: began, and: ended)
            bench.say(
                """
                \(Self.clients) clients had \(outcome.answers) answers, 95 of 100 within \
                \(Int(Self.percentile(outcome.times))) ms; errors: \
                \(outcome.errors.isEmpty ? "none" : outcome.errors.prefix(5).joined(separator: ", "))
                """)
            guard outcome.answers > Self.clients else { throw BenchmarkFailure("nobody was answered") }
            return [
                Row(
                    name: .webErrors, value: Double(outcome.errors.count), unit: "", reference: nil,
                    goal: .value(atMost: 0)),
                Row(
                    name: .webRecording, value: recording.within, unit: "ms", reference: recording.outside,
                    goal: .ratio(atMost: 1.1)),
            ]
        }
    }
#endif
