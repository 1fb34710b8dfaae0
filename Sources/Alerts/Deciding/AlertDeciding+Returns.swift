import RankKit

/// What is no longer so.
extension AlertDeciding {
    /// Ends the turns of the service before this one: what waits of them is told no more.
    ///
    /// - Returns: the channels that heard of trouble last.
    mutating func endTurns(before event: AlertEvent) -> Set<String> {
        var heard: [String: ServiceTurn] = [:]
        for told in events(of: event.topic.key) where told.kind == .service {
            if let turn = ServiceTurn(told) {
                for channel in told.sentTo where (heard[channel]?.number ?? 0) < turn.number { heard[channel] = turn }
            }
            guard !told.isOver else { continue }
            var over = told
            (over.isOver, over.waiting) = (true, [])
            if !told.sentTo.isSuperset(of: told.channels) { withdrawn.append(told.event) }
            remember(over)
        }
        return Set(heard.filter { $0.value.isTrouble }.keys)
    }

    mutating func takeBack(_ back: AlertEvent) {
        // What a watchlist before had judged otherwise turns back as what is judged now does.
        let matching = events(of: back.topic.key).filter { told in
            told.isEnded(by: back) && (told.sensitivity == back.sensitivity || !isWanted(told.sensitivity))
                // What another zone's days told may look as if it had been over before.
                && (told.zone == zone.kept || told.at < back.at)
        }
        guard !matching.isEmpty else { return }
        var admission = AlertAdmission()
        for told in matching {
            var over = told
            over.isOver = true
            over.overAt = back.at
            over.overOn = told.zone == zone.kept ? back.on : ZoneDays(kept: told.zone).day(of: back.at)
            over.waiting = []
            if told.isSent { admission.add(limits.ending(of: told)) }
            // Who was not sent it is not told.
            if !told.sentTo.isSuperset(of: told.channels) { withdrawn.append(told.event) }
            // Nobody was sent what is only decided now, perhaps by another day of its beginning.
            lines = lines.filter { $0.drop(told) }
            remember(over)
        }
        for told in matching { handOn(told) }
        noteReturn(back, of: matching)
        let new = NewEvent(back, at: situation.now)
        admission.leaveOut(heard(of: new.told, admission))
        if !limits.isMuted(back), !admission.channels.isEmpty { addLine(new, admission) }
    }

    /// What another event's line told and is so still is told, in that one's place, to whoever was not sent that.
    private mutating func handOn(_ told: ToldEvent) {
        let unsent = Set(told.channels).subtracting(told.sentTo)
        guard !unsent.isEmpty else { return }
        for var other in events(of: told.subject) where told.tells(of: other) && !other.isOver && !other.isBack {
            let those: Set<String>
            if other.messages.isEmpty {
                those = unsent
            } else {
                guard !Set(other.messages).isDisjoint(with: told.messages) else { continue }
                those = unsent.intersection(other.channels).subtracting(other.sentTo)
                // Either may be the one whose line it is.
                if !those.isEmpty { withdrawn.append(other.event) }
                other.channels.removeAll(where: those.contains)
                if other.channels.isEmpty { (other.messages, other.rules) = ([], []) }
            }
            guard !those.isEmpty else { continue }
            other.waiting = Set(other.waiting).union(those).sorted()
            remember(other)
        }
    }

    /// The way back may look like a move of its own by the next readings: that is the same story. One that goes on from
    /// there is another.
    private mutating func noteReturn(_ back: AlertEvent, of told: [ToldEvent]) {
        guard case .pair = back.subject, let from = told.compactMap(\.from).first ?? told.first?.to else { return }
        let isUp = told.contains { $0.knownWayIsUp }
        var opposite = back
        (opposite.kind, opposite.variant, opposite.top) = (.moved, "", nil)
        opposite.way = isUp ? .down : .up
        (opposite.onset, opposite.zone) = (back.on, zone.kept)
        var noted = ToldEvent(opposite, at: situation.now)
        (noted.from, noted.to, noted.isOver, noted.overOn, noted.overAt) = (nil, from, true, nil, nil)
        remember(noted)
    }
}
