import Foundation
import History
import RankKit
import Reports

/// What is worth a message and no check shows: how the service is, and that it is time for the digest.
struct FurtherEvents {
    let settings: AlertSettings
    let zone: TimeZone
    let now: Timestamp
    /// In days: how long after its time a digest is still sent.
    let digestDelay: Int
    /// Those of the watchlist's zone.
    private let days: ZoneDays

    init(settings: AlertSettings, zone: TimeZone, now: Timestamp, digestDelay: Int = 1) {
        (self.settings, self.zone, self.now, self.digestDelay) = (settings, zone, now, digestDelay)
        days = ZoneDays(zone)
    }

    // MARK: The service

    /// What is new of the service.
    enum ServiceNews: Hashable {
        case told(AlertEvent)
        /// Some of the trouble is over, which is no message: should it come back, that is one.
        case noted(AlertEvent)
    }

    /// Trouble is told once, with all that is wrong. What is told again is another matter that lasts, and at last that all
    /// is well.
    ///
    /// - Parameters:
    ///   - finding: how the service has been for long enough to be told.
    ///   - told: what was decided before; of all kinds, if something of the service waits to be told.
    /// - Returns: `nil` if that is what was told last. What could not be told then, because of a limit, a cooldown or a
    ///   mute, is there again once nothing holds it back.
    func service(_ finding: TroubleWatch.Finding, told: [ToldEvent]) -> ServiceNews? {
        guard settings.rules.contains(where: { $0.when.contains(.service) }) else { return nil }
        let last = told.compactMap(ServiceTurn.init).max { $0.number < $1.number }
        func turn(_ matters: Set<ServiceTrouble.Matter>) -> AlertEvent {
            event(
                ServiceTurn(matters, number: (last?.number ?? 0) + 1), onset: days.day(of: now), days.kept,
                finding.trouble)
        }
        func waiting() -> ServiceNews? {
            guard let last, !last.waiting.isEmpty else { return nil }
            let event = event(last, onset: last.onset, last.zone, finding.trouble)
            return isAdmitted(event, to: last.waiting, told) ? .told(event) : nil
        }
        guard let trouble = finding.trouble else {
            return last?.isTrouble ?? false ? .told(turn([])) : waiting()
        }
        // An earlier version did not note what was wrong: whatever lasts at the first look may have been told. It is noted
        // then, and what begins later is told.
        let standing = last.map { $0.matters ?? finding.lasting } ?? []
        guard finding.lasting.isSubset(of: standing) else {
            return .told(turn(trouble.matters.union(standing.intersection(finding.fading))))
        }
        guard last?.waiting.isEmpty ?? true else { return waiting() }
        let left = standing.intersection(trouble.matters.union(finding.fading))
        return left == last?.matters ? nil : .noted(turn(left))
    }

    /// That results had to wait until the file could be written, which is told once they are.
    ///
    /// - Returns: `nil` if there is nothing to tell of it, or not now.
    func waited(_ results: WaitedResults?, told: [ToldEvent]) -> AlertEvent? {
        guard settings.rules.contains(where: { $0.when.contains(.service) }), let results, results.isRecent(at: now)
        else { return nil }
        let event = AlertEvent(
            kind: .service, subject: .service("results"), onset: days.day(of: results.until),
            variant: "waited \(results.from.secondsSinceEpoch)", at: now, on: days.day(of: now), zone: days.kept,
            facts: .text(results.words))
        guard let known = told.first(where: { $0.key == event.key }) else { return event }
        return !known.isOver && isAdmitted(event, to: Set(known.waiting), told) ? event : nil
    }

    private func event(
        _ turn: ServiceTurn, onset: Int64, _ zone: String?, _ trouble: ServiceTrouble?
    ) -> AlertEvent {
        let words = trouble.map { trouble in
            "rankd is \(trouble.isDown ? "down" : "degraded"): "
                + trouble.reasons.map(\.text).joined(separator: "; ")
        }
        return AlertEvent(
            kind: .service, subject: .service("rankd"), onset: onset, variant: turn.variant, at: now,
            on: days.day(of: now), zone: zone,
            facts: .text(words ?? "rankd is well again"))
    }

    /// Whether a rule tells it now to one of `channels`.
    private func isAdmitted(_ event: AlertEvent, to channels: Set<String>, _ told: [ToldEvent]) -> Bool {
        let situation = AlertDecision.Situation(settings: settings, start: nil, now: now, zone: zone)
        let limits = AlertLimits(situation, known: Dictionary(grouping: told, by: \.subject))
        return !channels.isDisjoint(with: limits.admission(of: event).channels.keys)
    }

    // MARK: The digest

    /// A digest whose time has come.
    struct DueDigest: Hashable {
        var moment: Timestamp
        /// The moment of the digest before it, which it goes on from.
        var since: Timestamp
        /// All times of its rule.
        var times: Set<DigestTime>
        /// Minutes after midnight in the watchlist's zone, as `times` have it.
        var minute: Int
        /// 1 (Monday) to 7, in the watchlist's zone.
        var weekday: Int
    }

    /// The digests whose time has come since `last`, and within `digestDelay`, oldest first: one that was missed for
    /// longer is left out. Of a rule it is the newest, which covers those that were missed before it.
    ///
    /// A `last` after now was noted by a clock that was ahead. Then the last hour counts: whoever looks does so more often.
    func dueDigests(since last: Timestamp) -> [DueDigest] {
        let since = max(
            last < now ? last : min(last, now - Self.pastHour), now - Int64(digestDelay) * Timestamp.secondsPerDay)
        return Set(settings.rules.map { Set($0.times) })
            .compactMap { DueDigest($0, after: since, within: digestDelay, now: now, days) }
            .sorted { ($0.moment, $0.variant) < ($1.moment, $1.variant) }
    }

    /// When digests come after `since`, which is a day ago at most, and by now: in order, each moment once.
    func digestMoments(since: Timestamp) -> [Timestamp] {
        let times = Set(settings.rules.flatMap(\.times))
        return Set(DueDigest.due(times, after: since, within: digestDelay, now: now, days).map(\.moment)).sorted()
    }

    /// In seconds.
    private static let pastHour: Int64 = 3_600

    /// The digest that was to come then.
    ///
    /// - Parameter lines: what it says.
    func digest(_ digest: DueDigest, _ lines: [String]) -> AlertEvent {
        AlertEvent(
            kind: .digest, subject: .digest, onset: days.day(of: digest.moment), variant: digest.variant, at: now,
            on: days.day(of: now), zone: days.kept,
            facts: .text(lines.joined(separator: "\n")))
    }

    /// Whether it was decided before, perhaps by a version that did not tell the digests of one moment apart.
    func isTold(_ digest: DueDigest, _ told: [ToldEvent]) -> Bool {
        told.contains { told in
            told.kind == .digest && told.onset == ZoneDays(kept: told.zone).day(of: digest.moment)
                && [digest.variant, digest.legacyVariant].contains { told.thing.hasSuffix("\t" + $0) }
        }
    }
}

extension FurtherEvents.DueDigest {
    /// - Returns: `nil` if none was due after `since` and by now.
    fileprivate init?(
        _ times: Set<DigestTime>, after since: Timestamp, within delay: Int, now: Timestamp, _ days: ZoneDays
    ) {
        let due = Self.due(times, after: since, within: delay, now: now, days)
        guard let newest = due.max(by: { ($0.moment, $0.minute) < ($1.moment, $1.minute) }),
            let first = due.map(\.moment).min()
        else { return nil }
        // Every rule has one a week at least.
        let before = (0...8).lazy.compactMap { daysAgo in
            Self.moments(times, daysAgo: daysAgo, of: first, days).map(\.moment).filter { $0 < first }.max()
        }.first
        self.init(
            moment: newest.moment, since: before ?? first - 7 * Timestamp.secondsPerDay, times: times,
            minute: newest.minute, weekday: newest.weekday)
    }

    fileprivate typealias Moment = (moment: Timestamp, minute: Int, weekday: Int)

    /// - Parameters:
    ///   - since: `delay` days ago at most.
    ///   - delay: in days.
    fileprivate static func due(
        _ times: Set<DigestTime>, after since: Timestamp, within delay: Int, now: Timestamp, _ days: ZoneDays
    ) -> [Moment] {
        (0...delay).flatMap { moments(times, daysAgo: $0, of: now, days) }
            .filter { since < $0.moment && $0.moment <= now }
    }

    private static func moments(
        _ times: Set<DigestTime>, daysAgo: Int, of moment: Timestamp, _ days: ZoneDays
    ) -> [Moment] {
        let day = days.day(of: moment) - Int64(daysAgo)
        guard days.seconds(of: day) != nil else { return [] }
        // 1970-01-01 was a Thursday, and Monday is 1.
        let weekday = Int((day % 7 + 10) % 7) + 1
        return times.filter { $0.weekdays.isEmpty || $0.weekdays.contains(weekday) }.compactMap { time in
            // A time that the clock leaves out is the next that it shows; of one that comes twice the first counts.
            Calendar.gregorian(in: days.zone).nextDate(
                after: (days.start(of: day) - 1).date,
                matching: DateComponents(hour: time.minute / 60, minute: time.minute % 60, second: 0),
                matchingPolicy: .nextTime, repeatedTimePolicy: .first
            ).map { (Timestamp($0), time.minute, weekday) }
        }
    }

    /// By which an event is known: rules with other times have digests of their own, though of the same moment.
    var variant: String { "\(legacyVariant) \(times.words)" }

    /// The same as an earlier version wrote it.
    var legacyVariant: String { "\(weekday) \(minute)" }
}

extension Collection<DigestTime> {
    /// The same for the same times, without spaces: `480/15,1080/`.
    fileprivate var words: String {
        Set(map { "\($0.minute)/\($0.weekdays.sorted().map(String.init).joined())" }).sorted().joined(separator: ",")
    }

    /// Whether a digest with that variant is one of a rule with these times.
    func isMeant(by variant: String) -> Bool { !isEmpty && variant.hasSuffix(" " + words) }
}
