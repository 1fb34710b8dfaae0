import AppStore
import HTTPTypes
import History
import Judging
import RankKit
import Reports

/// The Search page's questions, and the same for programs.
struct SearchController<C: Clock>: Sendable where C.Duration == Duration {
    /// Writes the part of the page that shows an outcome.
    typealias Fragment = @Sendable (SearchOutcome, Query?, Visit) -> String

    private let search: LiveSearch<C>
    private let history: HistoryAccess
    /// The path of the watchlist, into which people paste what they want tracked; nothing is written to it.
    private let watchlist: String?
    private let now: @Sendable () -> Timestamp
    private let fragment: Fragment

    /// - Parameters:
    ///   - history: what tells whose the apps are, for each visitor.
    ///   - watchlist: the path of the file into which people paste what they want tracked.
    ///   - now: the wall clock, to the second: a visit's own moment is that of its minute.
    ///   - fragment: writes the HTML of `GET /search/results`.
    init(
        search: LiveSearch<C>, history: HistoryAccess, watchlist: String? = nil,
        now: @escaping @Sendable () -> Timestamp,
        fragment: @escaping Fragment
    ) {
        self.search = search
        self.history = history
        self.watchlist = watchlist
        self.now = now
        self.fragment = fragment
    }

    func add(to routes: inout Routes) {
        routes.get("/api/v1/search") { visit in .now(await forPrograms(visit)) }
        routes.get("/search/results") { visit in .now(await forThePage(visit)) }
    }

    // MARK: The page

    /// Always 200, whatever came of it: the page says it, and asks again when `Retry-After` says.
    private func forThePage(_ visit: Visit) async -> Answer {
        let (outcome, query) = await outcome(of: visit, session: session(of: visit))
        var fields = retryAfter(outcome)
        fields[.cacheControl] = "no-store"
        return Answer(type: "text/html; charset=utf-8", fragment(outcome, query, visit), fields: fields)
    }

    /// A tab of a visitor, as the page's script calls it in `session`; without that the visitor.
    private func session(of visit: Visit) -> String {
        visit.visitor.name + "\n" + String((visit["session"] ?? "").prefix(64))
    }

    // MARK: Programs

    private func forPrograms(_ visit: Visit) async -> Answer {
        let format = visit["format"] ?? "json"
        guard format == "json" || format == "csv" else {
            return Problem(.usage, "the format is json or csv", instance: visit.path).answer
        }
        let columns = visit["columns"].map { CSVSelection($0) } ?? .short
        guard let columns else {
            return Problem(
                .usage, "columns is empty: write short, all, or columns such as query,position", instance: visit.path
            ).answer
        }
        // Programs may ask several things at once: none of them takes the place of another.
        let (outcome, _) = await outcome(of: visit, session: nil)
        switch outcome {
        case .results(let found): return answer(found.report, format, columns)
        case .empty(let query):
            let report = SearchReport(query: query, generatedAt: now(), results: ResultList(places: []))
            return answer(report, format, columns)
        default: return problem(outcome, visit)
        }
    }

    private func answer(_ report: SearchReport, _ format: String, _ columns: CSVSelection) -> Answer {
        let fields: HTTPFields = [.cacheControl: "no-store"]
        guard format == "csv" else {
            return Answer(type: "application/json", report.render(as: .json), fields: fields)
        }
        do throws(ReportRefusal) {
            return Answer(type: "text/csv; charset=utf-8", try report.csv(columns), fields: fields)
        } catch { return Problem(error, instance: APIAddress.search).answer }
    }

    /// Of the kinds that the API's description lists.
    private func problem(_ outcome: SearchOutcome, _ visit: Visit) -> Answer {
        let kind: Problem.Kind =
            switch outcome {
            case .nothing, .invalid: .usage
            case .waiting: .tooOften
            case .paused, .throttled: .storePaused
            case .failed: .storeFailed
            case .off: .searchOff
            // Nobody waits for it any more.
            case .superseded, .results, .empty: .failed
            }
        return Problem(kind, outcome.words(at: now()) ?? "", instance: visit.path, fields: retryAfter(outcome)).answer
    }

    // MARK: Both

    /// What a page without a script shows, whose visitor waits for nothing else meanwhile.
    func outcome(for visit: Visit) async -> SearchOutcome {
        await outcome(of: visit, session: session(of: visit)).0
    }

    private func outcome(of visit: Visit, session: String?) async -> (SearchOutcome, Query?) {
        let query: Query
        switch SearchQuestion.read(visit) {
        case .failure(let refusal): return (.invalid(refusal.words), nil)
        case .success(nil): return (.nothing, nil)
        case .success(let read?): query = read
        }
        let share: LiveSearch<C>.Share = visit.visitor.tags == nil ? .whole : .part
        let answer =
            if let session {
                await search.ask(query, session: session, outOf: share)
            } else {
                await search.ask(query, outOf: share)
            }
        switch answer {
        case .other(let outcome): return (outcome, query)
        case .answered(let list, _) where list.count == 0: return (.empty(query), query)
        case .answered(let list, let at):
            // Whoever sees a part of the history is not told what else is tracked, nor where.
            let watched = visit.visitor.tags == nil ? watchlist.map(WatchedFile.init) : nil
            let found = FoundApps(
                query: query, askedAt: at, results: list, marks: marks(for: visit.visitor), watchlist: watched)
            return (.results(found), query)
        }
    }

    /// Mine and competitors, as far as the visitor may know them. A history that cannot be read marks nothing.
    private func marks(for visitor: Visitor) -> AppMarks {
        do {
            let reader = try history.reader(for: visitor)
            func marks(_ apps: [(bundleID: BundleID, isMine: Bool)]) throws(HistoryError) -> AppMarks {
                try AppMarks(
                    Dictionary(
                        apps.map { ($0.bundleID, $0.isMine ? .mine : .competitor) },
                        uniquingKeysWith: { first, _ in first }),
                    knownTo: reader)
            }
            guard let tags = visitor.tags else {
                return try marks(try reader.watchedApps().map { ($0.bundleID, $0.isMine) })
            }
            guard !tags.isEmpty else { return [:] }
            let pairs = try reader.trackedPairs(PairFilter(tags: tags.sorted()))
            return try marks(pairs.map { ($0.bundleID, $0.isMine) })
        } catch { return [:] }
    }

    private func retryAfter(_ outcome: SearchOutcome) -> HTTPFields {
        guard let at = outcome.retryAt else { return HTTPFields() }
        return [.retryAfter: String(max(1, at - now()))]
    }
}
