package import RankKit

/// One thing that changes a history from outside: a value, made where it became known, with all that is to be known of
/// it. `HistoryStore.apply` is the way in. The same entries in the same order make the same tables, whoever applies
/// them and when; one that is applied again, as after an error that left open whether it had been, changes nothing.
package enum Entry: Sendable {
    /// A watchlist was adopted.
    case plan(Watchlist, at: Timestamp)
    /// What asking one question brought.
    case answer(SearchAnswer)
    /// A pass began or ended.
    case pass(PassMark)
    /// What a look-up told of each of its apps.
    case lookup(LookupAnswer)
    /// What was deleted for good.
    case pruned(PruneRequest)
}

/// One round over what is due of one source. The number, from 1, tells it from all others of the source, and is larger
/// than those of earlier ones. It is given again only where nothing of the first pass is in the history.
package struct PassID: Sendable, Hashable, Codable, CustomStringConvertible {
    package let source: Source
    package let number: Int64

    /// Numbers of passes. Where the history could not be asked for the next one, it is the seconds since 1970.
    package static let numbers: ClosedRange<Int64> = 1...1 << 53

    /// - Precondition: `number` is one of `numbers`.
    package init(of source: Source, number: Int64) {
        precondition(Self.numbers.contains(number), "\(number) is no number of a pass")
        self.source = source
        self.number = number
    }

    /// - Throws: `DecodingError`, also where the number is none of a pass.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        number = try values.decode(Int64.self, forKey: .number)
        source = try values.decode(Source.self, forKey: .source)
        guard Self.numbers.contains(number) else {
            throw DecodingError.dataCorruptedError(
                forKey: .number, in: values, debugDescription: "\(number) is no number of a pass")
        }
    }

    package var description: String { "\(source.rawValue) \(number)" }
}

/// What asking one question brought.
package struct SearchAnswer: Sendable {
    package var query: Query
    /// When the request began.
    package var at: Timestamp
    /// What the clock showed when the answer came: checks that are dated later do not count yet (`CountedChecks`). If
    /// it is `nil`, no check is taken to be dated ahead.
    package var clock: Timestamp?
    /// Who was asked; `nil` if that is not known.
    package var by: String?
    package var asking: Asking
    /// How many requests it took: more than one where the first failed and was made again.
    package var requests: Int
    package var reply: Reply

    package init(
        to query: Query, at: Timestamp, clock: Timestamp? = nil, by: String? = nil, asking: Asking = .alone,
        requests: Int = 1, reply: Reply
    ) {
        self.query = query
        self.at = at
        self.clock = clock
        self.by = by
        self.asking = asking
        self.requests = requests
        self.reply = reply
    }

    /// How many requests one answer may take.
    package static let requests = 1...1_000

    /// Why a question was asked.
    package enum Asking: Sendable, Hashable {
        /// In no pass: what comes is judged at once.
        case alone
        /// It was due. A list that is not believed is held until the second asking.
        case first(PassID)
        /// Its first answer is held.
        case second(PassID)
    }

    package enum Reply: Sendable {
        /// A whole, well-formed answer.
        case list(ResultList)
        /// No answer, or one that proves nothing.
        case failed(Failure)
        /// The request was made, and turned away: it says nothing of the question.
        case turnedAway
        /// The question was not asked after all, because the pass ended before.
        case unasked
    }

    /// The check that the answer is by itself; `nil` if it says nothing of the question.
    package var check: Check? {
        switch reply {
        case .list(let list): Check(query: query, at: at, outcome: .answered(list))
        case .failed(let failure): Check(query: query, at: at, outcome: .failed(failure))
        case .turnedAway, .unasked: nil
        }
    }
}

/// The beginning or the end of a pass.
package enum PassMark: Sendable, Hashable {
    /// It goes on with what earlier passes of its source have left that never ended.
    ///
    /// - Parameter due: how many questions it sets out to ask.
    case began(PassID, at: Timestamp, due: Int)
    /// What it holds is settled. The result is `nil` for one that asked nothing, or that was cut off; whether it was a
    /// bad day, and what came of the answers that it held, is decided where it is applied.
    ///
    /// - Parameter at: what the clock showed.
    case ended(PassID, at: Timestamp?, PassResult?)
}

/// What a look-up that began at a moment told of each of its apps: of none if it was turned away.
package struct LookupAnswer: Sendable, Hashable {
    package var at: Timestamp
    package var outcomes: [StorefrontApp: AppPresence.Outcome]
    /// Under which bundle identifiers it had the numbers that were asked for.
    package var names: [AppID: BundleID]

    package init(
        at: Timestamp, outcomes: [StorefrontApp: AppPresence.Outcome] = [:], names: [AppID: BundleID] = [:]
    ) {
        self.at = at
        self.outcomes = outcomes
        self.names = names
    }
}

/// What became of an entry.
package struct Applied: Sendable {
    /// The checks that it made, or that it had made before.
    package var recorded: [RecordedCheck] = []
    /// Questions whose answers are held: to be asked again in the same pass.
    package var askAgain: [Query] = []
    /// How the pass went that ended.
    package var pass: PassResult?
    /// What the plan changed.
    package var adoption: Adoption?
    /// What was known of each app that was looked up before, and what is known of it now.
    package var presences: [StorefrontApp: (before: AppPresence, after: AppPresence)] = [:]
}
