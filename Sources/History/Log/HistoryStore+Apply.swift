import GRDB
package import RankKit

extension HistoryStore {
    /// Applies an entry whole, or not at all: a function of the file and of the entry. It decides what is believed and
    /// what is held, ids, positions, standings and listings.
    ///
    /// - Returns: what became of it. Of one that was applied before, what became of it then, as far as that can be
    ///   told.
    /// - Throws: `HistoryError`; nothing of the entry is in the history then. A prune is many short transactions, and
    ///   can be applied again if it was broken off.
    package func apply(_ entry: Entry) async throws -> Applied {
        if case .pruned(let request) = entry {
            try await prune(try await plan(request))
            return Applied()
        }
        let path = path
        let (applied, hasNoted) = try await write { database in
            let applied = try Log.apply(entry, to: database, at: path)
            // Nothing waits for a plan or a look-up longer than it must: rankd is not ready before its first plan.
            return try (applied, entry.isOfTracking && Self.hasNoted(in: database))
        }
        if hasNoted { await deriveNoted() }
        return applied
    }

    /// The number of the next pass of a source.
    package func nextPass(of source: Source) async throws -> Int64 {
        try await read { database in
            let open = try PassCount.open(in: database).filter { $0.source == source }.map(\.number).max() ?? 0
            let counted = try UnfinishedRequests.last(of: source, in: database)
            return try min(max(open, counted, PassCount.ended(of: source, in: database)) + 1, PassID.numbers.upperBound)
        }
    }

    /// Passes that have not ended, oldest first.
    package func openPasses() async throws -> [PassID] { try await read { try PassCount.open(in: $0) } }

    /// The questions whose first answers a pass holds, or one of its source before it, and when they were asked; in that
    /// order.
    package func heldAnswers(through pass: PassID) async throws -> [(query: Query, at: Timestamp, pass: PassID)] {
        try await read { database in
            try HeldAnswer.unsettled(of: pass.source, through: pass.number, in: database)
                .map { (try QueryRow.query($0.query, in: database), $0.at, $0.pass) }
        }
    }

    /// Whether a list of so many places would be held, by the checks that are recorded.
    package func isDoubtful(listOf length: Int, to query: Query, at moment: Timestamp) async throws -> Bool {
        try await read { database in
            guard let id = try QueryRow.id(of: query, in: database) else { return false }
            return try Belief(about: id, at: moment, in: database).verdict(length: length, at: moment).suspicion != nil
        }
    }
}

extension Entry {
    /// Whether it tells what the store answered, or how far a pass is.
    fileprivate var isOfTracking: Bool {
        switch self {
        case .answer, .pass: true
        case .plan, .lookup, .pruned: false
        }
    }
}

/// What an entry makes of a history.
enum Log {
    /// Applies an entry in the transaction that is open.
    ///
    /// - Parameter path: where the file is, for errors.
    static func apply(_ entry: Entry, to database: Database, at path: String) throws -> Applied {
        switch entry {
        case .plan(let watchlist, let moment):
            return Applied(adoption: try HistoryStore.adopt(watchlist, now: moment, in: database))
        case .answer(let answer): return try apply(answer, to: database, at: path)
        case .pass(let mark): return try apply(mark, to: database)
        case .lookup(let answer): return Applied(presences: try answer.keep(in: database))
        case .pruned:
            throw HistoryError.unusable(path: path, what: "a prune is no single transaction")
        }
    }

    // MARK: Answers

    private static func apply(_ answer: SearchAnswer, to database: Database, at path: String) throws -> Applied {
        guard let query = try QueryRow.id(of: answer.query, in: database) else {
            throw HistoryError.unusable(path: path, what: "no query “\(answer.query.text)” was adopted")
        }
        switch answer.asking {
        case .alone: return try applyAlone(answer, of: query, in: database)
        case .first(let pass): return try applyFirst(answer, of: query, pass, in: database)
        case .second(let pass): return try applySecond(answer, of: query, pass, in: database)
        }
    }

    /// Judges an answer at once.
    private static func applyAlone(
        _ answer: SearchAnswer, of query: Int64, in database: Database
    ) throws -> Applied {
        guard let check = answer.check else {
            try noteRequest(answer, in: database)
            return Applied()
        }
        if let stored = try RecordedCheck(of: answer, query: query, in: database) { return Applied(recorded: [stored]) }
        try noteRequest(answer, in: database)
        return Applied(recorded: [try record(check, of: query, clock: answer.clock, in: database)])
    }

    private static func applyFirst(
        _ answer: SearchAnswer, of query: Int64, _ pass: PassID, in database: Database
    ) throws -> Applied {
        if let stored = try RecordedCheck(of: answer, query: query, in: database) {
            return Applied(recorded: [stored])
        }
        var applied = Applied()
        if let held = try HeldAnswer.of(query, in: database) {
            if held.pass == pass || held.at == answer.at {
                guard let check = held.check else { return Applied(askAgain: [answer.query]) }
                return try Applied(recorded: known(check, of: answer.query, query, in: database))
            }
            // Its pass was cut off.
            if held.check == nil, held.pass.number < pass.number {
                applied.recorded = try settle(held, of: answer.query, clock: answer.clock, in: database)
            }
        }
        if try PassCount.hasEnded(pass, in: database) {
            applied.recorded += try applyLate(answer, of: query, in: database).recorded
            return applied
        }
        try noteRequest(answer, in: database)
        guard let check = answer.check else {
            try count(answer, of: query, pass, checks: 0, in: database)
            return applied
        }
        guard case .list(let list) = answer.reply else {
            try count(answer, of: query, pass, checks: 1, in: database)
            applied.recorded.append(try record(check, of: query, clock: answer.clock, in: database))
            return applied
        }
        let belief = try Belief(about: query, at: answer.at, in: database)
        let verdict = belief.verdict(length: list.count, at: answer.at)
        try PassTally(verdict, isNew: belief.isNew, length: list.count)
            .add(to: pass, answer.query.country, in: database)
        try count(answer, of: query, pass, checks: verdict.suspicion == nil ? 1 : 0, in: database)
        if verdict.suspicion == nil {
            applied.recorded.append(
                try keep(check, of: query, verdict, onBadDay: false, clock: answer.clock, in: database))
        } else {
            try HeldAnswer.hold(list, of: query, at: answer.at, by: pass, in: database)
            applied.askAgain = [answer.query]
        }
        return applied
    }

    /// An answer of a pass that has ended: it is applied again, or it comes late. Where the question has a check of its
    /// time or later, it is taken to be applied again; else it is recorded.
    private static func applyLate(
        _ answer: SearchAnswer, of query: Int64, in database: Database
    ) throws -> Applied {
        guard answer.check != nil else { return Applied() }
        let isKnown = try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM check_log WHERE query = ? AND at >= ?)"),
            arguments: [query, answer.at.secondsSinceEpoch])
        return isKnown == true ? Applied() : try applyAlone(answer, of: query, in: database)
    }

    /// A whole second answer counts. Where there is none, the first does: it was whole.
    private static func applySecond(
        _ answer: SearchAnswer, of query: Int64, _ pass: PassID, in database: Database
    ) throws -> Applied {
        // A pass that could not be begun in the file asks again what one before it holds.
        guard let held = try HeldAnswer.of(query, in: database), held.pass.number <= pass.number else {
            if let stored = try RecordedCheck(of: answer, query: query, in: database) {
                return Applied(recorded: [stored])
            }
            guard try PassCount.hasEnded(pass, in: database) else {
                let applied = try applyAlone(answer, of: query, in: database)
                try count(answer, of: query, pass, checks: applied.recorded.count, in: database)
                return applied
            }
            guard case .list = answer.reply else { return Applied() }
            return try applyLate(answer, of: query, in: database)
        }
        if let check = held.check { return try Applied(recorded: known(check, of: answer.query, query, in: database)) }
        if held.pass.number < pass.number {
            try PassCount.begin(pass, in: database)
            return try applySecond(answer, of: query, pass, in: database)
        }
        try noteRequest(answer, in: database)
        guard case .list(let list) = answer.reply, let check = answer.check else {
            try count(answer, of: query, pass, checks: 0, in: database)
            return Applied(recorded: try settle(held, of: answer.query, clock: answer.clock, in: database))
        }
        let isBadDay = try PassTally(of: pass, in: database).isBadDay
        let isSupported = try PassTally(of: pass, country: answer.query.country, in: database)
            .supports(list.count, after: held.length)
        let recorded = try record(
            check, of: query, onBadDay: isBadDay, isSupported: !isBadDay && isSupported, clock: answer.clock,
            in: database)
        try held.settle(as: recorded.id, in: database)
        try count(answer, of: query, pass, checks: 1, in: database)
        return Applied(recorded: [recorded])
    }

    /// The first answer is what there is. One that is damaged is as if it had never come.
    private static func settle(
        _ held: HeldAnswer, of query: Query, clock: Timestamp?, in database: Database
    ) throws -> [RecordedCheck] {
        guard let list = try held.list(in: database) else {
            try held.forget(in: database)
            return []
        }
        let check = Check(query: query, at: held.at, outcome: .answered(list))
        let isBadDay = try PassTally(of: held.pass, in: database).isBadDay
        let recorded = try record(check, of: held.query, onBadDay: isBadDay, clock: clock, in: database)
        try held.settle(as: recorded.id, in: database)
        try UnfinishedRequests.add(0, checks: 1, to: held.pass, at: held.at, clock: clock, in: database)
        return [recorded]
    }

    private static func known(
        _ check: Int64, of question: Query, _ query: Int64, in database: Database
    ) throws -> [RecordedCheck] {
        try [RecordedCheck(check, of: question, query: query, in: database)].compactMap(\.self)
    }

    private static func noteRequest(_ answer: SearchAnswer, in database: Database) throws {
        if case .unasked = answer.reply { return }
        try LaneRow.note(requestAt: answer.at, of: Endpoint.name(of: answer.query.source), in: database)
    }

    /// Counts the requests of an answer of a pass that has not ended, less the checks that were recorded of it.
    private static func count(
        _ answer: SearchAnswer, of query: Int64, _ pass: PassID, checks: Int, in database: Database
    ) throws {
        switch answer.reply {
        case .unasked: return
        case .turnedAway:
            try UnfinishedRequests.add(
                answer.requests, turnedAway: query, to: pass, at: answer.at, clock: answer.clock, in: database)
        case .list, .failed:
            try UnfinishedRequests.add(
                answer.requests, checks: checks, to: pass, at: answer.at, clock: answer.clock, in: database)
        }
    }

    /// Records a check as what it is believed to be.
    private static func record(
        _ check: Check, of query: Int64, onBadDay: Bool = false, isSupported: Bool = false, clock: Timestamp?,
        in database: Database
    ) throws -> RecordedCheck {
        guard case .answered(let list) = check.outcome else {
            return try HistoryStore.keep(check, of: query, clock: clock, restartsBaseline: false, in: database)
        }
        let verdict = try Belief(about: query, at: check.at, in: database)
            .verdict(length: list.count, at: check.at, onBadDay: onBadDay, isSupported: isSupported)
        return try keep(check, of: query, verdict, onBadDay: onBadDay, clock: clock, in: database)
    }

    private static func keep(
        _ check: Check, of query: Int64, _ verdict: Belief.Verdict, onBadDay: Bool, clock: Timestamp?,
        in database: Database
    ) throws -> RecordedCheck {
        var check = check
        if let suspicion = verdict.suspicion, case .answered(let list) = check.outcome {
            check = Check(
                query: check.query, at: check.at, outcome: .suspect(list, onBadDay ? .badDay : suspicion))
        }
        return try HistoryStore.keep(
            check, of: query, clock: clock, restartsBaseline: verdict == .believed, in: database)
    }

    // MARK: Passes

    private static func apply(_ mark: PassMark, to database: Database) throws -> Applied {
        switch mark {
        case .began(let pass, let moment, let due):
            guard try !PassCount.hasEnded(pass, in: database) else { return Applied() }
            try PassCount.begin(pass, in: database)
            try UnfinishedRequests.begin(at: moment, in: database)
            if due > 1 { try PassProgress.begin(pass.source, at: moment, due: due, in: database) }
            return Applied()
        case .ended(let pass, let moment, var result):
            guard try !PassCount.hasEnded(pass, in: database) else {
                // Of a damaged file something may be left.
                try PassCount.end(pass, in: database)
                return Applied(pass: try result?.kept(of: pass.source, in: database))
            }
            var applied = Applied()
            for held in try HeldAnswer.unsettled(of: pass.source, through: pass.number, in: database) {
                let recorded = try settle(
                    held, of: QueryRow.query(held.query, in: database), clock: moment, in: database)
                if held.pass == pass { for check in recorded { result?.count(check) } }
                applied.recorded += recorded
            }
            result?.isBadDay = try PassTally(of: pass, in: database).isBadDay
            try result?.keep(of: pass.source, in: database)
            try UnfinishedRequests.end(pass, result, at: moment, in: database)
            try PassProgress.end(pass.source, in: database)
            try PassCount.end(pass, in: database)
            applied.pass = result
            return applied
        }
    }
}
