import History
import RankKit

extension StatusReport {
    private var lines: [(label: String, cells: [Cell])] {
        var fields: [(label: String, cells: [Cell])] = [
            ("status", level), ("daemon", daemon), ("database", database), ("history", history),
            ("last pass", lastPass), ("next due", [nextDue]), ("queries", queries), ("requests", requests),
            ("upkeep", housekeeping),
        ]
        if let underWay = status.underWay {
            let place = fields.firstIndex { $0.label == "last pass" } ?? fields.endIndex
            fields.insert(("pass", [Cell(Self.words(underWay))]), at: place)
        }
        if !status.isWhole { fields.removeAll { $0.label == "last pass" } }
        if let waited { fields.append(("waited", waited)) }
        if let backups = status.backups { fields.append(("backup", self.backups(backups))) }
        fields.insert(contentsOf: asking.map { (label: "asking", cells: $0) }, at: 2)
        fields += status.failures.map { (label: "failing", cells: failing($0)) }
        fields += suspect.map { (label: "suspect", cells: $0) }
        fields += unknown.map { (label: "unknown", cells: $0) }
        fields += status.namedTwice.map { (label: "one app", cells: [Cell($0.warning(ReportZone.days), .caution)]) }
        fields += status.overdue.map { (label: "overdue", cells: overdue($0)) }
        let unlisted = status.overdueCount - status.overdue.count
        if unlisted > 0, !status.overdue.isEmpty {
            fields.append(("", [Cell("and \(Figures.grouped(unlisted)) more", .faint)]))
        }
        return fields
    }

    /// Laid out by itself: labels beside their values.
    package func text(_ style: TerminalStyle) -> String {
        lines.flatMap { Self.lines($0.label, $0.cells, style) }.map { $0 + "\n" }.joined()
    }

    package var document: Document {
        var document = Document(title: "Status", generatedAt: generatedAt)
        document.list(
            lines.map { label, cells in StyledText((label.isEmpty ? [] : [Cell("\(label): ", .faint)]) + cells) })
        return document
    }

    /// Where the values begin; the longest label has nine letters.
    private static let column = 11

    /// A label and its value; what does not fit on the line goes on below the value.
    static func lines(_ label: String, _ cells: [Cell], _ style: TerminalStyle) -> [String] {
        let inner = TerminalStyle(colour: style.colour, width: max(1, style.width - column))
        return StyledText(cells).wrapped(inner).enumerated().map { index, line in
            let shown = index == 0 ? label : ""
            return style.painted(shown, .faint) + String(repeating: " ", count: column - shown.utf8.count) + line
        }
    }

    private func ago(_ moment: Timestamp) -> String { RelativeAge(of: moment, at: status.generatedAt).phrase }

    /// The level, and why it is that.
    private var level: [Cell] {
        let level =
            switch status.level {
            case .fine: Cell("● fine", .good)
            case .degraded: Cell("○ degraded", .caution)
            case .down: Cell("▼ down", .bad)
            }
        guard !status.reasons.isEmpty else { return [level] }
        return [level, Cell(": " + status.reasons.map(\.text).joined(separator: "; "))]
    }

    private var daemon: [Cell] {
        switch status.daemon {
        case .running(let pid): [Cell(pid > 0 ? "running, pid \(pid)" : "running")]
        case .unknown: [Cell("unknown whether it runs", .caution)]
        case .nobody:
            if let stopped = status.service.stoppedAt {
                [Cell("not running", .bad), Cell(", stopped \(ago(stopped))")]
            } else if status.service.since != nil || status.level != .fine {
                [Cell("not running", .bad)] + (status.service.seenAt.map { [Cell(", last seen \(ago($0))")] } ?? [])
            } else {
                [
                    Cell(
                        "no service here: each run of "
                            + "\(ReportAudience.words("rankd --once", tools: "rankd")) asks what is due")
                ]
            }
        }
    }

    /// One line for all endpoints that are well, and one for each that is not.
    private var asking: [[Cell]] {
        let well = status.endpoints.filter { $0.state == .asking }.map(\.name)
        let together = well.isEmpty ? [] : [[Cell(well.joined(separator: ", ") + ": "), Cell("fine")]]
        return together + status.endpoints.filter { $0.state != .asking }.map(endpoint)
    }

    private func endpoint(_ endpoint: Status.Endpoint) -> [Cell] {
        let name = Cell(endpoint.name + ": ")
        let until =
            endpoint.until.map { until in
                if until > status.generatedAt { return " until \(until), \(ago(until))" }
                return status.daemon == .nobody ? ", the next run tries again" : ", about to try again"
            } ?? ""
        switch endpoint.state {
        case .asking: return [name, Cell("fine")]
        case .coolingDown: return [name, Cell("Apple asked for fewer requests, cooling down", .caution), Cell(until)]
        case .badDay:
            return [name, Cell("a bad day of the store, too many empty or short lists", .caution)]
        case .offline: return [name, Cell("offline, nothing can be reached", .bad), Cell(until)]
        case .failing:
            let words = "Apple answers nothing but errors, or not at all" + (endpoint.until == nil ? "" : ", pausing")
            return [name, Cell(words, .bad), Cell(until)]
        }
    }

    /// One line for each reason: on a bad day they are many.
    private var suspect: [[Cell]] {
        Self.groups(status.suspects, by: \.reason).map { first, more in
            let words =
                switch first.reason {
                case .early:
                    "\(Figures.counted(first.within, "result")), and no list of this query was ever longer; more checks will "
                        + "tell"
                case .collapsed: "far fewer results than usual (\(first.within)); reports show the last good positions"
                case .badDay, .outgrown:
                    "\(first.reason.explanation) (\(first.within)); reports show the last good positions"
                }
            return [
                Cell("\(first.query.text) · \(first.query.place)\(Self.others(more))", .caution), Cell(": " + words),
            ]
        }
    }

    /// One line for those that were there once, and one for those that never were: JSON names each.
    private var unknown: [[Cell]] {
        Self.groups(status.unknownApps, by: \.wasListed).map { first, more in
            let since = CivilTime.reportDate(first.since)
            return [
                Cell("\(first.bundleID) · \(first.country)\(Self.others(more))", .caution),
                Cell(
                    first.wasListed
                        ? ": no longer in the store there as far as look-ups tell, since \(since)"
                        : ": not sold there as far as look-ups tell, since \(since); check the bundleId"),
            ]
        }
    }

    /// The first of each kind, and how many more there are; in the order of the first.
    private static func groups<Thing, Kind: Hashable>(
        _ things: [Thing], by kind: (Thing) -> Kind
    ) -> [(first: Thing, more: Int)] {
        var places: [Kind: Int] = [:]
        var groups: [(first: Thing, more: Int)] = []
        for thing in things {
            if let place = places[kind(thing)] {
                groups[place].more += 1
            } else {
                places[kind(thing)] = groups.count
                groups.append((thing, 0))
            }
        }
        return groups
    }

    private static func others(_ count: Int) -> String {
        count > 0 ? " and \(Figures.counted(count, "other", "others"))" : ""
    }

    private var database: [Cell] {
        let database = status.database
        let waiting = status.daemon == .nobody ? "" : ": results wait in rankd's memory"
        let trouble: String? =
            switch database.trouble {
            case .noRoom?: "no room left on its device" + waiting
            case .readOnly?: "its file system is read-only" + waiting
            case .longLog?: "a program has been reading it for too long, so the log beside it grows: end that program"
            case nil: nil
            }
        let size = database.bytes.map {
            let log = database.walBytes ?? 0
            return " · \(Figures.bytes($0))" + (log > 0 ? " and \(Figures.bytes(log)) in its log" : "")
        }
        return [Cell(database.path), Cell(size ?? "")]
            + (trouble.map { [Cell(" · "), Cell($0, .caution)] } ?? [])
    }

    private var history: [Cell] {
        guard let since = status.historySince else { return [Cell("no check yet")] }
        let newest = status.newestCheckAt.map { " · newest check \(ago($0))" } ?? ""
        return [Cell("since \(CivilTime.reportDate(since))\(newest)")]
    }

    /// What waited for the file within the last week.
    private var waited: [Cell]? {
        guard let waited = status.waited, waited.isRecent(at: status.generatedAt) else { return nil }
        return [Cell(waited.words, waited.lost > 0 ? .bad : .caution)]
    }

    private var lastPass: [Cell] {
        guard let pass = status.lastPass else { return [Cell("none yet")] }
        let end = pass.finishedAt.map { " in \(Self.duration($0 - pass.startedAt))" } ?? ", not finished"
        var cells = [Cell("\(ago(pass.startedAt))\(end): \(pass.asked) asked, \(pass.succeeded) succeeded")]
        if pass.failed > 0 { cells += [Cell(", "), Cell("\(pass.failed) failed", .caution)] }
        if pass.suspect > 0 { cells += [Cell(", "), Cell("\(pass.suspect) suspect", .caution)] }
        if pass.badDay { cells += [Cell(", "), Cell("a bad day of the store", .caution)] }
        if pass.throttled > 0 { cells += [Cell(", "), Cell("\(pass.throttled) throttled", .caution)] }
        return cells
    }

    private static func words(_ underWay: PassProgress) -> String {
        let left = underWay.secondsLeft.map { ", about \(duration($0)) left" } ?? ""
        return "\(Figures.grouped(underWay.done)) of \(Figures.grouped(underWay.due))\(left)"
    }

    private static func duration(_ seconds: Int64) -> String {
        RelativeAge(seconds: seconds).amount ?? "\(max(0, seconds))s"
    }

    private var nextDue: Cell {
        guard let due = status.nextDueAt else { return Cell("nothing is due") }
        guard due <= status.generatedAt else { return Cell(ago(due)) }
        // A query may wait for a while before it counts as overdue.
        return Cell(status.overdueCount > 0 ? "now" : "now, and not late yet")
    }

    private var queries: [Cell] {
        let total = Cell(Figures.grouped(status.queryCount))
        let overdue =
            status.overdueCount > 0
            ? Cell("\(Figures.grouped(status.overdueCount)) overdue", .caution) : Cell("none overdue")
        // Not for numbers beyond what a pace can be.
        let wanted = status.requests.wantedPerDay.flatMap { $0 < 1e12 ? Int64($0.rounded(.up)) : nil }
        let cost = wanted.map { " · \(Figures.counted(Int($0), "request")) a day wanted" } ?? ""
        return [total, Cell(", "), overdue, Cell(cost)]
    }

    private var requests: [Cell] {
        let requests = status.requests
        guard let lastHour = requests.lastHour, let lastDay = requests.lastDay else {
            return [Cell("\(Figures.grouped(requests.budgetPerDay)) a day are possible")]
        }
        var cells = [
            Cell("\(Figures.grouped(lastHour)) of \(Figures.grouped(requests.budgetPerHour)) in the last hour"),
            Cell(" · \(Figures.grouped(lastDay)) of \(Figures.grouped(requests.budgetPerDay)) in 24 hours"),
        ]
        if let wanted = requests.wantedPerDay, requests.budgetPerDay > 0, wanted > Double(requests.budgetPerDay) {
            let times = Figures.decimal(wanted / Double(requests.budgetPerDay), places: 1)
            cells.append(Cell(" · "))
            cells.append(Cell("the watchlist wants \(times) times the budget: ask less often", .caution))
        }
        return cells
    }

    /// When the clean-up ran, what it did, and what is wrong or late.
    private var housekeeping: [Cell] {
        let when = Cell(status.housekeptAt.map(ago) ?? "not yet")
        guard let upkeep = status.upkeep else { return [when] }
        var cells = [when]
        if let last = upkeep.last {
            let done = [
                Self.done(last.daysRolledUp, "day", "summed up"), Self.done(last.listsCompacted, "list", "compressed"),
                Self.done(last.listsDropped, "list", "dropped"),
                Self.done(last.failuresThinned, "old failure", "merged into daily counts"),
                last.bytesFreed > 0 ? "\(Figures.bytes(last.bytesFreed)) freed" : nil,
            ].compactMap(\.self)
            if !done.isEmpty { cells.append(Cell(": " + done.joined(separator: ", "))) }
        }
        cells.append(
            Cell(
                " · stored lists: \(Figures.grouped(upkeep.listsInPages)) compressed, "
                    + "\(Figures.grouped(upkeep.otherLists)) waiting", .faint))
        if let since = upkeep.listsSince {
            cells.append(Cell(" · all lists since \(CivilTime.reportDate(since)) are kept", .faint))
        }
        if let damaged = upkeep.last?.listsDamaged, damaged > 0 {
            cells += [Cell(" · "), Cell("\(Figures.counted(damaged, "list")) damaged", .bad)]
        }
        // What has closed since the last clean-up is the next one's, which comes within a day.
        if upkeep.daysBehind > 2 {
            cells += [Cell(" · "), Cell("\(Figures.counted(upkeep.daysBehind, "day")) not summed up yet", .caution)]
        } else if upkeep.countryDaysBehind > 2 {
            cells += [
                Cell(" · "),
                Cell("\(Figures.counted(upkeep.countryDaysBehind, "day")) by country not summed up yet", .faint),
            ]
        }
        return cells
    }

    private static func done(_ count: Int, _ noun: String, _ what: String) -> String? {
        count > 0 ? "\(Figures.counted(count, noun)) \(what)" : nil
    }

    private func backups(_ backups: BackupRecord) -> [Cell] {
        let isLate = backups.isLate(at: status.generatedAt)
        var cells = [Cell(backups.lastAt.map(ago) ?? "not yet", isLate ? .caution : .plain)]
        if isLate { cells.append(Cell(", late", .caution)) }
        if let failedAt = backups.failedAt {
            cells += [Cell(", "), Cell("failed \(ago(failedAt))", .caution), Cell(": \(backups.failure ?? "")")]
        }
        return cells
    }

    private func failing(_ streak: Status.FailureStreak) -> [Cell] {
        let what = "\(Figures.counted(streak.queryCount, "query", "queries")): \(streak.reason.explanation)"
        let inARow = streak.mostInARow > 1 ? ", up to \(streak.mostInARow) times in a row" : ""
        let message = streak.lastMessage.isEmpty ? "" : " (\(streak.lastMessage))"
        return [Cell(what, .caution), Cell("\(message)\(inARow), last \(ago(streak.lastAt))")]
    }

    private func overdue(_ query: Status.OverdueQuery) -> [Cell] {
        let late = RelativeAge(of: query.dueSince, at: status.generatedAt).amount ?? "less than a minute"
        return [Cell("\(query.query.text) · \(query.query.place), \(late) late")]
    }
}
