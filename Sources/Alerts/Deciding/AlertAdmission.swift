import Foundation
import RankKit

/// Which rules want to tell of an event, and where.
struct AlertAdmission: Sendable, Hashable {
    /// By channel.
    var channels: [String: Terms] = [:]
    /// Channels to which only rules go that have told enough for today.
    var waiting: Set<String> = []
    /// `AlertRule.key` of the rules that admit it.
    var rules: Set<String> = []

    struct Terms: Sendable, Hashable {
        var severity: AlertSeverity
        /// `nil` for at once.
        var notBefore: Timestamp?
    }

    mutating func add(_ channel: String, _ terms: Terms) {
        guard let known = channels[channel] else {
            channels[channel] = terms
            return
        }
        let notBefore = known.notBefore.flatMap { one in terms.notBefore.map { min(one, $0) } }
        channels[channel] = Terms(severity: max(known.severity, terms.severity), notBefore: notBefore)
    }

    /// Takes in what another event of the same line is admitted by.
    mutating func add(_ other: AlertAdmission) {
        for (channel, terms) in other.channels { add(channel, terms) }
        rules.formUnion(other.rules)
        waiting = waiting.union(other.waiting).subtracting(channels.keys)
    }

    /// - Parameter heard: channels that need not hear of it again.
    mutating func leaveOut(_ heard: Set<String>) {
        for channel in heard { channels[channel] = nil }
        waiting.subtract(heard)
    }
}

extension AlertRule {
    /// By which it is known from one decision to the next: its name or, without one, its place and what it is about.
    func key(at index: Int) -> String {
        name ?? "\(index + 1) " + when.map(\.rawValue).joined(separator: "+")
    }

    /// Whether it is about such an event, whenever and wherever that is told.
    ///
    /// - Parameter sensitivity: the rule's own, or what stands for it.
    func admits(_ event: AlertEvent, sensitivity: Sensitivity) -> Bool {
        guard when.contains(event.kind), event.sensitivity.map({ $0 == sensitivity }) ?? true else { return false }
        if event.kind == .digest, !times.isMeant(by: event.variant) { return false }
        return isAboutWhose(event) && isAboutScope(event.scope) && isAboutSize(event)
    }

    private func isAboutWhose(_ event: AlertEvent) -> Bool {
        switch event.kind {
        case .weather, .newcomer, .service, .digest: true
        default: whose == .all || (whose == .mine) == event.isMine
        }
    }

    private func isAboutScope(_ scope: AlertScope) -> Bool {
        (apps.isEmpty || apps.contains { scope.apps.contains($0.lowercased()) })
            && (queries.isEmpty || queries.contains { scope.queries.contains(Query.fold($0)) })
            && (countries.isEmpty || !scope.countries.isDisjoint(with: countries))
            && (platforms.isEmpty || !scope.platforms.isDisjoint(with: platforms))
            && (tags.isEmpty || !scope.tags.isDisjoint(with: tags))
    }

    private func isAboutSize(_ event: AlertEvent) -> Bool {
        switch event.kind {
        case .moved, .drift:
            guard case .move(_, _, let moved) = event.facts else { return true }
            return moved >= places && (way == nil || way?.rawValue == event.way?.rawValue)
        case .entered, .left: return top == event.top
        case .newcomer: return newcomerTop == event.top
        default: return true
        }
    }
}

extension AlertMute {
    func holds(at moment: Timestamp, _ zone: TimeZone) -> Bool {
        guard let until else { return true }
        return NamedTime(until, now: moment, zone: zone).map { moment < $0.first } ?? false
    }

    func isAbout(_ event: AlertEvent) -> Bool {
        let isOnQuery =
            switch event.subject {
            case .pair, .rivals: true
            case .app, .country, .service, .digest: false
            }
        let scope = event.scope
        if let kind, kind != event.kind { return false }
        if let app, event.kind == .weather || !scope.apps.contains(app.lowercased()) { return false }
        if let query, !isOnQuery || !scope.queries.contains(Query.fold(query)) { return false }
        if let tag, !isOnQuery || !scope.tags.contains(tag) { return false }
        if let country, scope.countries != [country] { return false }
        return true
    }
}

extension QuietHours {
    /// When they are over, if `moment` lies in them.
    func end(after moment: Timestamp, _ calendar: Calendar) -> Timestamp? {
        let parts = calendar.dateComponents([.hour, .minute], from: moment.date)
        guard let hour = parts.hour, let minute = parts.minute, contains(minute: hour * 60 + minute) else { return nil }
        let end = calendar.nextDate(
            after: moment.date, matching: DateComponents(hour: to / 60, minute: to % 60, second: 0),
            matchingPolicy: .nextTime)
        return end.map { Timestamp($0) }
    }
}
