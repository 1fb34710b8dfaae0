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
        let health = ServiceHealth(record: record, overdue: overdue, unit: unit, now: now)
        let deliveries = Deliveries(record.undelivered, now: now)
        return health.service + health.watchlist + health.asking + health.answers + health.upkeep
            + deliveries.messages + deliveries.mails
    }
}

/// What is wrong with a service, part by part.
private struct ServiceHealth {
    let record: ServiceRecord
    let overdue: [ServiceRecord.Overdue]
    let unit: ServiceUnit?
    let now: Timestamp

    private func ago(_ moment: Timestamp) -> String { RelativeAge(of: moment, at: now).phrase }

    private func queries(_ count: Int) -> String { Figures.counted(count, "query", "queries") }

    /// Whether somebody asks.
    var service: [Status.Reason] {
        switch record.writer {
        case .running: return []
        case .unknown:
            let text = "it is unknown whether rankd runs: you may not read the lock beside the database"
            return [Status.Reason(kind: .serviceUnknown, text: text)]
        case .nobody:
            var reasons: [Status.Reason] = []
            if let problem = unit?.problem { reasons.append(Status.Reason(kind: .unitNotRunning, text: problem)) }
            if let stopped = record.service.stoppedAt {
                let text = "rankd is not running, stopped \(ago(min(stopped, now)))\(rest)"
                reasons.append(Status.Reason(kind: .serviceStopped, text: text))
            } else if record.service.since != nil {
                let seen = record.service.seenAt.map { ", last seen \(ago($0))" } ?? ""
                let text = "rankd is not running, though nobody stopped it\(seen)\(rest)"
                reasons.append(Status.Reason(kind: .serviceGone, text: text))
            }
            return reasons
        }
    }

    /// Until when nobody will miss a check, so that nobody takes its silence for work that is done.
    private var rest: String {
        guard overdue.isEmpty,
            let next = Schedule.nextWake(record.queries.map(\.scheduled), attempts: record.attempts, now: now),
            next > now
        else { return "" }
        return "; nothing is due until \(CivilTime.minuteInZone(next))"
    }

    var watchlist: [Status.Reason] {
        guard let refusedAt = record.service.refusedAt else { return [] }
        let why = record.service.refusal.map { ": \($0)" } ?? ""
        // One that was refused at the start keeps rankd from running.
        let rest = record.writer == .nobody ? "" : ", and the one before stays in force"
        return [
            Status.Reason(kind: .watchlistRefused, text: "the watchlist was refused \(ago(refusedAt))\(rest)\(why)")
        ]
    }

    /// Whether the App Store is asked in time, and what was asked is written.
    var asking: [Status.Reason] {
        var reasons: [Status.Reason] = []
        if let first = overdue.first {
            let late = RelativeAge(of: first.dueSince, at: now).amount ?? "less than a minute"
            let most = overdue.count > 1 ? "up to \(late)" : late
            let text =
                "\(queries(overdue.count)) \(overdue.count == 1 ? "is" : "are") \(most) late"
                + (record.writer == .nobody && service.isEmpty ? "; no service runs here" : "")
            reasons.append(Status.Reason(kind: .overdue, text: text))
        }
        for lane in record.lanes {
            guard let pause = lane.health.pause else { continue }
            let text =
                switch pause {
                case .throttled: "Apple asked for fewer requests"
                case .offline: "the App Store cannot be reached"
                case .failing: "the App Store answers nothing but errors, or not at all"
                }
            let source = lane.source == .usual ? "" : " (source \(lane.source.rawValue))"
            reasons.append(Status.Reason(kind: .paused, text: text + source))
        }
        if let trouble = record.trouble { reasons.append(Status.Reason(kind: .disk, text: trouble.words)) }
        return reasons
    }

    /// What the newest checks and look-ups came to.
    var answers: [Status.Reason] {
        var reasons: [Status.Reason] = []
        if !record.failing.isEmpty {
            let text = "the newest check of \(queries(record.failing.count)) failed"
            reasons.append(Status.Reason(kind: .failing, text: text))
        }
        if !record.suspects.isEmpty {
            let text = "the newest list of \(queries(record.suspects.count)) cannot be believed yet"
            reasons.append(Status.Reason(kind: .suspect, text: text))
        }
        if let lookups = record.lookups {
            let apps = Figures.counted(lookups.apps, "app")
            let text = "all look-ups have failed for days, and \(apps) could not be looked up"
            reasons.append(Status.Reason(kind: .lookups, text: text))
        }
        return reasons
    }

    var upkeep: [Status.Reason] {
        guard record.backups?.isLate(at: now) == true else { return [] }
        return [Status.Reason(kind: .backupLate, text: "the backup is late")]
    }
}

/// What is wrong with messages that are to be sent.
private struct Deliveries {
    private let undelivered: UndeliveredMessages
    private let now: Timestamp

    init(_ undelivered: UndeliveredMessages, now: Timestamp) { (self.undelivered, self.now) = (undelivered, now) }

    private static func reason(_ text: String) -> Status.Reason { Status.Reason(kind: .alerts, text: text) }

    var messages: [Status.Reason] {
        func messages(_ count: Int) -> String { Figures.counted(count, "message") }
        let (lost, held, late) = (undelivered.lost, undelivered.held, undelivered.late)
        var reasons: [Status.Reason] = []
        if lost > 0 {
            reasons.append(
                Self.reason("\(messages(lost)) did not arrive (\(ReportAudience.command("rankctl alerts log")))"))
        }
        if held > 0 {
            let wait = held == 1 ? "waits" : "wait"
            reasons.append(
                Self.reason(
                    "\(messages(held)) \(wait) for a channel that is off or not usable "
                        + "(\(ReportAudience.command("rankctl alerts list")))"))
        }
        if late > 0 {
            let why = undelivered.answer.map { ": \($0)" } ?? ""
            let have = late == 1 ? "has" : "have"
            reasons.append(
                Self.reason(
                    "\(messages(late)) \(have) not arrived for an hour\(why) "
                        + "(\(ReportAudience.command("rankctl alerts log")))"))
        }
        return reasons
    }

    var mails: [Status.Reason] {
        var reasons: [Status.Reason] = []
        if let oldest = undelivered.mails.oldest, oldest + UndeliveredMessages.patience < now {
            let age = RelativeAge(of: oldest, at: now).amount.map { " for \($0)" } ?? ""
            reasons.append(
                Self.reason("mail is not being sent, and the oldest has waited\(age): journalctl -u rankd-alert-mail"))
        }
        let late = undelivered.mails.late
        if late > 0 {
            reasons.append(
                Self.reason(
                    "\(Figures.counted(late, "mail")) waited for two days and \(late == 1 ? "was" : "were") not sent: "
                        + "journalctl -u rankd-alert-mail"))
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
