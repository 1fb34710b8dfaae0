import History
import RankKit

/// Passes: their numbers, their beginnings, and what those have left that were cut off.
extension Recorder {
    /// A pass that has begun.
    struct Begun: Sendable {
        var pass: PassID
        /// Questions whose first answers a pass that was cut off has left: this one asks them again.
        var askAgain: [Query] = []
        /// What became true, in order.
        var events: [TrackingEvent] = []
    }

    /// For so long, in seconds, what a pass holds that was cut off is to be asked again: as long as one pass may take.
    static var longestCutOff: Int64 { 3_600 }

    /// Begins a pass over `due` queries of a source. For those who look on it is noted if there are several; if that
    /// cannot be, nobody sees it.
    func begin(passOf source: Source, at moment: Timestamp, due: [Query]) async throws -> Begun {
        let isLeft = cutOff.contains { $0.source == source }
        let events = isLeft ? try await settleCutOff(of: source, now: moment) : []
        await turn()
        defer { endTurn() }
        let pass = PassID(of: source, number: try await nextPass(of: source, at: moment))
        current[source] = pass
        againElsewhere[source] = nil
        toldToWait = toldToWait.filter { $0.source != source }
        let begun = Begun(pass: pass, askAgain: due.filter(cutOff.contains), events: events)
        cutOff.subtract(due)
        guard trouble == nil, due.count > 1 || !begun.askAgain.isEmpty else { return begun }
        do {
            _ = try await history.apply(.pass(.began(pass, at: moment, due: due.count)))
        } catch let error as HistoryError where error.mayPass {
            // The pass asks all the same, and the next recording tells what is wrong.
        }
        return begun
    }

    /// The number of a pass that begins at `moment`. Passes whose ends wait have theirs, too. Where the history cannot
    /// be asked, the seconds since 1970 are larger than any.
    private func nextPass(of source: Source, at moment: Timestamp) async throws -> Int64 {
        var next = (passes[source] ?? 0) + 1
        do {
            next = max(next, try await history.nextPass(of: source))
        } catch let error as HistoryError where error.mayPass {
            next = max(next, moment.secondsSinceEpoch)
        }
        passes[source] = next
        return next
    }

    /// Settles what passes of a source that were cut off have left. A question that is still watched and whose slot is
    /// still open is left to the next pass, which asks it again and judges by the answers of both.
    ///
    /// - Returns: what became true.
    func settleCutOff(of source: Source, now: Timestamp) async throws -> [TrackingEvent] {
        // What waits says itself how its passes went on.
        guard trouble == nil else { return [] }
        cutOff = cutOff.filter { $0.source != source }
        let cadences = Dictionary(
            try await history.scheduledQueries().map { ($0.query, $0.cadences) }, uniquingKeysWith: { one, _ in one })
        var (slots, events): (SlotTable, [TrackingEvent]) = (SlotTable(now: now), [])
        if let last = try await history.openPasses().last(where: { $0.source == source }) {
            var isOver = true
            for held in try await history.heldAnswers(through: last) {
                let isOpen = cadences[held.query].map { slots.slot(of: $0).contains(held.at) } ?? false
                if isOpen, (0...Self.longestCutOff).contains(now - held.at) {
                    cutOff.insert(held.query)
                    isOver = false
                    continue
                }
                let answer = SearchAnswer(
                    to: held.query, at: now, clock: now, asking: .second(last), reply: .unasked)
                events += try await record(.answer(answer)).events
            }
            if isOver { events += try await record(.pass(.ended(last, at: now, nil))).events }
        }
        // They were asked in an earlier pass, and are counted in none that is yet to end.
        return events.map { if case .recorded(let check) = $0 { .landed(check) } else { $0 } }
    }
}
