import History
import RankKit

extension Status {
    /// One thing that is not as it should be.
    struct Reason: Sendable, Hashable {
        enum Kind: String, FieldWord, Hashable {
            /// A service ran, nobody stopped it, and it runs no more.
            case serviceGone = "service-gone"
            /// A service ran, was stopped, and nobody asks in its place.
            case serviceStopped = "service-stopped"
            /// systemd is to run the service, and does not.
            case unitNotRunning = "unit-not-running"
            /// Whether the service runs cannot be told.
            case serviceUnknown = "service-unknown"
            case watchlistRefused = "watchlist-refused"
            case overdue, paused, failing, suspect, disk
            /// Look-ups of apps have come to nothing for days.
            case lookups
            case backupLate = "backup-late"
            /// Messages did not arrive, or cannot be sent.
            case alerts
        }

        var kind: Kind
        /// For people; may hold foreign text.
        var text: String
    }

    /// All that is not as it should be: what keeps anything from being recorded first.
    static func reasons(
        _ record: ServiceRecord, overdue: [ServiceRecord.Overdue], unit: ServiceUnit?, now: Timestamp
    ) -> [Reason] {
        func ago(_ moment: Timestamp) -> String { RelativeAge(of: moment, at: now).phrase }
        func minute(_ moment: Timestamp) -> String {
            CivilTime.minuteInZone(moment)
        }
        func queries(_ count: Int) -> String { Figures.counted(count, "query", "queries") }
        var reasons: [Reason] = []
        switch record.writer {
        case .running: break
        case .unknown:
            reasons.append(
                Reason(
                    kind: .serviceUnknown,
                    text: "it is unknown whether rankd runs: you may not read the lock beside the database"))
        case .nobody:
            if let unit, let problem = unit.problem { reasons.append(Reason(kind: .unitNotRunning, text: problem)) }
            // Until when nobody will miss a check, so that nobody takes its silence for work that is done.
            let next =
                overdue.isEmpty
                ? Schedule.nextWake(record.queries.map(\.scheduled), attempts: record.attempts, now: now) : nil
            let rest = next.flatMap { $0 > now ? "; nothing is due until \(minute($0))" : nil } ?? ""
            if let stopped = record.service.stoppedAt {
                reasons.append(
                    Reason(
                        kind: .serviceStopped, text: "rankd is not running, stopped \(ago(min(stopped, now)))\(rest)"))
            } else if record.service.since != nil {
                let seen = record.service.seenAt.map { ", last seen \(ago($0))" } ?? ""
                reasons.append(
                    Reason(kind: .serviceGone, text: "rankd is not running, though nobody stopped it\(seen)\(rest)"))
            }
        }
        if let refusedAt = record.service.refusedAt {
            let why = record.service.refusal.map { ": \($0)" } ?? ""
            // One that was refused at the start keeps rankd from running.
            let rest = record.writer == .nobody ? "" : ", and the one before stays in force"
            reasons.append(
                Reason(kind: .watchlistRefused, text: "the watchlist was refused \(ago(refusedAt))\(rest)\(why)"))
        }
        if let first = overdue.first {
            let late = RelativeAge(of: first.dueSince, at: now).amount ?? "less than a minute"
            let most = overdue.count > 1 ? "up to \(late)" : late
            reasons.append(
                Reason(
                    kind: .overdue, text: "\(queries(overdue.count)) \(overdue.count == 1 ? "is" : "are") \(most) late")
            )
        }
        switch record.searchHealth.pause {
        case .throttled?: reasons.append(Reason(kind: .paused, text: "Apple asked for fewer requests"))
        case .offline?: reasons.append(Reason(kind: .paused, text: "the App Store cannot be reached"))
        case .failing?:
            reasons.append(Reason(kind: .paused, text: "the App Store answers nothing but errors, or not at all"))
        case nil: break
        }
        if let trouble = record.trouble { reasons.append(Reason(kind: .disk, text: trouble.words)) }
        if !record.failing.isEmpty {
            reasons.append(
                Reason(kind: .failing, text: "the newest check of \(queries(record.failing.count)) failed"))
        }
        if !record.suspects.isEmpty {
            reasons.append(
                Reason(
                    kind: .suspect, text: "the newest list of \(queries(record.suspects.count)) cannot be believed yet")
            )
        }
        if let lookups = record.lookups {
            let apps = Figures.counted(lookups.apps, "app")
            reasons.append(
                Reason(
                    kind: .lookups, text: "all look-ups have failed for days, and \(apps) could not be looked up"))
        }
        if record.backups?.isLate(at: now) == true {
            reasons.append(Reason(kind: .backupLate, text: "the backup is late"))
        }
        func messages(_ count: Int) -> String { Figures.counted(count, "message") }
        let undelivered = record.undelivered
        let (lost, held, late) = (undelivered.lost, undelivered.held, undelivered.late)
        if lost > 0 {
            reasons.append(Reason(kind: .alerts, text: "\(messages(lost)) did not arrive (rankctl alerts log)"))
        }
        if held > 0 {
            let wait = held == 1 ? "waits" : "wait"
            reasons.append(
                Reason(
                    kind: .alerts,
                    text: "\(messages(held)) \(wait) for a channel that is off or not usable (rankctl alerts list)"))
        }
        if late > 0 {
            let why = undelivered.answer.map { ": \($0)" } ?? ""
            let have = late == 1 ? "has" : "have"
            reasons.append(
                Reason(
                    kind: .alerts,
                    text: "\(messages(late)) \(have) not arrived for an hour\(why) (rankctl alerts log)"))
        }
        if let oldest = undelivered.mails.oldest, oldest + UndeliveredMessages.patience < now {
            let age = RelativeAge(of: oldest, at: now).amount.map { " for \($0)" } ?? ""
            reasons.append(
                Reason(
                    kind: .alerts,
                    text: "mail is not being sent, and the oldest has waited\(age): journalctl -u rankd-alert-mail"))
        }
        if undelivered.mails.late > 0 {
            reasons.append(
                Reason(
                    kind: .alerts,
                    text: "\(Figures.counted(undelivered.mails.late, "mail")) waited for two days and "
                        + "\(undelivered.mails.late == 1 ? "was" : "were") not sent: journalctl -u rankd-alert-mail"))
        }
        return reasons
    }
}

extension Status.Database.Trouble {
    /// For people.
    var words: String {
        switch self {
        case .noRoom: "no room left on the device of the database"
        case .readOnly: "the database's file system is read-only"
        case .longLog:
            "a program has been reading the database for too long, so its write-ahead log (WAL) grows: end that program"
        }
    }
}
