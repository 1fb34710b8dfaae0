import RankKit

/// A decision that is being made.
struct AlertDeciding {
    let situation: AlertDecision.Situation
    /// Whose days are judged, and which of them it is.
    let zone: ZoneDays
    let today: Int64
    /// What was decided, by the key of its subject.
    var known: [String: KnownEvents]
    var withdrawn: [String] = []
    /// What is told, and how.
    var lines: [AlertCandidate] = []
    /// Moves of a shuffled store: who is told of that instead.
    var storms: [Storm: AlertAdmission] = [:]
    var weather: [AlertEvent] = []
    let limits: AlertLimits
    /// Those that some rule goes by.
    let sensitivities: Set<Sensitivity>

    /// - Parameter known: what was decided before, by the key of its subject.
    init(known: [String: [ToldEvent]], _ situation: AlertDecision.Situation) {
        self.situation = situation
        zone = ZoneDays(situation.zone)
        today = zone.day(of: situation.now)
        self.known = known.mapValues { KnownEvents($0) }
        limits = AlertLimits(situation, known: known)
        sensitivities = situation.settings.sensitivities(usual: situation.usual)
    }

    // MARK: What is so

    mutating func take(_ event: AlertEvent) {
        if event.isBack { return takeBack(event) }
        if event.kind == .weather { weather.append(event) }
        let new = NewEvent(event, at: situation.now)
        if event.kind == .drift { noteLonger(new) }
        // What waited for longer than it lasted, or what no look saw while it was so, is no news any more.
        let hasLapsed = event.lapsedOn.map { $0 <= today } ?? false
        if let told = told(of: new), hasLapsed || !isUnheard(told) {
            // Over its limit yesterday.
            guard !hasLapsed, !told.waiting.isEmpty, !told.isOver, !isOld(told) else { return }
            var admission = limits.admission(of: event)
            admission.channels = admission.channels.filter { told.waiting.contains($0.key) }
            admission.waiting.formIntersection(told.waiting)
            admission.leaveOut(heard(of: told, admission))
            return admit(new, told, admission)
        }
        let heardOfTrouble = ServiceTurn(event) == nil ? [] : endTurns(before: event)
        guard isNews(event) else { return remember(new.told) }
        guard !hasLapsed else { return }
        var admission = limits.admission(of: event)
        if ServiceTurn(event)?.isTrouble == false {
            // Who was told of no trouble need not hear that it is over.
            admission.channels = admission.channels.filter { heardOfTrouble.contains($0.key) }
            admission.waiting.formIntersection(heardOfTrouble)
        }
        if event.storm != nil { return admit(new, new.told, admission) }
        admission.leaveOut(heard(of: new.told, admission))
        tell(new, new.told, admission)
    }

    /// Has the event told, or the storm of its day in its place.
    ///
    /// - Parameter told: what is known of the event.
    private mutating func admit(_ new: NewEvent, _ told: ToldEvent, _ admission: AlertAdmission) {
        guard let storm = new.event.storm else { return tell(new, told, admission) }
        storms[storm, default: AlertAdmission()].add(admission)
        // Over its limit it is what the storm is told by on another day.
        var told = told
        told.waiting = admission.waiting.sorted()
        remember(told)
    }

    func events(of subject: String) -> [ToldEvent] { known[subject]?.all ?? [] }

    /// The channels that were told of it, perhaps by another rule and as something else.
    ///
    /// - Parameter admission: what waits until the morning is told in place of what waits there already, if all who wait
    ///   may hear it at once.
    mutating func heard(of event: ToldEvent, _ admission: AlertAdmission) -> Set<String> {
        var heard: Set<String> = []
        let atOnce = Set(admission.channels.filter { $0.value.notBefore == nil }.keys)
        for told in events(of: event.subject) where told.tells(of: event) {
            if told.isOver {
                heard.formUnion(told.sentTo)
            } else if !told.isSent, !told.channels.isEmpty, atOnce.isSuperset(of: told.channels),
                !lines.contains(where: { $0.isOf(told) })
            {
                withdrawn.append(told.event)
                var replaced = told
                (replaced.messages, replaced.channels, replaced.rules) = ([], [], [])
                remember(replaced)
            } else {
                heard.formUnion(told.channels)
            }
        }
        return heard
    }

    func told(of new: NewEvent) -> ToldEvent? {
        let event = new.event
        let known = events(of: new.told.subject)
        let same = known.last { told in
            (told.isSame(as: new.told) || told.isWay(of: new.told)) && !told.isLeftBehind(by: new.told)
        }
        guard same == nil, event.kind == .drift else { return same }
        // A drift goes on where a move led that was told.
        return known.last { told in
            told.kind == .moved && told.way == event.way && told.sensitivity == event.sensitivity
                && event.onset - told.onset <= event.sameWithin + told.slack(new.told)
                && !told.isLeftBehind(by: new.told)
        }
    }

    /// An entry or exit that was over before anybody was sent it. If it is so after all, it is told.
    private func isUnheard(_ told: ToldEvent) -> Bool {
        (told.kind == .entered || told.kind == .left) && told.isOver && !told.isSent && !told.isBack
    }

    /// A drift that goes on is met for longer than other events, and waits for no longer.
    private func isOld(_ told: ToldEvent) -> Bool {
        told.kind == .drift && today - zone.day(of: told.at) > AlertEvents.reach
    }

    /// That a drift goes on is no news, and has to be known while it does.
    private mutating func noteLonger(_ new: NewEvent) {
        guard var told = events(of: new.told.subject).last(where: { isDrift($0, going: new.told) }),
            told.slidOn ?? told.onset < new.event.on
        else { return }
        told.slidOn = new.event.on
        remember(told)
    }

    /// Whether it is that drift, perhaps as a watchlist before had it judged.
    private func isDrift(_ told: ToldEvent, going new: ToldEvent) -> Bool {
        told.isSame(as: new) || !isWanted(told.sensitivity) && told.isSameThing(as: new)
    }

    func isWanted(_ sensitivity: Sensitivity?) -> Bool { sensitivity.map(sensitivities.contains) ?? true }

    private func isNews(_ event: AlertEvent) -> Bool {
        guard let start = situation.start else { return false }
        let first = max(start, event.watchedSince ?? start)
        return event.on >= first && (event.onset >= first || event.kind == .weather || event.kind == .appUnknown)
    }

    mutating func remember(_ told: ToldEvent) {
        known[told.subject, default: KnownEvents()].remember(told)
    }

    /// - Parameter told: what is known of the event.
    private mutating func tell(_ new: NewEvent, _ told: ToldEvent, _ admission: AlertAdmission) {
        let event = new.event
        // Remembered at once, so that nothing tells it twice within this decision.
        var told = told
        told.waiting = event.kind == .digest ? [] : admission.waiting.sorted()
        // It is looked for again on another day.
        if event.kind == .service { told.at = situation.now }
        remember(told)
        guard !admission.channels.isEmpty else { return }
        addLine(new, admission)
    }

    /// What happened once is one line, however many rules admit it.
    mutating func addLine(_ new: NewEvent, _ admission: AlertAdmission) {
        if let same = lines.firstIndex(where: { $0.tells(of: new) }) {
            lines[same].add(new, admission)
        } else {
            lines.append(AlertCandidate(new, admission))
        }
    }
}
