package import RankKit

/// An event that was decided upon: whether it was told, and to whom. It is kept so that no event is decided twice.
package struct ToldEvent: Sendable, Hashable {
    /// `AlertEvent.key`; with `onset` it is the identity.
    package var key: String
    package var onset: Int64
    /// Whose days `onset` and `overOn` are (`ZoneDays.kept`): those of the watchlist's zone when it was decided.
    package var zone: String?
    /// `AlertEvent.thing`, by which the same event of another sensitivity is known.
    package var thing: String
    /// The key of `AlertEvent.subject`.
    package var subject: String
    package var kind: AlertKind
    package var sameWithin: Int64
    package var way: MoveDirection?
    package var sensitivity: Sensitivity?
    /// Of a pair's usual places; `nil` for out of the list, or for what has none.
    package var from: Int?
    package var to: Int?
    /// When it was decided.
    package var at: Timestamp
    /// The ids of the messages that tell of it; none for what is only noted.
    package var messages: [String]
    /// The names of the channels that they go to.
    package var channels: [String]
    /// Channels that are to hear of it in their next day's first message.
    package var waiting: [String]
    /// `AlertRule.key` of the rules by which it is told.
    package var rules: [String]
    /// The channels of the messages that tell of it and were given to a way out. Who delivers messages says so.
    package var sentTo: Set<String>
    /// Whether it turned back since: that was told, or it was withdrawn.
    package var isOver: Bool
    /// The day on which that was seen: what begins later is another event. `nil` if it is not known.
    package var overOn: Int64?
    /// When the check was made that showed it; `nil` if that is not known, as in what earlier versions kept.
    package var overAt: Timestamp?
    /// Of a drift the newest day on which it was seen to go on; `nil` for other events.
    package var slidOn: Int64?

    /// Days after which nobody asks for it any more.
    package static let keptDays: Int64 = 120

    package init(
        key: String, onset: Int64, zone: String? = nil, thing: String, subject: String, kind: AlertKind,
        sameWithin: Int64 = 0,
        way: MoveDirection? = nil, sensitivity: Sensitivity? = nil, from: Int? = nil, to: Int? = nil,
        at: Timestamp, messages: [String] = [], channels: [String] = [], waiting: [String] = [],
        rules: [String] = [], sentTo: Set<String> = [], isOver: Bool = false, overOn: Int64? = nil,
        overAt: Timestamp? = nil,
        slidOn: Int64? = nil
    ) {
        self.key = key
        self.onset = onset
        self.zone = zone
        self.thing = thing
        self.subject = subject
        self.kind = kind
        self.sameWithin = sameWithin
        self.way = way
        self.sensitivity = sensitivity
        self.from = from
        self.to = to
        self.at = at
        self.messages = messages
        self.channels = channels
        self.waiting = waiting
        self.rules = rules
        self.sentTo = sentTo
        self.isOver = isOver
        self.overOn = overOn
        self.overAt = overAt
        self.slidOn = slidOn
    }
}

extension ToldEvent {
    /// Of an event that is only noted.
    init(_ event: AlertEvent, at moment: Timestamp) {
        let places = event.facts.places
        let thing = event.thing
        self.init(
            key: event.key(of: thing), onset: event.onset, zone: event.zone, thing: thing, subject: event.topic.key,
            kind: event.kind,
            sameWithin: event.sameWithin, way: event.way, sensitivity: event.sensitivity, from: places.from,
            to: places.to, at: moment, overOn: event.isBack ? ZoneDays(kept: event.zone).day(of: event.at) : nil,
            overAt: event.isBack ? event.at : nil,
            slidOn: event.kind == .drift ? event.on : nil)
    }

    /// Whether the other is the same event, perhaps told better.
    func isSame(as other: ToldEvent) -> Bool {
        isOnset(of: other, within: max(sameWithin, other.sameWithin)) && covers(other) && key == other.key
    }

    /// Whether both may have begun together.
    ///
    /// How a store was is told of each day. By the days of another zone, a storm that was told is that of the day which its
    /// noon lies in; that of the day before or after may be another one, which nobody has heard of.
    private func isOnset(of other: ToldEvent, within days: Int64) -> Bool {
        guard kind == .weather, zone != other.zone else { return abs(onset - other.onset) <= days + slack(other) }
        let told = ZoneDays(kept: zone)
        let (start, end) = (told.start(of: onset), told.start(of: onset + 1))
        return ZoneDays(kept: other.zone).day(of: start + (end - start) / 2) == other.onset
    }

    /// Whether the other did not begin after this one was over.
    private func covers(_ other: ToldEvent) -> Bool {
        guard let overOn else { return true }
        guard zone != other.zone else { return other.onset <= overOn }
        // Nothing turns back within a day of its beginning, so what begins on the last day is something else.
        return other.onset <= (overAt.map(ZoneDays(kept: other.zone).day) ?? overOn - slack(other))
    }

    /// How many days the onsets of one event may lie further apart: see `ZoneDays.slack`.
    func slack(_ other: ToldEvent) -> Int64 { ZoneDays.slack(zone, other.zone) }

    /// Whether a message that tells of it was given to a way out.
    package var isSent: Bool { !sentTo.isEmpty }

    /// The same for equal events, as a line of a message has it.
    package var event: String { "\(key)\t\(onset)" }

    /// Whether it was over before anybody was sent it: then it is as if nothing had been told.
    var isWithdrawn: Bool { isOver && !isSent && !messages.isEmpty }

    /// Whether it tells itself that another one is over.
    package var isBack: Bool { kind.canTurnBack && thing.hasSuffix("\t" + AlertEvent.back) }

    /// The same, if it is only listed: nobody is sent it, so no limit counts it, and whoever it would go to may have been
    /// sent it before.
    var listed: ToldEvent {
        var told = self
        told.rules = []
        told.sentTo = Set(channels)
        return told
    }
}

extension ToldEvent {
    /// Whether both are decisions on one event.
    func hasIdentity(of other: ToldEvent) -> Bool { onset == other.onset && key == other.key }

    /// In order of the decisions; of one moment in that of the events.
    static func isEarlier(_ left: ToldEvent, _ right: ToldEvent) -> Bool {
        if left.at != right.at { return left.at < right.at }
        if left.key != right.key { return left.key < right.key }
        return left.onset < right.onset
    }

    /// Whether the other is the same event, however keenly it was judged.
    func isSameThing(as other: ToldEvent) -> Bool {
        isOnset(of: other, within: other.sameWithin) && covers(other) && thing == other.thing
    }
}

extension [ToldEvent] {
    /// Whether the event is among them, perhaps as it was told before it could be told better.
    func have(_ event: AlertEvent) -> Bool {
        guard !isEmpty else { return false }
        let noted = ToldEvent(event, at: event.at)
        return contains { $0.isSame(as: noted) }
    }

    /// Puts it at the end, in place of what was known of it.
    mutating func replace(_ told: ToldEvent) {
        removeAll { $0.hasIdentity(of: told) }
        append(told)
    }
}

extension AlertEvent.Facts {
    /// Where it was and is; `nil` for out of the list, or for what has no places.
    var places: (from: Int?, to: Int?) {
        switch self {
        case .move(let from, let to, _): (from.number, to.number)
        case .entry(let from, let at): (from?.number, at.number)
        case .exit(let from, let to): (from.number, to?.number)
        case .order(let mine, _): (nil, mine?.number)
        case .back(let to): (nil, to?.number)
        case .change, .bundleID, .text: (nil, nil)
        }
    }
}
