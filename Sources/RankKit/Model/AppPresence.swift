/// An app in the storefront of one country.
package struct StorefrontApp: Sendable, Hashable, Comparable {
    package var bundleID: BundleID
    package var country: Country

    package init(_ bundleID: BundleID, in country: Country) {
        self.bundleID = bundleID
        self.country = country
    }

    package static func < (left: StorefrontApp, right: StorefrontApp) -> Bool {
        (left.country, left.bundleID) < (right.country, right.bundleID)
    }
}

/// What look-ups by bundleId have said about one app in one country: pure, so that it can be stored and tested.
///
/// One empty answer proves nothing (look-ups can be stale for a day). It only ever says whether a bundleId is worth a
/// second look: no position follows from it.
package struct AppPresence: Sendable, Hashable {
    /// When a look-up last found the app; empty answers since do not change it. As long as lists show it, nothing is asked
    /// about it from then on.
    package var foundAt: Timestamp?
    /// The first of the empty answers that `emptyAnswers` counts.
    package var emptySince: Timestamp?
    /// The newest of them.
    package var emptyAt: Timestamp?
    /// Empty answers in a row.
    package var emptyAnswers: Int
    /// The newest look-up that came to nothing, where it is newer than any answer.
    package var failedAt: Timestamp?
    /// Look-ups since the last answer that came to nothing.
    package var failuresInARow: Int
    /// Whether a list of the country or a look-up has shown the app before: if look-ups find nothing, it has left the store.
    package var wasListed = false
    /// Apple's numbers that its bundle identifier stands for, the one seen last first; empty where none is known. The
    /// number is the app: by these it is looked up, whatever it is called now.
    package var numbers: [AppID] = []

    /// How a look-up ended for one app. One that was turned away or cut off is none.
    package enum Outcome: Sendable, Hashable {
        /// The answer held the app.
        case found
        /// A whole answer without it.
        case empty
        /// No answer, or none that says anything about the app.
        case failed
    }

    /// Seconds that have to lie between two empty answers before they are taken to mean something.
    package static let secondsToBelieve = Timestamp.secondsPerDay
    /// Empty answers that it takes.
    package static let answersToBelieve = 2
    /// Seconds of good lists of a country without an app, which lists or a look-up there had shown before, after which it
    /// is looked up again.
    package static let secondsToMiss = 3 * Timestamp.secondsPerDay
    /// Seconds between look-ups of an app that is known not to be sold, or that is in no list.
    package static let secondsBetweenReminders = 7 * Timestamp.secondsPerDay
    /// Seconds until a look-up that failed is repeated; doubles with each further failure.
    package static let firstRetry: Int64 = 15 * 60
    package static let longestRetry = Timestamp.secondsPerDay

    package init(
        foundAt: Timestamp? = nil, emptySince: Timestamp? = nil, emptyAt: Timestamp? = nil, emptyAnswers: Int = 0,
        failedAt: Timestamp? = nil, failuresInARow: Int = 0, wasListed: Bool = false,
        numbers: [AppID] = []
    ) {
        self.foundAt = foundAt
        self.emptySince = emptySince
        self.emptyAt = emptyAt
        self.emptyAnswers = emptyAnswers
        self.failedAt = failedAt
        self.failuresInARow = failuresInARow
        self.wasListed = wasListed
        self.numbers = numbers
    }

    /// What is known by this one and by the look-ups of another history: whoever had an answer last knows whether the
    /// app is there.
    package func joined(with other: AppPresence) -> AppPresence {
        let never = Timestamp(secondsSinceEpoch: .min)
        var joined = (newestAnswer ?? never) < (other.newestAnswer ?? never) ? other : self
        joined.foundAt = [foundAt, other.foundAt].compactMap(\.self).max()
        let empty = Self.joined(emptyRun(after: joined.foundAt), other.emptyRun(after: joined.foundAt))
        (joined.emptySince, joined.emptyAt, joined.emptyAnswers) = (empty?.since, empty?.at, empty?.answers ?? 0)
        let failed = (failedAt ?? never) < (other.failedAt ?? never) ? other : self
        let isSince = failed.failedAt.map { (joined.newestAnswer ?? never) < $0 } ?? false
        (joined.failedAt, joined.failuresInARow) = isSince ? (failed.failedAt, failed.failuresInARow) : (nil, 0)
        return joined
    }

    /// The empty answers after a look-up that found the app; `nil` if there are none. Of a row that began before it, the
    /// last alone is certain.
    private func emptyRun(after found: Timestamp?) -> EmptyRun? {
        guard let since = emptySince, let at = emptyAt else { return nil }
        let found = found ?? Timestamp(secondsSinceEpoch: .min)
        if found < since { return (since, at, emptyAnswers) }
        return found < at ? (at, at, 1) : nil
    }

    private typealias EmptyRun = (since: Timestamp, at: Timestamp, answers: Int)

    /// The empty answers that two histories know together. Both may know the same ones: certain are those of one of them,
    /// and of the other's those at its ends that lie before or after, all of them where the two are apart.
    private static func joined(_ one: EmptyRun?, _ other: EmptyRun?) -> EmptyRun? {
        guard let one, let other else { return one ?? other }
        let isApart = one.at < other.since || other.at < one.since
        func added(by run: EmptyRun, to held: EmptyRun) -> Int {
            isApart ? run.answers : Set([run.since, run.at]).count { $0 < held.since || held.at < $0 }
        }
        return (
            min(one.since, other.since), max(one.at, other.at),
            max(one.answers + added(by: other, to: one), other.answers + added(by: one, to: other))
        )
    }

    private var newestAnswer: Timestamp? { [foundAt, emptyAt].compactMap(\.self).max() }

    /// Whether the storefront is taken not to sell the app: two empty answers, at least a day apart, and none since
    /// that held it.
    package var isUnknown: Bool {
        guard emptyAnswers >= Self.answersToBelieve, let emptySince, let emptyAt else { return false }
        return emptyAt - emptySince >= Self.secondsToBelieve
    }

    /// Whether no look-up has been tried.
    package var isNew: Bool { foundAt == nil && emptyAt == nil && failedAt == nil }

    /// When an app that no list shows is to be looked up next, `now` at the earliest.
    ///
    /// A time that lies in the future is a clock that was set back: it must not delay anything.
    package func nextDue(now: Timestamp) -> Timestamp {
        var due = now
        if emptyAt == nil, let foundAt, foundAt <= now { due = max(due, foundAt + Self.secondsBetweenReminders) }
        if let emptyAt, emptyAt <= now {
            due = max(due, emptyAt + (isUnknown ? Self.secondsBetweenReminders : Self.secondsToBelieve))
        }
        if let failedAt, failedAt <= now, failuresInARow > 0 {
            due = max(due, failedAt + Self.retryDelay(afterFailures: failuresInARow))
        }
        return due
    }

    /// Seconds from a look-up that failed to the next: 15 minutes, doubling up to a day.
    package static func retryDelay(afterFailures failures: Int) -> Int64 {
        min(firstRetry << Int64(min(max(failures - 1, 0), 10)), longestRetry)
    }

    /// Takes up how a look-up that began at `moment` ended.
    package mutating func note(_ outcome: Outcome, at moment: Timestamp) {
        switch outcome {
        case .found:
            self = AppPresence(foundAt: moment, wasListed: wasListed, numbers: numbers)
        case .empty:
            // Begun before the first of them, it shows that the clock had been ahead: their distance means nothing.
            let goesOn = emptySince.map { $0 <= moment } ?? false
            self = AppPresence(
                foundAt: foundAt, emptySince: goesOn ? emptySince : moment, emptyAt: moment,
                emptyAnswers: goesOn ? emptyAnswers + 1 : 1, wasListed: wasListed, numbers: numbers)
        case .failed:
            failedAt = moment
            failuresInARow += 1
        }
    }
}
