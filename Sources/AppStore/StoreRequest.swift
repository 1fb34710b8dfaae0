import Foundation
package import RankKit

/// What is asked of the iTunes Search API or of the App Store on the web, and the URL that asks it.
///
/// Source of the former: Apple, "iTunes Search API: Constructing Searches" and "Lookup Examples". Apple describes the
/// latter nowhere: it is what a browser asks.
package enum StoreRequest: Sendable, Hashable {
    case search(Query)
    case lookup(Lookup)

    /// The most results that one answer can hold. Always asked for, and sliced here: no one has shown the order to
    /// be the same at other limits.
    package static let limit = 200

    package func url(at origin: Origin) -> String {
        let (path, items) = parts
        let question = items.map { "\($0.0)=\(FormText.encoded($0.1))" }.joined(separator: "&")
        return "\(origin.serving(source))\(path)?\(question)"
    }

    /// What answers.
    var source: Source {
        switch self {
        case .search(let query): query.source
        case .lookup: .itunes
        }
    }

    private var parts: (path: String, items: [(String, String)]) {
        switch self {
        case .search(let query) where query.source == .web:
            return (
                "/\(query.country.code)/\(query.platform.rawValue)/search",
                [("term", query.text.precomposedStringWithCanonicalMapping)]
            )
        case .search(let query):
            var items = [
                ("term", query.text.precomposedStringWithCanonicalMapping), ("country", query.country.code),
                ("media", "software"),
                ("entity", query.platform.entity), ("limit", String(Self.limit)),
            ]
            if let language = query.language { items.append(("lang", language)) }
            return ("/search", items)
        case .lookup(.ids(let ids, let country)):
            return ("/lookup", [("id", ids.map(\.description).joined(separator: ",")), ("country", country.code)])
        case .lookup(.bundleIDs(let bundleIDs, let country)):
            return ("/lookup", [("bundleId", bundleIDs.map(\.text).joined(separator: ",")), ("country", country.code)])
        }
    }
}

/// Apps asked for by what identifies them, in one country.
package enum Lookup: Sendable, Hashable {
    /// At most 50 ids.
    case ids([AppID], Country)
    /// At most 50.
    case bundleIDs([BundleID], Country)
}

extension LookupSchedule.Batch {
    /// How the store is asked for the batch.
    package var question: Lookup { ids.isEmpty ? .bundleIDs(bundleIDs, country) : .ids(ids, country) }
}

extension Platform {
    /// Apple's name for the kind of app that the platform runs.
    package var entity: String {
        switch self {
        case .iphone: "software"
        case .ipad: "iPadSoftware"
        case .mac: "macSoftware"
        }
    }
}
