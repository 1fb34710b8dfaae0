/// What one check said about one app: the same from the check to the page.
package enum Outcome: Sendable, Hashable {
    /// In a list of so many places.
    case ranked(Position, of: Int)
    /// In none of so many places.
    case absent(from: Int)
    /// The answer cannot be believed yet. So many places were seen; `nil` where that was not asked for.
    case suspect(Suspicion, of: Int? = nil)
    /// It says nothing about the app, and never becomes an absence.
    case failed(Why)
    /// Never checked.
    case pending

    /// Why nothing can be said of an app whose check is not suspect.
    package enum Why: Sendable, Hashable {
        /// The check failed.
        case check(Failure.Reason)
        /// The check is good, but some entries of its list could not be read, and the app may be one of them.
        case unreadPlaces
    }

    package init(_ reading: Reading) { self = .placed(reading.position, of: reading.within) }

    /// What a list of `count` places says of an app that it has at `position`, or nowhere.
    package static func placed(_ position: Position?, of count: Int) -> Outcome {
        position.map { .ranked($0, of: count) } ?? .absent(from: count)
    }

    package init(_ gap: Gap, of count: Int? = nil) {
        self =
            switch gap {
            case .suspect(let why): .suspect(why, of: count)
            case .failed(let why): .failed(why)
            }
    }

    /// Why it says nothing about the app; `nil` for `ranked`, `absent` and `pending`.
    package var gap: Gap? {
        switch self {
        case .suspect(let why, _): .suspect(why)
        case .failed(let why): .failed(why)
        case .ranked, .absent, .pending: nil
        }
    }

    /// Where the app stands, as of a check that began at `moment`; `nil` where it does not say.
    package func reading(checkedAt moment: Timestamp) -> Reading? {
        switch self {
        case .ranked(let position, let count): Reading(position: position, within: count, checkedAt: moment)
        case .absent(let count): Reading(position: nil, within: count, checkedAt: moment)
        case .suspect, .failed, .pending: nil
        }
    }

    /// Whether it says where the app stands.
    package var isGood: Bool {
        switch self {
        case .ranked, .absent: true
        case .suspect, .failed, .pending: false
        }
    }

    package var position: Position? { if case .ranked(let position, _) = self { position } else { nil } }

    /// How many places the check saw, as far as that is known.
    package var within: Int? {
        switch self {
        case .ranked(_, let count), .absent(let count): count
        case .suspect(_, let count): count
        case .failed, .pending: nil
        }
    }

    package var state: State {
        switch self {
        case .ranked: .ranked
        case .absent: .absent
        case .suspect: .suspect
        case .failed: .failed
        case .pending: .pending
        }
    }

    /// An outcome without what it holds. The raw values are stored and printed: they are a contract.
    package enum State: String, Sendable, Hashable, CaseIterable, Codable {
        case ranked, absent, failed, suspect, pending
    }
}

/// How one check of a query ended, without its list.
package enum CheckOutcome: Sendable, Hashable {
    /// Apps are ranked in its places or absent from them. Where not all of these could be read, it says nothing of an
    /// app that it does not name, unless that is known to be in none.
    case good(of: Int, isWhole: Bool = true)
    /// The list is kept, and no position comes from it.
    case suspect(Suspicion, of: Int)
    case failed(Failure.Reason)

    package var isGood: Bool { if case .good = self { true } else { false } }

    /// Why it says nothing about an app without a reading from it; `nil` where every app has one.
    package var gap: Gap? {
        switch self {
        case .good(_, let isWhole): isWhole ? nil : .failed(.unreadPlaces)
        case .suspect(let why, _): .suspect(why)
        case .failed(let why): .failed(.check(why))
        }
    }

    /// What it says about an app without a reading from it; `nil` where every app has one.
    package var untold: Outcome? { gap.map { Outcome($0, of: within) } }

    /// How many places the check saw; `nil` where it failed.
    package var within: Int? {
        switch self {
        case .good(let count, _), .suspect(_, let count): count
        case .failed: nil
        }
    }
}

/// Why a check says nothing about an app, and shows as a gap.
package enum Gap: Sendable, Hashable {
    case suspect(Suspicion)
    case failed(Outcome.Why)

    package var isSuspect: Bool { state == .suspect }

    package var state: Outcome.State {
        switch self {
        case .suspect: .suspect
        case .failed: .failed
        }
    }

    /// The word that is stored and printed.
    package var reason: String {
        switch self {
        case .suspect(let why): why.rawValue
        case .failed(.check(let why)): why.rawValue
        case .failed(.unreadPlaces): Self.unreadPlaces
        }
    }

    /// As `reason`: that some places of a good check could not be read.
    package static let unreadPlaces = "unreadable-places"

    /// For people.
    package var explanation: String {
        switch self {
        case .suspect(let why): why.explanation
        case .failed(.check(let why)): why.explanation
        case .failed(.unreadPlaces):
            "some entries of the answer could not be read, and the app may be one of them"
        }
    }
}
