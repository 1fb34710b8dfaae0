import AppStore
import AsyncHTTPClient
import HTTPTypes
import History
import RankKit
import Reports

/// All controllers of the site, with what they share: a new one is a line here.
struct Controllers: Sendable {
    private let pages: PageController
    private let programs: APIController
    private let search: SearchController<ContinuousClock>
    private let images: ImageController
    private let events: EventStream
    private let metrics: MetricsController
    private let client: HTTPClient
    /// What tells pages apart that are made of the same history: those of an old key have no images.
    let edition: String

    static func open(of site: Site) async -> Controllers {
        let settings = site.settings
        let images = await ImageController.open(
            imageSource(settings), folder: settings.cacheFolder.map { $0 + "/images" },
            logger: site.logger)
        let names = images.names
        let pathOfImage: @Sendable (String, ImageSize, String?) -> String? = { names.path(for: $0, $1, name: $2) }
        let client = HTTPClient.forStore()
        let fragment = SearchFragment(pathOfImage: pathOfImage)
        let search = SearchController(
            search: LiveSearch(
                history: HistoryReader.resolved(settings.database), origin: settings.store,
                store: .http(settings.store, client: client), clock: site.clock, now: site.now),
            history: site.history, watchlist: settings.watchlist, now: site.now
        ) { outcome, _, _ in
            fragment.html(outcome, at: site.now())
        }
        let pages = PageController(
            history: site.history, canLogOut: settings.credentials != nil, pathOfImage: pathOfImage
        ) { visit in
            await search.outcome(for: visit)
        }
        return Controllers(
            pages: pages,
            programs: APIController(history: site.history) { title, body in
                PageFrame(
                    title: title, content: body, path: "/api", canLogOut: settings.credentials != nil, isLive: false
                )
                .html
            },
            search: search, images: images,
            events: EventStream(hub: site.hub, clock: site.clock) { visitor in
                // Where the history cannot be read there is nothing to tell.
                try? site.history.toldVersion(for: visitor)
            },
            metrics: MetricsController(history: site.history), client: client, edition: names.edition)
    }

    /// The apps of a history that was recorded from a stand-in are invented: Apple need not hear of their icons.
    private static func imageSource(_ settings: SiteSettings) -> ImageSource {
        let source = ImageSource(search: settings.store)
        guard source == .apple, let asked = try? HistoryReader(path: settings.database).searchOrigin() else {
            return source
        }
        return asked == Origin.apple.description ? source : .nobody
    }

    func add(to routes: inout Routes) {
        pages.add(to: &routes)
        programs.add(to: &routes)
        search.add(to: &routes)
        images.add(to: &routes)
        events.add(to: &routes)
        metrics.add(to: &routes)
    }

    /// Ends what is under way, and closes the connections to others.
    func close() async {
        await images.close()
        do { try await client.shutdown() } catch {
            // It is closed all the same; only what was under way ends with an error.
        }
    }
}
