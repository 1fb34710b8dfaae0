import HTTPTypes
import History
import RankKit
import Reports

/// Why there is no answer, as programs read it.
///
/// Source: RFC 9457, Problem Details for HTTP APIs.
struct Problem: Error, Sendable, Hashable {
    /// What kinds there are. A program goes by these names: they stay, whatever the words become.
    enum Kind: String, Sendable, CaseIterable {
        case usage
        case notLoggedIn = "not-logged-in"
        case notAllowed = "not-allowed"
        case noSuchAddress = "no-such-address"
        case noSuchName = "no-such-name"
        case onlyReading = "only-reading"
        case noSuchForm = "no-such-form"
        case tooLong = "too-long"
        case tooLarge = "too-large"
        case wrongHost = "wrong-host"
        case tooOften = "too-often"
        case longHeaders = "long-headers"
        case failed
        case storeFailed = "store-failed"
        case noHistory = "no-history"
        case storePaused = "store-paused"
        case searchOff = "search-off"
        case tooBusy = "too-busy"
    }

    static let mediaType = "application/problem+json"

    var kind: Kind
    /// For people: what is wrong here, to what, and what to do.
    var detail: String
    /// The path that was asked for.
    var instance: String?
    /// Beside what every answer has, such as `Retry-After`.
    var fields: HTTPFields = HTTPFields()

    init(_ kind: Kind, _ detail: String, instance: String? = nil, fields: HTTPFields = HTTPFields()) {
        self.kind = kind
        self.detail = detail
        self.instance = instance
        self.fields = fields
    }

    /// What a report refuses, in the words of the terminal, but for the hyphens of options.
    init(_ refusal: ReportRefusal, instance: String? = nil) {
        self.init(refusal.isUsage ? .usage : .noSuchName, refusal.plain, instance: instance)
    }

    /// A history that cannot be read, in the words of the terminal, but without the folders of this machine, which are
    /// nobody else's business.
    ///
    /// - Parameter path: where the history is, as it was typed.
    init(_ error: HistoryError, hiding path: String, instance: String? = nil) {
        self.init(
            .noHistory,
            SafeText.withoutFolders(error.description, of: [path, HistoryReader.resolved(path)]), instance: instance)
    }

    var answer: Answer {
        var members: [(key: String, value: JSONTree)] = [
            ("type", .text(kind.address)), ("title", .text(kind.title)), ("status", .number(kind.status.code)),
            ("detail", .text(detail)),
        ]
        if let instance { members.append(("instance", .text(instance))) }
        var fields = fields
        fields[.cacheControl] = "no-store"
        return Answer(kind.status, type: Self.mediaType, body: JSONTree.object(members).bytes, fields: fields)
    }
}

extension Problem.Kind {
    /// Where the page of the API says what it means: among the site's own paths (`Answer.under`).
    var address: String { "/api#\(rawValue)" }

    var status: HTTPResponse.Status {
        switch self {
        case .usage: .badRequest
        case .notLoggedIn: .unauthorized
        case .notAllowed: .forbidden
        case .noSuchAddress, .noSuchName: .notFound
        case .onlyReading: .methodNotAllowed
        case .noSuchForm: .notAcceptable
        case .tooLong: .uriTooLong
        case .tooLarge: .contentTooLarge
        case .wrongHost: .misdirectedRequest
        case .tooOften: .tooManyRequests
        case .longHeaders: .requestHeaderFieldsTooLarge
        case .failed: .internalServerError
        case .storeFailed: .badGateway
        case .noHistory, .storePaused, .searchOff, .tooBusy: .serviceUnavailable
        }
    }

    /// The same for every problem of the kind: a few words.
    var title: String {
        switch self {
        case .usage: "The request cannot be read"
        case .notLoggedIn: "A token or a password is needed"
        case .notAllowed: "Not allowed"
        case .noSuchAddress: "There is nothing at this address"
        case .noSuchName: "A name does not exist"
        case .onlyReading: "This method is not allowed"
        case .noSuchForm: "No such form"
        case .tooLong: "The address is too long"
        case .tooLarge: "The body is too large"
        case .wrongHost: "The request is for another host"
        case .tooOften: "Too many requests"
        case .longHeaders: "The headers are too long"
        case .failed: "Something went wrong here"
        case .storeFailed: "The App Store did not answer"
        case .noHistory: "The history cannot be read"
        case .storePaused: "The App Store is not asked now"
        case .searchOff: "Search is off"
        case .tooBusy: "The site is too busy"
        }
    }

    /// What to do about it, for the page of the API: sentences.
    var meaning: String {
        switch self {
        case .usage: "An option is unknown, is missing, or has an invalid value. detail says which."
        case .notLoggedIn: "Send a token as Authorization: Bearer TOKEN, or log in with a browser."
        case .notAllowed: "The token may not see this, or another site's page made the request."
        case .noSuchAddress: "/api/v1/reports lists the addresses of the reports."
        case .noSuchName:
            "An app, a query, a tag or a version does not exist, or not together with the others. detail names similar ones."
        case .onlyReading: "The API only reads: use GET or HEAD. Allow names the methods."
        case .noSuchForm: "Accept allows no form that this has. Leave it out for JSON."
        case .tooLong: "Ask with fewer or shorter parameters."
        case .tooLarge: "Send no body, or a shorter one."
        case .wrongHost: "Host names an address that rankweb does not know: start it with --origin and that address."
        case .tooOften: "Wait as many seconds as Retry-After says."
        case .longHeaders: "Send fewer headers, or shorter ones."
        case .failed: "The journal of rankweb has more. The same request may work again later."
        case .storeFailed: "detail says how it failed. Try again in a while."
        case .noHistory:
            "The history is missing, damaged, locked, or of another version than rankweb. detail says what to do."
        case .storePaused: "The App Store has refused requests. Wait as many seconds as Retry-After says."
        case .searchOff: "detail says why."
        case .tooBusy:
            "Too much is asked at once, or this takes too long. Try again after the time that Retry-After names, or ask for less."
        }
    }

    /// The kind that says most of a status that the server decides on; `nil` for one that it never answers with.
    init?(_ status: HTTPResponse.Status) {
        guard let kind = Self.allCases.first(where: { $0.status == status }) else { return nil }
        self = kind
    }
}
