import Judging
import RankKit
import Reports

/// What a live search came to: each of the states that the page has words for.
enum SearchOutcome: Sendable {
    /// No text yet.
    case nothing
    /// A text that cannot be searched for, and why.
    case invalid(String)
    case results(FoundApps)
    /// The App Store finds nothing.
    case empty(Query)
    /// Three searches a minute are made; the next one may go then.
    case waiting(until: Timestamp)
    /// Nothing is asked until then: the App Store has turned rankd away.
    case paused(until: Timestamp)
    /// The App Store has turned this search away; nothing is asked until then.
    case throttled(until: Timestamp)
    case failed(Failure)
    /// No search can be made here, and why.
    case off(String)
    /// A newer search of the same visitor took its place, or the visitor left.
    case superseded

    /// When it is worth another try, where that is known.
    var retryAt: Timestamp? {
        switch self {
        case .waiting(let until), .paused(let until), .throttled(let until): until
        case .nothing, .invalid, .results, .empty, .failed, .off, .superseded: nil
        }
    }

    /// What happened, and what to do, for people; `nil` where the results say it.
    func words(at now: Timestamp) -> String? {
        switch self {
        case .nothing: "Write what people search for."
        case .invalid(let why): why
        case .results: nil
        case .empty(let query): "The App Store finds nothing for “\(SafeText.escaped(query.text))”."
        case .waiting(let until):
            "Too many searches just now. The next one is possible in \(Self.span(until - now))."
        case .paused(let until):
            "The App Store has refused requests from here, and rankd pauses. Search again in \(Self.span(until - now))."
        case .throttled(let until):
            "The App Store refused the search: too many requests from here. Search again in \(Self.span(until - now))."
        case .failed(let failure):
            "No answer: \(failure.reason.explanation). "
                + (failure.reason == .rejected ? "Change the search text." : "Search again in a while.")
        case .off(let why): "Search is off: \(why)."
        case .superseded: "A newer search has replaced this one."
        }
    }

    private static func span(_ seconds: Int64) -> String { WatchlistSummary.duration(Double(max(1, seconds))) }
}

/// The list that the App Store answered with, as one visitor may see it.
struct FoundApps: Sendable {
    /// What programs get.
    let report: SearchReport
    let query: Query
    /// When the App Store was asked; up to a minute ago.
    let askedAt: Timestamp
    let rows: [Row]
    /// The watchlist's file, for visitors who see everything.
    var watchlist: String?

    /// One place.
    struct Row: Sendable {
        /// 1 is the first.
        let position: Int
        /// `nil` for an entry that could not be read.
        let app: App?
    }

    struct App: Sendable {
        let bundleID: BundleID
        let id: AppID?
        let name: String?
        let developer: String?
        /// 0–5; `nil` where nobody has rated it.
        let rating: Double?
        let ratingCount: Int64?
        /// Apple's addresses, as the entry has them: foreign text.
        let iconURL: String?
        let screenshotURLs: [String]
        /// `nil` for an app that the watchlist does not name, or that this visitor may not know it names.
        let mark: AppMark?
        /// The line of the watchlist that tracks the app on this query, its comma included.
        let watchLine: String
        /// Whether the watchlist's file has it already, as far as the visitor may know.
        var isTracked = false
    }
}

extension FoundApps {
    init(
        query: Query, askedAt: Timestamp, results: ResultList, marks: AppMarks, watchlist: WatchedFile? = nil
    ) {
        let rows = results.places.enumerated().map { index, app in
            Row(
                position: index + 1,
                app: app.map {
                    App(
                        $0, mark: marks[$0], query: query,
                        isTracked: watchlist?.names(marks.name(of: $0) ?? $0.bundleID, on: query) ?? false)
                })
        }
        self.init(
            report: SearchReport(query: query, generatedAt: askedAt, results: results, marks: marks), query: query,
            askedAt: askedAt, rows: rows, watchlist: watchlist?.path)
    }
}

extension FoundApps.App {
    fileprivate init(_ seen: SeenApp, mark: AppMark?, query: Query, isTracked: Bool) {
        let details = seen.details()
        let isRated = details.rating.map { $0 > 0 } ?? false && details.ratingCount != 0
        // The country always: a watchlist may have another default.
        let line = WatchlistEditor.NewLine(
            query: query.text, bundleID: seen.bundleID, countries: [query.country],
            platforms: query.platform == .iphone ? [] : [query.platform], language: query.language)
        self.init(
            bundleID: seen.bundleID, id: seen.id, name: details.name, developer: details.developer,
            rating: isRated ? details.rating : nil, ratingCount: details.ratingCount, iconURL: details.iconURL,
            screenshotURLs: details.screenshotURLs, mark: mark, watchLine: line.text + ",", isTracked: isTracked)
    }
}
