package import History
package import RankKit

/// What happens while tracking, in the order in which it became true: a check is reported after its commit. The log and
/// the screen of `rankd --once` are made of it.
package enum TrackingEvent: Sendable {
    /// Nothing is due before then; `nil` if nothing is watched. Told with `--once` alone.
    case nothingDue(until: Timestamp?)

    /// A pass begins, over this many due queries of a source.
    case began(due: Int, of: Source)
    case recorded(RecordedCheck)
    /// Apple asked for fewer requests: no check, the query stays due.
    case throttled(Query, status: Int)
    case ended(PassResult, of: Source, backlog: Backlog?)
    /// How an endpoint is that was asked, what pause it was in before, and until when it is not to be asked now.
    case health(EndpointHealth, of: Endpoint, before: EndpointHealth.Pause?, pausedUntil: Timestamp?)

    /// The history cannot take the check for now: it waits in memory.
    case waits(Check, because: HistoryError)
    /// A check that waited is recorded.
    case landed(RecordedCheck)
    /// All waiting checks are recorded: how many, and how many were dropped because there was no room for them.
    case settled(Int, dropped: Int)
    /// A pass whose end waited is found to have been a bad day of the store.
    case wasBadDay(PassResult, of: Source)
    /// The device failed, and opening the history anew has helped.
    case mended(HistoryError)
    /// What still waits when nothing is being asked.
    case rested(backlog: Backlog?)
    /// What was never recorded.
    case lost(Backlog)

    /// So many apps are about to be looked up. Told with `--once` alone.
    case lookingUp(apps: Int)
    case lookedUp(Lookup)

    /// New pairs have got their past, as far as lists could be read. With `--once` alone; the service logs it.
    case filledIn(BackFill.Outcome)

    /// What a look-up changed, or why nothing was learnt from it.
    package enum Lookup: Sendable, Hashable {
        /// Two empty answers, at least a day apart: the storefront sells no such app; no longer, where lists had shown it.
        case unknown(StorefrontApp, wasListed: Bool = false)
        /// The storefront sells the app after all.
        case foundAgain(StorefrontApp)
        case failed(Failure, apps: Int)
        case throttled(status: Int)
        /// The history could not take what an answer said: it is to be asked again.
        case unrecorded(HistoryError)
    }
}

/// What has not been recorded, and why.
package struct Backlog: Sendable, Hashable {
    package var checks: Int
    /// How many more there were than memory was allowed.
    package var dropped: Int
    package var reason: HistoryError
}
