import Foundation

/// A line of an exported history.
///
/// **The format, version 3.** JSON objects, one a line, UTF-8, in this order: a `header`; what the watchlist said
/// (`plan`); every `storefront`, `app`, `listing`, `listing-change`, `presence` (what look-ups told), `query` and `pair`;
/// every `check`, query by query and by time; `failures`, `pass`; where lists were dropped, what those had told
/// (`best-place`, `country-day`); and an `end`, without which a file was cut off. `type` says what a line is. Times are
/// UTC seconds since 1970, days UTC days since then, but those of stores, which are the days of the header's
/// `countryDaysZone`; what is unknown is left out. `tableZones`, which earlier exports lack, says by whose days other tools'
/// tables were imported. `n` numbers storefronts, apps, queries,
/// pairs and checks within the file, and the other lines name them by it; a check's `list` has the `n` of the app in each
/// place, 0 where the entry could not be read or had no number of Apple's; of those that had a bundle identifier all the same,
/// `unnumbered` has it, which earlier exports lack. Standings, roll-ups and what the kept lists tell of apps follow from the
/// rest and are not in it. Version 1, which is read too, had no `listsSince`, `best-place`, `country-day` and `ratings` of
/// a listing. In versions 1 and 2 an absence beside a place that could not be read may be that place, of an app that had
/// come under another bundle identifier. `names` of an app are left out where it has had one. Versions 1
/// and 2 say nothing of `stayed` and `newNames`.
/// The `end` has a checksum of all lines before it, which earlier exports lack. A newer version says so in the header; a
/// reader refuses what it does not know, and any member that no line has (`ExchangeMembers`).
enum ExchangeLine {
    case header(Header)
    case plan(Plan)
    case storefront(Storefront)
    case app(App)
    case listing(Listing)
    case listingChange(ListingChange)
    case presence(Presence)
    case query(Query)
    case pair(Pair)
    case check(Check)
    case failures(FailureDay)
    case pass(Pass)
    case bestPlace(BestPlace)
    case countryDay(CountryDay)
    case end(End)

    static let format = "rankd-history"
    static let version = 3
    static let readable = 1...version
    /// From this version on an absence is one, whatever else the list has.
    static let namingVersion = 3

    struct Header: Codable {
        struct TableZones: Codable {
            var source: String
            var zones: [String]
        }
        var format: String
        var version: Int
        var exportedAt: Int64
        /// Only checks from this moment on.
        var since: Int64?
        /// From when on every list is in the file; not there where none was dropped.
        var listsSince: Int64?
        /// Whose days those of the `country-day` lines are, `UTC` or a zone's name; not there where there are none, and
        /// in exports of earlier versions.
        var countryDaysZone: String?
        /// By which zones' days other tools' tables were imported, in the order in which they came; not there where by
        /// UTC's alone, and in exports of earlier versions.
        var tableZones: [TableZones]?
        /// From when on checks did not count, because the clock had not got there; not there where all did.
        var countedUntil: Int64?
        /// The smallest and largest `n` of a check.
        var firstCheck: Int64?
        var lastCheck: Int64?
    }

    struct Plan: Codable {
        struct App: Codable {
            var bundleId: String
            var alias: String?
            var mine: Bool
            /// In lower case.
            var competitors: [String]
        }
        struct Note: Codable {
            var on: String
            var bundleId: String?
            var version: String?
            var text: String
            var added: [String]
            var removed: [String]
        }
        var adoptedAt: Int64?
        var timeZone: String?
        var sensitivity: String?
        var requestsPerMinute: Int?
        var parallelism: Int?
        var apps: [App]
        var notes: [Note]
    }

    struct Storefront: Codable {
        var n: Int64
        var country: String
        var language: String
    }

    struct App: Codable {
        var n: Int64
        var appId: Int64
        var bundleId: String
        var firstSeenAt: Int64
        var lastSeenDay: Int64
        /// All its bundle identifiers, oldest first, where it has had several; `bundleId` is the last.
        var names: [Name]?
        /// Those that have not stayed yet; left out if there are none.
        var newNames: [NewName]?

        struct Name: Codable {
            var bundleId: String
            /// When it was first seen.
            var from: Int64
            /// When it had stayed; left out if that is `from`.
            var stayed: Int64?
        }

        struct NewName: Codable {
            var bundleId: String
            var from: Int64
            /// Since when others are shown; left out if the newest check showed this one.
            var until: Int64?
        }
    }

    /// What is known of an app in a storefront.
    struct Listing: Codable {
        var app: Int64
        var storefront: Int64
        var fingerprint: Int64?
        var rating: Double?
        var ratingCount: Int64?
        var name, developer, seller, version: String?
        var releasedAt, versionReleasedAt: Int64?
        var price: Double?
        var currency, genre, iconUrl, storeUrl: String?
        var screenshotUrls: String
        /// Its ratings day by day, in order of time; left out where there are none.
        var ratings: [Ratings]?
    }

    /// How many ratings an app had on a day, as the day's newest check showed it.
    struct Ratings: Codable {
        var at: Int64
        var ratings: Int64
        var average: Double?
    }

    struct ListingChange: Codable {
        var app: Int64
        var storefront: Int64
        var at: Int64
        var field: String
        var was: String?
    }

    /// What look-ups have told of an app in a country.
    struct Presence: Codable {
        var country: String
        var bundleId: String
        var foundAt, emptySince, emptyAt: Int64?
        var emptyAnswers: Int
        var failedAt: Int64?
        var failuresInARow: Int
    }

    struct Query: Codable {
        var n: Int64
        var text: String
        var country: String
        var platform: String
        var source: String
        var language: String
        var cadences: String
        var cadenceSeconds: Int64
        var popularity: Double?
        var ordinal: Int
        var retiredAt: Int64?
        /// The `n` of the check from which on the usual length of its lists is measured.
        var baselineFrom: Int64
        /// Whether its first checks were deleted; left out if not.
        var isCut: Bool?
    }

    struct Pair: Codable {
        struct Period: Codable {
            var from: Int64
            var until: Int64?
        }
        var n: Int64
        var query: Int64
        var bundleId: String
        var tags: [String]
        var retiredAt: Int64?
        var periods: [Period]
        /// Its positions from before that were pruned, and are not to be read from the lists again; `nil` if none were.
        var prunedBefore: Int64?
    }

    struct Check: Codable {
        struct Position: Codable {
            var pair: Int64
            var position: Int?
            /// Where it is not the check's.
            var within: Int?
        }
        var n: Int64
        var query: Int64
        var at: Int64
        var outcome: String
        var within: Int?
        var reason: String?
        var detail: String?
        var list: [Int64]?
        /// What entries called their apps in places of `list` that have 0, in order; left out where there are none.
        var unnumbered: [Unnumbered]?
        var positions: [Position]?

        /// An entry without a number of Apple's.
        struct Unnumbered: Codable {
            var position: Int
            var bundleId: String
        }
    }

    /// Failed checks of a day that were thinned into a count.
    struct FailureDay: Codable {
        var query: Int64
        var day: Int64
        var reason: String
        var failed: Int
    }

    struct Pass: Codable {
        /// What was asked; `nil` for the usual source.
        var source: String?
        var startedAt, finishedAt: Int64
        var due, succeeded, failed, throttled, requests, suspect: Int
        var badDay: Bool
    }

    /// The best place that an app ever had on a query, where that was before every list was kept.
    struct BestPlace: Codable {
        var query: Int64
        var app: Int64
        var best: Int
        var at: Int64
    }

    /// How the store of a country was on a day, where lists that told of it may be missing.
    struct CountryDay: Codable {
        /// Which source's store it was; `nil` for the usual one's.
        var source: String?
        var country: String
        var day: Int64
        var queries, good, suspect, failed, compared, apps, entered, left: Int
        var lowerQuartile, median, upperQuartile, ninthDecile: Int?
    }

    struct End: Codable {
        /// How many lines there are, this one included.
        var lines: Int
        /// Of all lines before it (`Checksum`); earlier versions wrote none.
        var checksum: String?
    }
}

extension ExchangeLine: Codable {
    private enum Key: String, CodingKey { case type }

    private enum Kind: String, Codable {
        case header, plan, storefront, app, listing, presence, query, pair, check, failures, pass, end
        case listingChange = "listing-change"
        case bestPlace = "best-place"
        case countryDay = "country-day"
    }

    init(from decoder: any Decoder) throws {
        switch try decoder.container(keyedBy: Key.self).decode(Kind.self, forKey: .type) {
        case .header: self = .header(try Header(from: decoder))
        case .plan: self = .plan(try Plan(from: decoder))
        case .storefront: self = .storefront(try Storefront(from: decoder))
        case .app: self = .app(try App(from: decoder))
        case .listing: self = .listing(try Listing(from: decoder))
        case .listingChange: self = .listingChange(try ListingChange(from: decoder))
        case .presence: self = .presence(try Presence(from: decoder))
        case .query: self = .query(try Query(from: decoder))
        case .pair: self = .pair(try Pair(from: decoder))
        case .check: self = .check(try Check(from: decoder))
        case .failures: self = .failures(try FailureDay(from: decoder))
        case .pass: self = .pass(try Pass(from: decoder))
        case .bestPlace: self = .bestPlace(try BestPlace(from: decoder))
        case .countryDay: self = .countryDay(try CountryDay(from: decoder))
        case .end: self = .end(try End(from: decoder))
        }
    }

    /// What the line says that it is.
    var type: String { content.kind.rawValue }

    func encode(to encoder: any Encoder) throws {
        let (kind, value) = content
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(kind, forKey: .type)
        try value.encode(to: encoder)
    }

    private var content: (kind: Kind, value: any Encodable) {
        switch self {
        case .header(let line): (.header, line)
        case .plan(let line): (.plan, line)
        case .storefront(let line): (.storefront, line)
        case .app(let line): (.app, line)
        case .listing(let line): (.listing, line)
        case .listingChange(let line): (.listingChange, line)
        case .presence(let line): (.presence, line)
        case .query(let line): (.query, line)
        case .pair(let line): (.pair, line)
        case .check(let line): (.check, line)
        case .failures(let line): (.failures, line)
        case .pass(let line): (.pass, line)
        case .bestPlace(let line): (.bestPlace, line)
        case .countryDay(let line): (.countryDay, line)
        case .end(let line): (.end, line)
        }
    }
}

/// CRC-32 over lines and their ends, whatever these are in the file.
struct Checksum {
    private var value: UInt32 = 0

    mutating func add(_ line: [UInt8]) {
        value = Deflate.checksum(line[...], after: value)
        value = Deflate.checksum([UInt8(ascii: "\n")], after: value)
    }

    var text: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}
