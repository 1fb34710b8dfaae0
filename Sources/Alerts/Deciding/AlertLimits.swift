import Foundation
import RankKit

/// What the rules let through at a moment, beside what they told before.
struct AlertLimits {
    private struct Rule {
        var rule: AlertRule
        var key: String
        var channels: [String]
        var sensitivity: Sensitivity
        var severity: AlertSeverity
        /// When its quiet hours are over.
        var notBefore: Timestamp?
        /// Whether it has told enough for today.
        var isFull: Bool
    }

    private var rules: [Rule] = []
    /// When each rule with a cooldown told of a subject last.
    private var lastTold: [String: [String: Timestamp]] = [:]
    private let now: Timestamp
    /// When the quiet hours are over that hold where a rule has none of its own.
    private let notBefore: Timestamp?
    /// The names of those that the watchlist has.
    private let channels: Set<String>
    /// Those that hold now.
    private let mutes: [AlertMute]

    /// - Parameter known: what was decided before by the key of its subject.
    init(_ situation: AlertDecision.Situation, known: [String: [ToldEvent]]) {
        let (settings, now, zone) = (situation.settings, situation.now, situation.zone)
        self.now = now
        notBefore = settings.quietHours?.end(after: now, .gregorian(in: zone))
        // A preview of the usual rules has no channels but those that these name.
        channels = Set(settings.channels.map(\.name) + settings.to + settings.rules.flatMap(\.to))
        mutes = settings.mutes.filter { $0.holds(at: now, zone) }
        let keys = settings.rules.indices.map { settings.rules[$0].key(at: $0) }
        let messages = Self.messages(of: settings, keys, known, now, zone)
        lastTold = Self.lastTold(of: settings, keys, known)
        for (rule, key) in zip(settings.rules, keys) {
            let quiet = rule.severity == .high ? nil : rule.quietHours ?? settings.quietHours
            rules.append(
                Rule(
                    rule: rule, key: key, channels: rule.to.isEmpty ? settings.to : rule.to,
                    sensitivity: settings.sensitivity(of: rule, usual: situation.usual), severity: rule.severity,
                    notBefore: quiet?.end(after: now, .gregorian(in: zone)),
                    isFull: rule.atMost.map { messages[key, default: 0] >= $0 } ?? false))
        }
    }

    /// How many messages a channel got today at most, by the key of each rule that may tell only so many.
    ///
    /// What goes to several channels may have several ids, and what two looks of one night came to has one: no channel got
    /// more than there were of either.
    private static func messages(
        of settings: AlertSettings, _ keys: [String], _ known: [String: [ToldEvent]], _ now: Timestamp, _ zone: TimeZone
    ) -> [String: Int] {
        let limited = Set(zip(settings.rules, keys).filter { $0.0.atMost != nil }.map(\.1))
        let days = ZoneDays(zone)
        guard !limited.isEmpty, let today = days.seconds(of: days.day(of: now)) else { return [:] }
        var messages: [String: Set<String>] = [:]
        var looks: [String: Set<Timestamp>] = [:]
        for events in known.values {
            for event in events where today.contains(event.at) && !event.isWithdrawn {
                for rule in event.rules where limited.contains(rule) {
                    messages[rule, default: []].formUnion(event.messages)
                    if !event.messages.isEmpty { looks[rule, default: []].insert(event.at) }
                }
            }
        }
        return messages.reduce(into: [:]) { $0[$1.key] = min($1.value.count, looks[$1.key, default: []].count) }
    }

    private static func lastTold(
        of settings: AlertSettings, _ keys: [String], _ known: [String: [ToldEvent]]
    ) -> [String: [String: Timestamp]] {
        let cooling = Set(zip(settings.rules, keys).filter { $0.0.cooldown > 0 }.map(\.1))
        guard !cooling.isEmpty else { return [:] }
        var lastTold: [String: [String: Timestamp]] = [:]
        for (subject, events) in known {
            for event in events where !event.messages.isEmpty && !event.isWithdrawn {
                for rule in event.rules where cooling.contains(rule) {
                    let last = lastTold[rule]?[subject]
                    lastTold[rule, default: [:]][subject] = max(last ?? event.at, event.at)
                }
            }
        }
        return lastTold
    }

    func admission(of event: AlertEvent) -> AlertAdmission {
        var admission = AlertAdmission()
        let isMuted = isMuted(event)
        // How the service is lasts: once nothing holds it back any more it is told, if it is still so.
        let lasts = event.kind == .service
        guard !isMuted || lasts else { return admission }
        for rule in rules where rule.rule.admits(event, sensitivity: rule.sensitivity) {
            let isHeldBack = isMuted || isCooling(rule, event)
            guard !isHeldBack, !rule.isFull else {
                if !isHeldBack || lasts { admission.waiting.formUnion(rule.channels) }
                continue
            }
            admission.rules.insert(rule.key)
            for channel in rule.channels {
                admission.add(channel, .init(severity: rule.severity, notBefore: rule.notBefore))
            }
        }
        admission.waiting.subtract(admission.channels.keys)
        return admission
    }

    private func isCooling(_ rule: Rule, _ event: AlertEvent) -> Bool {
        // Who heard of trouble is to hear that it is over.
        if let turn = ServiceTurn(event), !turn.isTrouble { return false }
        // What a clock that was ahead told counts as long as it is not further off than that.
        return lastTold[rule.key]?[event.topic.key].map { abs(now - $0) < rule.rule.cooldown } ?? false
    }

    /// How those are told that it is over who were sent it: on the terms of the rules that told them.
    func ending(of told: ToldEvent) -> AlertAdmission {
        var admission = AlertAdmission()
        admission.rules = Set(told.rules)
        for channel in told.sentTo.intersection(channels) {
            let those = rules.filter { told.rules.contains($0.key) && $0.channels.contains(channel) }
            for rule in those { admission.add(channel, .init(severity: rule.severity, notBefore: rule.notBefore)) }
            // A rule that has another name by now.
            if those.isEmpty { admission.add(channel, .init(severity: .normal, notBefore: notBefore)) }
        }
        return admission
    }

    func isMuted(_ event: AlertEvent) -> Bool { mutes.contains { $0.isAbout(event) } }
}

extension Calendar {
    static func gregorian(in zone: TimeZone) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return calendar
    }
}
