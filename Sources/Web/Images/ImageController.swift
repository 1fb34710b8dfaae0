import AppStore
import Crypto
import HTTPTypes
import Logging
import Outgoing

/// Where the site's images are asked for: `/images/SIZE/SIGNATURE/ADDRESS` and `/images/placeholder/MARK`.
struct ImageController: Sendable {
    /// Writes the addresses that pages name.
    let names: ImageNames
    private let cache: ImageCache
    private let fetcher: ImageFetcher

    /// Bytes of pictures on disk: some ten thousand icons.
    private static let largestFolder = 200_000_000

    /// - Parameters:
    ///   - folder: where pictures and the key of the addresses are kept; made where it is not there. `nil` keeps both in
    ///     memory alone.
    ///   - clock: measures patience, and for how long a failure counts.
    static func open(
        _ source: ImageSource, folder: String?, logger: Logger, limits: ImageCache.Limits = ImageCache.Limits(),
        resolver: HostResolver = .system, clock: some Clock<Duration> = ContinuousClock()
    ) async -> ImageController {
        let folder = folder.map { ImageFolder(path: $0, limit: largestFolder, logger: logger) }
        let fetcher = ImageFetcher(source, resolver: resolver, clock: clock)
        let cache = ImageCache(folder: folder, limits: limits, clock: clock, logger: logger) {
            try await fetcher.picture($0)
        }
        let key = await folder?.key() ?? SymmetricKey(size: .bits256)
        return ImageController(names: ImageNames(key: key), cache: cache, fetcher: fetcher)
    }

    func add(to routes: inout Routes) {
        routes.get("/images/**") { .now(try await answer($0)) }
    }

    /// Ends what is under way and closes the connections to the image hosts.
    func close() async {
        await cache.close()
        await fetcher.shutdown()
    }

    private func answer(_ visit: Visit) async throws -> Answer {
        let placeholder = ImageNames.placeholder(for: visit).svg
        if visit.path.hasPrefix(ImageNames.root + ImageNames.placeholder + "/") {
            return Self.answer(.ok, "image/svg+xml", Array(placeholder.utf8), keptFor: Self.day)
        }
        guard let image = names.image(at: visit.path) else {
            return Self.answer(.notFound, "image/svg+xml", Array(placeholder.utf8), keptFor: 0)
        }
        guard let picture = try await cache.picture(image) else {
            // 200: to a page a placeholder is as good as an image, and a browser's console tells of anything else.
            return Self.answer(.ok, "image/svg+xml", Array(placeholder.utf8), keptFor: 60)
        }
        return Self.answer(.ok, picture.kind.rawValue, picture.bytes, keptFor: Self.day)
    }

    private static let day = 86_400

    /// - Parameter keptFor: seconds for which a browser need not ask again.
    private static func answer(
        _ status: HTTPResponse.Status, _ type: String, _ body: [UInt8], keptFor: Int
    ) -> Answer {
        var fields = HTTPFields()
        fields[.xContentTypeOptions] = "nosniff"
        // An SVG that is opened by itself would be a document of this site's.
        fields[.contentSecurityPolicy] = "default-src 'none'"
        fields[.cacheControl] =
            switch keptFor {
            case 0: "no-store"
            case day: "private, max-age=\(day), immutable"
            default: "private, max-age=\(keptFor)"
            }
        return Answer(status, type: type, body: body, fields: fields)
    }
}
