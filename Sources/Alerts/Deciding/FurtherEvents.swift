import Foundation
import History
import RankKit
import Reports

/// What is worth a message and no check shows: how the service is, and that it is time for the digest.
struct FurtherEvents {
    let settings: AlertSettings
    let zone: TimeZone
    let now: Timestamp

    // MARK: The service

    /// - Parameters:
    ///   - trouble: what has been so for long enough to be told; `nil` for none.
    ///   - told: what was decided before.
    /// - Returns: `nil` if that is what was told last. What is still so and could not be told on an earlier day, because
    ///   its rules had told enough, is there again.
    func service(_ trouble: ServiceTrouble?, told: [ToldEvent]) -> AlertEvent? {
        guard settings.rules.contains(where: { $0.when.contains(.service) }) else { return nil }
        let last = told.compactMap(ServiceTurn.init).max { $0.number < $1.number }
        var turn = ServiceTurn(isTrouble: trouble != nil, number: (last?.number ?? 0) + 1)
        var onset = now.day
        if last?.isTrouble ?? false == turn.isTrouble {
            guard let last, let waiting = last.waitingSince, !isToday(waiting) else { return nil }
            (turn, onset) = (last, last.onset)
        }
        let words =
            trouble.map { "rankd is \($0.isDown ? "down" : "degraded"): \($0.reasons.joined(separator: "; "))" }
            ?? "rankd is well again"
        return AlertEvent(
            kind: .service, subject: .service("rankd"), onset: onset, variant: turn.variant, at: now,
            facts: .text(words))
    }

    private func isToday(_ moment: Timestamp) -> Bool {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return calendar.isDate(moment.date, inSameDayAs: now.date)
    }

    // MARK: The digest

    /// A digest whose time has come.
    struct DueDigest: Hashable {
        var moment: Timestamp
        var time: DigestTime
        /// 1 (Monday) to 7, in the watchlist's zone.
        var weekday: Int
    }

    /// The digests whose time has come since `last`, and within a day, oldest first: one that was missed for longer is
    /// left out.
    ///
    /// A `last` after now was noted by a clock that was ahead. Then the last hour counts: whoever looks does so more often.
    func dueDigests(since last: Timestamp) -> [DueDigest] {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let since = max(last < now ? last : min(last, now - Self.pastHour), now - Timestamp.secondsPerDay)
        var digests: Set<DueDigest> = []
        for time in settings.rules.flatMap(\.times) {
            for daysAgo in 0...1 {
                guard let date = calendar.date(byAdding: .day, value: -daysAgo, to: now.date),
                    let digest = DueDigest(time, on: date, calendar), since < digest.moment, digest.moment <= now
                else { continue }
                digests.insert(digest)
            }
        }
        return digests.sorted { ($0.moment, $0.time.minute) < ($1.moment, $1.time.minute) }
    }

    /// In seconds.
    private static let pastHour: Int64 = 3_600

    /// The digest that was to come then.
    ///
    /// - Parameter lines: what it says.
    func digest(_ digest: DueDigest, _ lines: [String]) -> AlertEvent {
        AlertEvent(
            kind: .digest, subject: .digest, onset: digest.moment.day,
            variant: "\(digest.weekday) \(digest.time.minute)", at: now, facts: .text(lines.joined(separator: "\n")))
    }
}

extension FurtherEvents.DueDigest {
    /// - Returns: `nil` if there is none on the day of `date`.
    fileprivate init?(_ time: DigestTime, on date: Date, _ calendar: Calendar) {
        // Monday is 1 here and 2 there.
        let weekday = (calendar.component(.weekday, from: date) + 5) % 7 + 1
        guard time.weekdays.isEmpty || time.weekdays.contains(weekday) else { return nil }
        // A time that the clock leaves out is the next that it shows; of one that comes twice the first counts.
        let moment = calendar.nextDate(
            after: calendar.startOfDay(for: date) - 1,
            matching: DateComponents(hour: time.minute / 60, minute: time.minute % 60, second: 0),
            matchingPolicy: .nextTime, repeatedTimePolicy: .first)
        guard let moment else { return nil }
        self.init(moment: Timestamp(moment), time: time, weekday: weekday)
    }
}

extension DigestTime {
    /// Whether a digest with that variant, the day of the week and the minute, is this one's.
    func isMeant(by variant: String) -> Bool {
        let parts = variant.split(separator: " ").compactMap { Int($0) }
        return parts.count == 2 && parts[1] == minute && (weekdays.isEmpty || weekdays.contains(parts[0]))
    }
}
