import RankKit

/// An event that is being decided upon, as it is remembered if nobody knew of it: so its keys are made once.
struct NewEvent {
    var event: AlertEvent
    var told: ToldEvent

    init(_ event: AlertEvent, at moment: Timestamp) {
        self.event = event
        told = ToldEvent(event, at: moment)
    }

    /// `AlertEvent.line`.
    var line: String { told.event }
}

/// An event with the terms on which it is told. A class, since each is asked about and added to time and again, and is
/// large.
final class AlertCandidate {
    private(set) var new: NewEvent
    private(set) var admission: AlertAdmission
    /// Of the other events that the same line tells.
    private(set) var others: [NewEvent] = []

    init(_ new: NewEvent, _ admission: AlertAdmission) {
        self.new = new
        self.admission = admission
    }

    var event: AlertEvent { new.event }

    /// Whether its line tells of what is remembered so, perhaps by another day of its beginning.
    func isOf(_ told: ToldEvent) -> Bool { ([new] + others).contains { $0.told.isSame(as: told) } }

    /// Drops an event that is over.
    ///
    /// - Returns: whether its line tells of anything else.
    func drop(_ told: ToldEvent) -> Bool {
        others.removeAll { $0.told.isSame(as: told) }
        guard new.told.isSame(as: told) else { return true }
        guard let next = others.indices.min(by: { others[$0].event.precedence < others[$1].event.precedence })
        else { return false }
        new = others.remove(at: next)
        return true
    }

    /// Whether its line tells of the other as well: of one event that is judged more and less keenly, of a pair's move
    /// that is several things, or of a newcomer of several rules.
    func tells(of other: NewEvent) -> Bool {
        guard event.topic.key == other.event.topic.key else { return false }
        if new.told.isSameThing(as: other.told) { return true }
        if event.kind == .newcomer, new.told.tells(of: other.told) { return true }
        guard event.isOfPair, !event.isBack, other.event.isOfPair, !other.event.isBack,
            new.told.knownWayIsUp == other.told.knownWayIsUp,
            abs(event.onset - other.event.onset)
                <= max(event.sameWithin, other.event.sameWithin) + new.told.slack(other.told)
        else { return false }
        // One that began where the other ended is another one. A drift is dated by the day that found it.
        return event.kind == .drift || other.event.kind == .drift
            || new.told.isSameMove(as: other.told) && other.told.isSameMove(as: new.told)
    }

    func add(_ admission: AlertAdmission) { self.admission.add(admission) }

    /// Takes in another event that its line tells of. The line tells the more telling one.
    func add(_ other: NewEvent, _ admission: AlertAdmission) {
        self.admission.add(admission)
        guard other.event.precedence < event.precedence else { return others.append(other) }
        others.append(new)
        others.removeAll { $0.event == other.event }
        new = other
    }
}

extension AlertCandidate: Comparable {
    static func == (left: AlertCandidate, right: AlertCandidate) -> Bool { left.event == right.event }

    /// Mine before competitors, the biggest first.
    static func < (left: AlertCandidate, right: AlertCandidate) -> Bool {
        let (a, b) = (left.event, right.event)
        if a.isMine != b.isMine { return a.isMine }
        if a.size != b.size { return a.size > b.size }
        return left.new.line < right.new.line
    }
}

extension AlertEvent {
    /// Which event a line tells.
    package var line: String { "\(key)\t\(onset)" }

    var isOfPair: Bool {
        guard case .pair = subject else { return false }
        return AlertWants.moves.contains(kind)
    }

    /// The storm that is told in its place; `nil` if it is told itself.
    var storm: Storm? { isOfStorm && kind != .drift && AlertWants.moves.contains(kind) ? Storm(self) : nil }

    var isOfRivals: Bool { if case .rivals = subject { true } else { false } }

    /// Of what happened to one pair the most telling comes first.
    var precedence: Int {
        switch kind {
        case .entered, .left, .newcomer: top ?? 0
        case .moved: 1_000
        default: 2_000
        }
    }
}
