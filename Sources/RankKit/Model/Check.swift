/// One attempt to ask one query, at a moment, with its outcome.
package struct Check: Sendable {
    package let query: Query
    /// When the request began: what decides the slot that the check belongs to.
    package let at: Timestamp
    package let outcome: Outcome

    package init(query: Query, at: Timestamp, outcome: Outcome) {
        self.query = query
        self.at = at
        self.outcome = outcome
    }

    package enum Outcome: Sendable {
        /// A whole, well-formed answer: every app is ranked in it or absent from it.
        case answered(ResultList)
        /// A whole answer that cannot be believed yet: its list is kept, and no position comes from it.
        case suspect(ResultList, Suspicion)
        /// No answer, or one that proves nothing. It never becomes an absence.
        case failed(Failure)

        /// Whether the query was answered, so that its slot is done with.
        package var isGood: Bool { if case .failed = self { false } else { true } }
    }
}

/// Why an answer cannot be believed yet. The raw values are stored and printed: they are a contract.
package enum Suspicion: String, Sendable, Hashable, CaseIterable, Codable {
    /// Shorter than half of what the query usually finds.
    case collapsed
    /// Half of the queries of its pass collapsed with it, or a third of the new ones were empty.
    case badDay = "bad-day"
    /// Empty or very short, of a query that has no usual length yet, and nothing else supported it.
    case early
    /// An early short list that was recorded as good, until later lists of the query were more than twice as long.
    case outgrown

    /// For people.
    package var explanation: String {
        switch self {
        case .collapsed: "the list is less than half as long as usual"
        case .badDay: "too many lists of that pass were empty or far too short"
        case .early: "the list is empty or very short, and no list of this query was ever longer"
        case .outgrown: "later lists of this query were more than twice as long"
        }
    }
}

/// Why a check failed.
package struct Failure: Error, Sendable, Hashable {
    package let reason: Reason
    /// What was seen, for people: a status, Apple's own `errorMessage`, a byte count. May hold foreign text.
    package let detail: String
    /// Whether the next try may well succeed: a time-out, a broken connection, a server in trouble.
    package let isTransient: Bool

    /// - Parameter isTransient: follows from the reason unless given.
    package init(_ reason: Reason, _ detail: String = "", isTransient: Bool? = nil) {
        self.reason = reason
        self.detail = detail
        self.isTransient = isTransient ?? [.timedOut, .connectionLost].contains(reason)
    }

    /// Whether nobody was reached at all.
    package var isUnreachable: Bool { reason == .nameNotFound || reason == .cannotConnect }

    /// The closed list of reasons. The raw values are stored and printed: they are a contract.
    package enum Reason: String, Sendable, Hashable, CaseIterable, Codable {
        /// The store's name could not be resolved.
        case nameNotFound = "name-not-found"
        /// Refused, unreachable, or no route.
        case cannotConnect = "cannot-connect"
        /// The secure connection could not be made or trusted.
        case insecure
        /// No whole answer within the time a try has.
        case timedOut = "timed-out"
        /// The connection broke before the whole answer had come.
        case connectionLost = "connection-lost"
        /// More decoded bytes than the cap.
        case tooLarge = "too-large"
        /// The body could not be decompressed.
        case badEncoding = "bad-encoding"
        /// A status that is neither 200 nor explained by another reason.
        case status
        /// 400 with Apple's `errorMessage`: the question itself is wrong.
        case rejected
        /// The body is not one whole, well-formed JSON value.
        case notJSON = "not-json"
        /// JSON without a list of results.
        case noResults = "no-results"
        /// `resultCount` contradicts the list.
        case countMismatch = "count-mismatch"
        /// Entries that can hardly be read: Apple's format has changed, and who is absent cannot be told.
        case unreadable
        /// The web store sent something else than its page of results, such as one that asks for consent.
        case otherPage = "other-page"
        /// The web store answered from another country than was asked.
        case wrongStorefront = "wrong-storefront"
        /// The web store's page holds something that rankd does not know, and its order cannot be trusted.
        case changedPage = "changed-page"
        /// The web store's list is not whole, or does not follow from its beginning.
        case cutList = "cut-list"

        /// For people, to follow "failed: ".
        package var explanation: String {
            switch self {
            case .nameNotFound: "the App Store's name could not be resolved"
            case .cannotConnect: "the App Store could not be reached"
            case .insecure: "no trusted connection to the App Store"
            case .timedOut: "no complete answer in time"
            case .connectionLost: "the connection broke before the answer ended"
            case .tooLarge: "the answer was larger than rankd accepts"
            case .badEncoding: "the answer could not be decompressed"
            case .status: "the App Store answered with an error status"
            case .rejected: "the App Store refused the query"
            case .notJSON: "the answer was not well-formed JSON"
            case .noResults: "the answer had no list of results"
            case .countMismatch: "the answer's count contradicts its list"
            case .unreadable: "most entries of the answer could not be read"
            case .otherPage: "the App Store sent another page than its results"
            case .wrongStorefront: "the App Store answered from another country"
            case .changedPage: "the App Store's page has changed, and its order cannot be trusted"
            case .cutList: "the App Store's page holds only a part of its list"
            }
        }
    }
}
