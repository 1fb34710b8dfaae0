import Foundation
import RankKit

/// What cannot be read as an entry.
package enum EntryError: Error, Sendable, Hashable {
    /// A newer rankd wrote it.
    case newer(Int)
    /// No rankd wrote it.
    case malformed(String)
}

/// **The encoding of an entry, version 1.** One JSON object in UTF-8, its members sorted by name. `entry` is the
/// version; exactly one of `plan`, `answer`, `began`, `ended`, `lookup` and `pruned` says what the entry is. Times are
/// UTC seconds since 1970; what is not known is left out. A `question` has `text` as it is sent, `country`, `platform`,
/// `source` and `language`; a `pass` has `source` and `number`.
///
/// - `plan`: what a history takes of a watchlist, and when it was adopted (`at`). `cadences` are lines such as
///   `every 21600` or `at 03:00,15:00 Europe/Berlin`.
/// - `answer`: `at` the request began, what the `clock` showed when the answer came, who was asked (`by`); `asking` is
///   `alone`, `first` or `second`, with the `pass` of the last two; how many `requests` it took, if more than one. Of the
///   reply one is there: `places`, best first, each with Apple's `id` and the `bundleId` as far as they could be read, and
///   with the `fingerprint` (hexadecimal) and the `details` of its entry where these are known; `failure`; `none`, which
///   is `turned-away` or `unasked`.
/// - `began`: a `pass`, `at` what time, and how many questions were `due`. `ended`: a `pass`, `at` what time, and the
///   `result` if it asked anything.
/// - `lookup`: `at`, the `outcome` of each app: `found`, `empty` or `failed`, and the `bundleId` under which it had each number that
///   was asked for, as `names`; left out where none was.
/// - `pruned`: what was asked to be deleted.
///
/// A newer version has another number, and is refused. Version 1 can be read for ever.
extension Entry {
    package static let encodingVersion = 1

    /// The same bytes for the same entry, whoever encodes it. Decodes what the entries of a list say.
    package func encoded() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(EncodedEntry(self)))
    }

    /// - Throws: `EntryError`.
    package init(encoded bytes: [UInt8]) throws {
        struct Version: Decodable { var entry: Int }
        let data = Data(bytes)
        do {
            let version = try JSONDecoder().decode(Version.self, from: data).entry
            guard version <= Self.encodingVersion else { throw EntryError.newer(version) }
            self = try JSONDecoder().decode(EncodedEntry.self, from: data).value()
        } catch let error as DecodingError {
            throw EntryError.malformed("\(error)")
        }
    }

    /// What tells the entry from others: one of the same identity is the same entry.
    ///
    /// - Throws: where a plan cannot be encoded.
    package var identity: String {
        get throws {
            switch self {
            case .plan(_, let moment):
                // Two may be adopted in one second.
                return "plan \(moment.secondsSinceEpoch) \(Deflate.checksum(try encoded()[...], after: 0))"
            case .answer(let answer):
                let query = answer.query
                let question =
                    "\(query.source.rawValue) \(query.country.code) \(query.platform.rawValue) \(query.languageWord) "
                    + query.folded
                switch answer.asking {
                case .alone: return "answer \(answer.at.secondsSinceEpoch) \(question)"
                case .first(let pass): return "first answer \(pass.number) \(question)"
                case .second(let pass): return "second answer \(pass.number) \(question)"
                }
            case .pass(.began(let pass, _, _)): return "began \(pass)"
            case .pass(.ended(let pass, _, _)): return "ended \(pass)"
            case .lookup(let answer):
                return "lookup \(answer.at.secondsSinceEpoch) "
                    + answer.outcomes.keys.sorted().map { "\($0.country.code) \($0.bundleID.folded)" }
                    .joined(separator: ",")
            case .pruned(let request): return "pruned \(request)"
            }
        }
    }
}

/// An entry as it is written.
private struct EncodedEntry: Codable {
    var entry = Entry.encodingVersion
    var plan: EncodedPlan?
    var answer: EncodedAnswer?
    var began: Began?
    var ended: Ended?
    var lookup: EncodedLookup?
    var pruned: EncodedPrune?

    struct Began: Codable {
        var pass: PassID
        var at: Int64
        var due: Int
    }

    struct Ended: Codable {
        var pass: PassID
        var at: Int64?
        var result: EncodedResult?
    }

    init(_ entry: Entry) {
        switch entry {
        case .plan(let watchlist, let moment): plan = EncodedPlan(watchlist, at: moment)
        case .answer(let answer): self.answer = EncodedAnswer(answer)
        case .pass(.began(let pass, let moment, let due)):
            began = Began(pass: pass, at: moment.secondsSinceEpoch, due: due)
        case .pass(.ended(let pass, let moment, let result)):
            ended = Ended(pass: pass, at: moment?.secondsSinceEpoch, result: result.map(EncodedResult.init))
        case .lookup(let answer): lookup = EncodedLookup(answer)
        case .pruned(let request): pruned = EncodedPrune(request)
        }
    }

    func value() throws -> Entry {
        switch (plan, answer, began, ended, lookup, pruned) {
        case (let plan?, nil, nil, nil, nil, nil): try plan.value()
        case (nil, let answer?, nil, nil, nil, nil): .answer(try answer.value())
        case (nil, nil, let began?, nil, nil, nil):
            .pass(.began(began.pass, at: try moment(began.at), due: began.due))
        case (nil, nil, nil, let ended?, nil, nil):
            .pass(.ended(ended.pass, at: try ended.at.map(moment), try ended.result?.value()))
        case (nil, nil, nil, nil, let lookup?, nil): .lookup(try lookup.value())
        case (nil, nil, nil, nil, nil, let pruned?): .pruned(try pruned.value())
        default: throw EntryError.malformed("it has to say one thing")
        }
    }
}

private func moment(_ seconds: Int64) throws -> Timestamp {
    let moment = Timestamp(secondsSinceEpoch: seconds)
    guard Timestamp.storable.contains(moment) else { throw EntryError.malformed("\(seconds) is no time") }
    return moment
}

private func bundleID(_ text: String) throws -> BundleID {
    guard let bundleID = BundleID(text) else { throw EntryError.malformed("“\(text)” is no bundle identifier") }
    return bundleID
}

private func countryOf(_ code: String) throws -> Country {
    guard let country = Country(code: code) else { throw EntryError.malformed("“\(code)” is no country") }
    return country
}

private struct EncodedQuestion: Codable {
    var text: String
    var country: String
    var platform: Platform
    var source: String
    var language: String?

    init(_ query: Query) {
        (text, country, platform) = (query.text, query.country.code, query.platform)
        (source, language) = (query.source.rawValue, query.language)
    }

    func value() throws -> Query {
        guard let source = Source(rawValue: source) else { throw EntryError.malformed("“\(source)” is no source") }
        return Query(
            text: text, country: try countryOf(country), platform: platform, source: source, language: language)
    }
}

private struct EncodedPlan: Codable {
    struct App: Codable {
        var bundleId: String
        var alias: String?
        var mine: Bool
        var competitors: [String]
    }

    struct Line: Codable {
        var question: EncodedQuestion
        var cadences: String
        var popularity: Double?
        var pairs: [Pair]
    }

    struct Pair: Codable {
        var bundleId: String
        var tags: [String]
    }

    struct Note: Codable {
        var on: String
        var bundleId: String?
        var version: String?
        var text: String
        var added: [String]
        var removed: [String]
    }

    struct Backup: Codable {
        var every: Int64
        var keep: Int
        var directory: String?
    }

    var at: Int64
    var apps: [App]
    var queries: [Line]
    var notes: [Note]
    var requestsPerMinute: Int
    var parallelism: Int
    var keepLists: Int64?
    var keepFailures: Int64?
    var backup: Backup?
    var sensitivity: String
    var timeZone: String?

    init(_ watchlist: Watchlist, at moment: Timestamp) {
        at = moment.secondsSinceEpoch
        apps = watchlist.apps.map {
            App(
                bundleId: $0.bundleID.text, alias: $0.alias, mine: $0.isMine,
                competitors: $0.competitors.map(\.text))
        }
        queries = watchlist.queries.map { watched in
            Line(
                question: EncodedQuestion(watched.query), cadences: CadenceText.encode(watched.cadences),
                popularity: watched.popularity,
                pairs: watched.pairs.map { Pair(bundleId: $0.bundleID.text, tags: $0.tags) })
        }
        notes = watchlist.notes.map {
            Note(
                on: $0.on, bundleId: $0.bundleID?.text, version: $0.version, text: $0.text, added: $0.added,
                removed: $0.removed)
        }
        let service = watchlist.service
        (requestsPerMinute, parallelism) = (service.requestsPerMinute, service.parallelism)
        (keepLists, keepFailures) = (service.retention.lists, service.retention.failures)
        backup = service.backup.map { Backup(every: $0.every, keep: $0.keep, directory: $0.directory) }
        (sensitivity, timeZone) = (watchlist.sensitivity.rawValue, watchlist.timeZone)
    }

    func value() throws -> Entry {
        var watchlist = Watchlist()
        watchlist.apps = try apps.map {
            WatchedApp(
                bundleID: try bundleID($0.bundleId), alias: $0.alias, isMine: $0.mine,
                competitors: try $0.competitors.map(bundleID))
        }
        watchlist.queries = try queries.map { line in
            guard let cadences = CadenceText.decode(line.cadences) else {
                throw EntryError.malformed("“\(line.cadences)” are no cadences")
            }
            return WatchedQuery(
                query: try line.question.value(), cadences: cadences, popularity: line.popularity,
                pairs: try line.pairs.map { WatchedPair(bundleID: try bundleID($0.bundleId), tags: $0.tags) })
        }
        watchlist.notes = try notes.map {
            RankKit.Note(
                on: $0.on, bundleID: try $0.bundleId.map(bundleID), version: $0.version, text: $0.text, added: $0.added,
                removed: $0.removed)
        }
        watchlist.service = ServiceSettings(
            requestsPerMinute: requestsPerMinute, parallelism: parallelism,
            backup: backup.map { BackupSettings(every: $0.every, keep: $0.keep, directory: $0.directory) })
        watchlist.service.retention = Retention(lists: keepLists, failures: keepFailures)
        guard let sensitivity = Sensitivity(rawValue: sensitivity) else {
            throw EntryError.malformed("“\(sensitivity)” is no sensitivity")
        }
        (watchlist.sensitivity, watchlist.timeZone) = (sensitivity, timeZone)
        return .plan(watchlist, at: try moment(at))
    }
}

private struct EncodedAnswer: Codable {
    struct Place: Codable {
        var id: Int64?
        var bundleId: String?
        var fingerprint: String?
        var details: Details?
    }

    struct Details: Codable {
        var name: String?
        var developer: String?
        var seller: String?
        var version: String?
        var releasedAt: Int64?
        var versionReleasedAt: Int64?
        var price: Double?
        var currency: String?
        var rating: Double?
        var ratingCount: Int64?
        var genre: String?
        var iconUrl: String?
        var storeUrl: String?
        var screenshotUrls: [String]?

        init(_ details: AppDetails) {
            (name, developer, seller, version) = (details.name, details.developer, details.seller, details.version)
            releasedAt = details.releasedAt?.secondsSinceEpoch
            versionReleasedAt = details.versionReleasedAt?.secondsSinceEpoch
            (price, currency) = (details.price, details.currency)
            (rating, ratingCount) = (details.rating, details.ratingCount)
            (genre, iconUrl, storeUrl) = (details.genre, details.iconURL, details.storeURL)
            screenshotUrls = details.screenshotURLs.isEmpty ? nil : details.screenshotURLs
        }

        var value: AppDetails {
            AppDetails(
                name: name, developer: developer, seller: seller, version: version,
                releasedAt: releasedAt.map(Timestamp.init(secondsSinceEpoch:)),
                versionReleasedAt: versionReleasedAt.map(Timestamp.init(secondsSinceEpoch:)), price: price,
                currency: currency, rating: rating, ratingCount: ratingCount, genre: genre, iconURL: iconUrl,
                storeURL: storeUrl, screenshotURLs: screenshotUrls ?? [])
        }
    }

    struct Failure: Codable {
        var reason: RankKit.Failure.Reason
        var detail: String
        var transient: Bool
    }

    var question: EncodedQuestion
    var at: Int64
    var clock: Int64?
    var by: String?
    var asking: String
    var pass: PassID?
    var requests: Int?
    var places: [Place]?
    var failure: Failure?
    var none: String?

    init(_ answer: SearchAnswer) {
        question = EncodedQuestion(answer.query)
        (at, clock, by) = (answer.at.secondsSinceEpoch, answer.clock?.secondsSinceEpoch, answer.by)
        switch answer.asking {
        case .alone: asking = "alone"
        case .first(let pass): (asking, self.pass) = ("first", pass)
        case .second(let pass): (asking, self.pass) = ("second", pass)
        }
        requests = answer.requests == 1 ? nil : answer.requests
        switch answer.reply {
        case .list(let list): places = list.places.indices.map { Self.place($0, in: list) }
        case .failed(let failure):
            self.failure = Failure(reason: failure.reason, detail: failure.detail, transient: failure.isTransient)
        case .turnedAway: none = "turned-away"
        case .unasked: none = "unasked"
        }
    }

    private static func place(_ index: Int, in list: ResultList) -> Place {
        guard let app = list.places[index] else { return Place(id: list.unnamed[index]?.number) }
        return Place(
            id: app.id?.number, bundleId: app.bundleID.text, fingerprint: app.fingerprint.map { String($0, radix: 16) },
            details: app.fingerprint.map { _ in Details(app.details()) })
    }

    func value() throws -> SearchAnswer {
        let asking: SearchAnswer.Asking
        switch (self.asking, pass) {
        case ("alone", nil): asking = .alone
        case ("first", let pass?): asking = .first(pass)
        case ("second", let pass?): asking = .second(pass)
        default: throw EntryError.malformed("“\(self.asking)” is no asking")
        }
        let requests = self.requests ?? 1
        guard SearchAnswer.requests.contains(requests) else {
            throw EntryError.malformed("\(requests) is no number of requests")
        }
        return SearchAnswer(
            to: try question.value(), at: try moment(at), clock: try clock.map(moment), by: by, asking: asking,
            requests: requests, reply: try reply())
    }

    private func reply() throws -> SearchAnswer.Reply {
        switch (places, failure, none) {
        case (let places?, nil, nil): return .list(try Self.list(places))
        case (nil, let failure?, nil):
            return .failed(RankKit.Failure(failure.reason, failure.detail, isTransient: failure.transient))
        case (nil, nil, "turned-away"?): return .turnedAway
        case (nil, nil, "unasked"?): return .unasked
        default: throw EntryError.malformed("it has to have one reply")
        }
    }

    private static func list(_ places: [Place]) throws -> ResultList {
        var unnamed: [Int: AppID] = [:]
        let apps = try places.enumerated().map { index, place -> SeenApp? in
            let id = place.id.map { AppID($0) }
            guard let text = place.bundleId else {
                unnamed[index] = id
                return nil
            }
            guard let hexadecimal = place.fingerprint else { return SeenApp(id: id, bundleID: try bundleID(text)) }
            guard let fingerprint = UInt64(hexadecimal, radix: 16) else {
                throw EntryError.malformed("“\(hexadecimal)” is no fingerprint")
            }
            let details = place.details?.value ?? AppDetails()
            return SeenApp(id: id, bundleID: try bundleID(text), fingerprint: fingerprint) { details }
        }
        return ResultList(places: apps, unnamed: unnamed)
    }
}

private struct EncodedResult: Codable {
    var startedAt: Int64
    var finishedAt: Int64
    var due: Int
    var succeeded: Int
    var failed: Int
    var throttled: Int
    var requests: Int
    var suspect: Int

    init(_ result: PassResult) {
        (startedAt, finishedAt) = (result.startedAt.secondsSinceEpoch, result.finishedAt.secondsSinceEpoch)
        (due, succeeded, failed) = (result.due, result.succeeded, result.failed)
        (throttled, requests, suspect) = (result.throttled, result.requests, result.suspect)
    }

    /// Whether it was a bad day is not told: it is decided.
    func value() throws -> PassResult {
        PassResult(
            startedAt: try moment(startedAt), finishedAt: try moment(finishedAt), due: due, succeeded: succeeded,
            failed: failed, throttled: throttled, requests: requests, suspect: suspect)
    }
}

private struct EncodedLookup: Codable {
    struct App: Codable {
        var bundleId: String
        var country: String
        var outcome: String
    }

    struct Name: Codable {
        var appId: Int64
        var bundleId: String
    }

    var at: Int64
    var apps: [App]
    var names: [Name]?

    init(_ answer: LookupAnswer) {
        let names = answer.names.sorted { $0.key < $1.key }.map { Name(appId: $0.number, bundleId: $1.text) }
        self.names = names.isEmpty ? nil : names
        at = answer.at.secondsSinceEpoch
        apps = answer.outcomes.sorted { $0.key < $1.key }.map { app, outcome in
            let word =
                switch outcome {
                case .found: "found"
                case .empty: "empty"
                case .failed: "failed"
                }
            return App(bundleId: app.bundleID.text, country: app.country.code, outcome: word)
        }
    }

    func value() throws -> LookupAnswer {
        var answer = LookupAnswer(at: try moment(at))
        for app in apps {
            let outcome: AppPresence.Outcome =
                switch app.outcome {
                case "found": .found
                case "empty": .empty
                case "failed": .failed
                default: throw EntryError.malformed("“\(app.outcome)” is no outcome")
                }
            answer.outcomes[StorefrontApp(try bundleID(app.bundleId), in: try countryOf(app.country))] = outcome
        }
        for name in names ?? [] { answer.names[AppID(name.appId)] = try bundleID(name.bundleId) }
        return answer
    }
}

private struct EncodedPrune: Codable {
    var apps: [String]
    var queries: [String]
    var countries: [String]
    var platforms: [Platform]
    var languages: [String]
    var before: Int64?

    init(_ request: PruneRequest) {
        (apps, queries, countries) = (request.apps, request.queries, request.countries.map(\.code))
        (platforms, languages, before) = (request.platforms, request.languages, request.before?.secondsSinceEpoch)
    }

    func value() throws -> PruneRequest {
        PruneRequest(
            apps: apps, queries: queries, countries: try countries.map(countryOf), platforms: platforms,
            languages: languages, before: try before.map(moment))
    }
}
