package import History
package import RankKit

/// What became of an entry, and of those that waited before it.
package struct Recorded: Sendable {
    /// What became true, in order.
    package var events: [TrackingEvent] = []
    /// Questions that are to be asked again in the pass.
    package var askAgain: [Query] = []
    /// How the pass went that ended.
    package var pass: PassResult?
}

extension Recorder {
    /// What waited for less, and was all written, is not noted.
    private static var longWait: Duration { .seconds(600) }

    /// Records an entry, or keeps it until it can be. Those that wait come first.
    ///
    /// - Throws: `HistoryError` if waiting would mend nothing.
    func record(_ entry: Entry) async throws -> Recorded {
        await turn()
        defer { endTurn() }
        let ending: PassID? = if case .pass(.ended(let pass, _, _)) = entry { pass } else { nil }
        var recorded = try await landInTurn(in: entry.source, ending: ending)
        recorded.askAgain += entry.source.flatMap { againElsewhere.removeValue(forKey: $0) } ?? []
        if trouble == nil {
            do {
                let applied = try await apply(entry)
                recorded.events += applied.recorded.map(event)
                recorded.events += await told()
                recorded.askAgain += applied.askAgain
                recorded.pass = applied.pass
                for check in applied.recorded { note(check.query, good: check.failure == nil, at: check.at) }
                return recorded
            } catch let error as HistoryError where error.mayPass {
                begin(error)
            }
        }
        if let trouble { try await wait(with: entry, because: trouble, &recorded) }
        return recorded
    }

    /// Keeps an entry in memory. Whether a list of it is to be asked for again is decided by the checks that are recorded,
    /// where they can be read: when it lands, the pass may be over.
    private func wait(with entry: Entry, because trouble: HistoryError, _ recorded: inout Recorded) async throws {
        if !entry.saysNoMoreThanTheEnd { waiting.add(entry) }
        guard case .answer(let answer) = entry, let check = answer.check else { return }
        if waitsSince == nil { waitsSince = (check.at, clock.now) }
        if !entry.saysNoMoreThanTheEnd { note(check.query, good: check.outcome.isGood, at: check.at) }
        if toldToWait.insert(check.query).inserted { recorded.events.append(.waits(check, because: trouble)) }
        guard case .first = answer.asking, case .list(let list) = answer.reply else { return }
        do {
            if try await history.isDoubtful(listOf: list.count, to: answer.query, at: answer.at) {
                recorded.askAgain.append(answer.query)
            }
        } catch let error as HistoryError where error.mayPass {
            // What cannot be read either is judged when it lands.
        }
    }

    /// Tries to record all that waits, unless that was tried a moment ago in vain.
    ///
    /// - Parameter isLastChance: tries in any case.
    /// - Returns: what became true, in order.
    package func land(isLastChance: Bool = false) async throws -> [TrackingEvent] {
        await turn()
        defer { endTurn() }
        return try await landInTurn(isLastChance: isLastChance).events
    }

    /// - Parameters:
    ///   - source: the one whose pass is told of what lands; `nil` if none is.
    ///   - ending: a pass whose end is to be recorded next, and counts itself what lands now.
    private func landInTurn(
        isLastChance: Bool = false, in source: Source? = nil, ending: PassID? = nil
    ) async throws -> Recorded {
        var recorded = Recorded()
        guard let trouble, isLastChance || isTime(after: trouble) else { return recorded }
        do {
            while let next = waiting.first {
                let applied = try await apply(next)
                waiting.removeFirst()
                land(applied, of: next, in: source, ending: ending, &recorded)
            }
            if let waited { try await history.note(waited) }
            try await writeOthers()
        } catch let error as HistoryError where error.mayPass {
            begin(error)
            recorded.events += await told()
            return recorded
        }
        recorded.events.append(.settled(landed, dropped: waiting.dropped))
        self.trouble = nil
        waiting = WaitingEntries()
        (landed, waitsSince) = (0, nil)
        recorded.events += await told()
        return recorded
    }

    /// Takes up what became of an entry that waited.
    private func land(
        _ applied: Applied, of entry: Entry, in source: Source?, ending: PassID?, _ recorded: inout Recorded
    ) {
        recorded.events += applied.recorded.map { .landed($0) }
        landed += applied.recorded.count
        let settled = Set(applied.recorded.map(\.query))
        toldToWait.subtract(settled)
        recorded.askAgain.removeAll { settled.contains($0) }
        switch entry {
        case .answer(let answer):
            guard let pass = answer.asking.pass else { return }
            let isOver = waiting.hasEnd(of: pass) || pass == ending
            if isOver || pass.source != source {
                for check in applied.recorded { late[pass, default: [:]][check.query] = check }
                if !isOver, pass == current[pass.source] {
                    againElsewhere[pass.source, default: []] += applied.askAgain
                }
            } else if pass == current[pass.source] {
                // What an earlier pass asked its own end settles.
                recorded.askAgain += applied.askAgain
            }
            toldToWait.formUnion(applied.askAgain)
        case .pass(.ended(let id, _, _)):
            if let pass = applied.pass, pass.isBadDay { recorded.events.append(.wasBadDay(pass, of: id.source)) }
        case .plan, .pass, .lookup, .pruned: break
        }
    }

    /// Applies an entry. A pass that ends settles first, one by one, what it holds: all of it at once may be more than a
    /// disk has room for.
    private func apply(_ entry: Entry) async throws -> Applied {
        guard case .pass(.ended(let pass, let moment, var result)) = entry else {
            return try await history.apply(entry)
        }
        // The end may have to be tried again, and what was settled is settled then.
        for held in try await history.heldAnswers(through: pass) {
            let answer = SearchAnswer(
                to: held.query, at: moment ?? held.at, clock: moment, asking: .second(pass), reply: .unasked)
            for check in try await history.apply(.answer(answer)).recorded {
                untold.append(check)
                if held.pass == pass { late[pass, default: [:]][check.query] = check }
            }
        }
        if let late = late[pass] { for check in late.values { result?.count(check) } }
        var applied = try await history.apply(.pass(.ended(pass, at: moment, result)))
        applied.recorded = untold + applied.recorded
        (late[pass], untold) = (nil, [])
        return applied
    }

    /// One that was told to wait was counted then.
    private func event(_ check: RecordedCheck) -> TrackingEvent {
        toldToWait.remove(check.query) == nil ? .recorded(check) : .landed(check)
    }

    /// What the history is to keep of the wait that ends now; `nil` if it is not worth that.
    private var waited: WaitedResults? {
        guard let waitsSince else { return nil }
        let wait = waitsSince.instant.duration(to: clock.now)
        guard wait >= Self.longWait || waiting.dropped > 0 else { return nil }
        return WaitedResults(
            from: waitsSince.moment, until: waitsSince.moment + Int64(wait / .seconds(1)), written: landed,
            lost: waiting.dropped)
    }

    func begin(_ error: HistoryError) {
        trouble = error
        lastTry = clock.now
    }

    private func isTime(after trouble: HistoryError) -> Bool {
        guard case .busy = trouble, let lastTry else { return true }
        return lastTry.advanced(by: Self.retryInterval) <= clock.now
    }
}

extension Entry {
    /// The source that the entry is about; `nil` for what is about none or several.
    fileprivate var source: Source? {
        switch self {
        case .answer(let answer): answer.query.source
        case .pass(.began(let pass, _, _)), .pass(.ended(let pass, _, _)): pass.source
        case .plan, .lookup, .pruned: nil
        }
    }
}

extension SearchAnswer.Asking {
    /// The pass it was in; `nil` if it was in none.
    var pass: PassID? {
        switch self {
        case .alone: nil
        case .first(let pass), .second(let pass): pass
        }
    }
}

extension Entry {
    /// Whether it says that asking again brought nothing: the first answer is what there is, as it is at the end of the
    /// pass.
    fileprivate var saysNoMoreThanTheEnd: Bool {
        guard case .answer(let answer) = self else { return false }
        switch (answer.asking, answer.reply) {
        case (_, .unasked), (.second, .failed): return true
        default: return false
        }
    }
}
