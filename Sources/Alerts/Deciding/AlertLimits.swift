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

    private let situation: AlertDecision.Situation
    private var rules: [Rule] = []
    /// When each rule told of a subject last.
    private var lastTold: [String: [String: Timestamp]] = [:]

    init(_ situation: AlertDecision.Situation, told: [ToldEvent]) {
        self.situation = situation
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = situation.zone
        let today = calendar.dateInterval(of: .day, for: situation.now.date).map { day in
            Timestamp(day.start)..<Timestamp(day.end)
        }
        var messages: [String: Set<String>] = [:]
        for event in told where !event.messages.isEmpty && !event.isWithdrawn {
            for rule in event.rules {
                if today?.contains(event.at) ?? false { messages[rule, default: []].formUnion(event.messages) }
                let last = lastTold[rule]?[event.subject]
                lastTold[rule, default: [:]][event.subject] = max(last ?? event.at, event.at)
            }
        }
        let settings = situation.settings
        for (index, rule) in settings.rules.enumerated() {
            let key = rule.key(at: index)
            let quiet = rule.severity == .high ? nil : rule.quietHours ?? settings.quietHours
            rules.append(
                Rule(
                    rule: rule, key: key, channels: rule.to.isEmpty ? settings.to : rule.to,
                    sensitivity: settings.sensitivity(of: rule, usual: situation.usual), severity: rule.severity,
                    notBefore: quiet?.end(after: situation.now, calendar),
                    isFull: rule.atMost.map { messages[key, default: []].count >= $0 } ?? false))
        }
    }

    func admission(of event: AlertEvent) -> AlertAdmission {
        var admission = AlertAdmission()
        guard !isMuted(event) else { return admission }
        for rule in rules where rule.rule.admits(event, sensitivity: rule.sensitivity) {
            // What a clock that was ahead told counts as long as it is not further off than that.
            let last = lastTold[rule.key]?[event.subject.key]
            if let last, abs(situation.now - last) < rule.rule.cooldown { continue }
            guard !rule.isFull else {
                admission.waiting.formUnion(rule.channels)
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

    /// On which what is over is told: those of the rules that told it.
    func terms(of told: ToldEvent) -> AlertAdmission.Terms {
        let those = rules.filter { told.rules.contains($0.key) }
        let isAtOnce = those.isEmpty || those.contains { $0.notBefore == nil }
        return .init(
            severity: those.map(\.severity).max() ?? .normal,
            notBefore: isAtOnce ? nil : those.compactMap(\.notBefore).min())
    }

    func isMuted(_ event: AlertEvent) -> Bool {
        situation.settings.mutes.contains { $0.mutes(event, at: situation.now, situation.zone) }
    }
}
