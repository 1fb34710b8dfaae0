import Foundation
import JSON5

/// How much `alerts` may hold: each rule is held against each event.
package enum AlertLimits {
    package static let channels = 50
    package static let rules = 200
    package static let mutes = 1_000
    package static let secrets = 4
    package static let recipients = 50
    /// Of the name of a rule, in bytes.
    package static let longestName = 100
    /// Result lists have no more.
    package static let places = 1...200
    package static let messagesPerDay = 1...1_000
    /// Seconds: a minute to a year.
    package static let cooldown: ClosedRange<Int64> = 60...31_449_600
    /// Seconds that a command may take.
    package static let timeout: ClosedRange<Int64> = 1...300
    package static let defaultTimeout = 30
    /// Of all arguments of a command together, in bytes.
    package static let longestCommand = 4_096
}

extension WatchlistDecoder {
    private static let alertsExample =
        "{ \"channels\": { \"team\": { \"slack\": \"secret:slack-url\" } }, \"to\": [\"team\"] }"

    mutating func alerts(_ place: JSON5Node) -> AlertSettings? {
        guard let fields = fields(place, of: .alerts, remedy: "write \(Self.alertsExample)") else { return nil }
        var settings = AlertSettings()
        let declared = channels(in: fields, into: &settings)
        if let place = fields["to"] { settings.to = channelNames(place, among: declared) }
        if let place = fields["rules"] {
            let rules = self.rules(place, among: declared, hasCommon: fields["to"] != nil)
            settings = AlertSettings(channels: settings.channels, to: settings.to, rules: rules)
        } else if fields["to"] == nil {
            refuse(place, "no “to”: nothing says where messages go", "add \"to\": [\(Self.quotedExample(declared))]")
        }
        if let place = fields["mutes"] { settings.mutes = mutes(place) }
        if let place = fields["sensitivity"] { settings.sensitivity = sensitivity(place) }
        if let place = fields["quietHours"] { settings.quietHours = quietHours(place) }
        warnOfIdleChannels(fields["channels"], settings)
        return settings
    }

    /// The names that channels are given, sound or not; `nil` if there is no telling.
    private mutating func channels(in fields: Fields, into settings: inout AlertSettings) -> [String]? {
        let example = "\"channels\": { \"team\": { \"slack\": \"secret:slack-url\" } }"
        guard let place = fields["channels"] else {
            refuse(fields.place, "no channels: messages have nowhere to go", "add \(example)")
            return nil
        }
        guard case .object(let members) = place.value else {
            refuseKind(place, wanted: "an object", "write \(example)")
            return nil
        }
        guard !members.isEmpty else {
            refuse(place, "no channel: messages have nowhere to go", "write \(example)")
            return nil
        }
        settings.channels = channels(members)
        return members.map(\.key)
    }

    /// Where messages go: one name or a list of them.
    ///
    /// - Parameter declared: `nil` if any name may be right.
    mutating func channelNames(_ place: JSON5Node, among declared: [String]?) -> [String] {
        var names: [String] = []
        for place in oneOrMore(place, example: declared?.first ?? "team") {
            guard let name = text(place, example: declared?.first ?? "team") else { continue }
            if let declared, !declared.contains(name) {
                refuse(
                    place, "no channel is called “\(TextRule.shown(name))”",
                    nearest(to: name, in: declared).map { "did you mean “\($0)”?" }
                        ?? "the channels are \(Self.listed(declared))")
            } else if !names.contains(name) {
                names.append(name)
            }
        }
        return names
    }

    private mutating func warnOfIdleChannels(_ place: JSON5Node?, _ settings: AlertSettings) {
        guard case .object(let members) = place?.value else { return }
        let used = Set(settings.rules.flatMap { $0.to.isEmpty ? settings.to : $0.to })
        for member in members where !used.contains(member.key) {
            warn(at: member.keyRange.lowerBound, "nothing goes to this channel", "name it in a “to”, or remove it")
        }
    }

    /// Reads `22:00-07:00`.
    mutating func quietHours(_ place: JSON5Node) -> QuietHours? {
        guard let text = text(place, example: "22:00-07:00") else { return nil }
        let times = text.split(separator: "-", omittingEmptySubsequences: false).map {
            TimeOfDay(Self.trimmed(String($0), of: .whitespaces))
        }
        guard times.count == 2, let from = times[0], let to = times[1] else {
            refuse(
                place, "“\(TextRule.shown(text))” is not a span of hours",
                "write HH:MM-HH:MM, such as \"22:00-07:00\"")
            return nil
        }
        guard from != to else {
            refuse(
                place, "the hours begin and end at the same time",
                "write another end, or remove the key to have no quiet hours")
            return nil
        }
        return QuietHours(from: from.minuteOfDay, to: to.minuteOfDay)
    }

    // MARK: Values of any of these objects

    /// The elements of a list that names at least one thing, or the one thing that stands for such a list.
    mutating func oneOrMore(_ place: JSON5Node, example: String) -> [JSON5Node] {
        guard case .array = place.value else { return [place] }
        return nonEmpty(place, example: JSONString.quoted(example)) ?? []
    }

    /// One of a few words.
    mutating func word<Word: RawRepresentable & CaseIterable>(
        _ place: JSON5Node, example: Word, called noun: String
    ) -> Word? where Word.RawValue == String {
        guard let name = text(place, example: example.rawValue) else { return nil }
        if let word = Word(rawValue: name) { return word }
        let names = Word.allCases.map(\.rawValue)
        refuse(
            place, "unknown \(noun) “\(TextRule.shown(name))”",
            nearest(to: name, in: names).map { "did you mean “\($0)”?" }
                ?? "write one of \(names.joined(separator: ", "))")
        return nil
    }

    /// At most `most` elements of a list; the rest is refused.
    mutating func bounded(_ elements: [JSON5Node], by most: Int, called noun: String) -> ArraySlice<JSON5Node> {
        if elements.count > most {
            refuse(elements[most], "more than \(most) \(noun)", "keep \(most) of them at most")
        }
        return elements.prefix(most)
    }

    /// Names for a remedy: the first few.
    static func listed(_ names: some Collection<String>) -> String {
        names.prefix(20).map { TextRule.shown($0) }.joined(separator: ", ") + (names.count > 20 ? ", …" : "")
    }

    /// A name of a channel for a remedy.
    static func quotedExample(_ declared: [String]?) -> String {
        JSONString.quoted(declared?.first { AlertChannel.isName($0) } ?? "team")
    }
}
