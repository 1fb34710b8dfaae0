import JSON5

extension WatchlistEditor {
    /// Sends nothing about something until a day: adds a mute, or gives the one that is of this alone another end.
    ///
    /// - Parameters:
    ///   - subject: an alias or a bundle identifier, `query:TEXT`, `country:us`, `tag:core`, or a kind of message such as
    ///     `weather`.
    ///   - day: `YYYY-MM-DD`, the first day on which messages are sent again; `nil` for ever.
    ///   - today: `YYYY-MM-DD` in the watchlist's zone.
    /// - Throws: `noAlerts`; `unknownSubject`; `ambiguousSubject`; `pastDay`; `alreadyMuted` if nothing would change;
    ///   `invalid` for a day that is none.
    package mutating func mute(_ subject: String, until day: String?, today: String) throws(Refusal) {
        let before = current
        guard let settings = before.watchlist.alerts, let section = before.root.member("alerts") else {
            throw .noAlerts
        }
        let target = try MuteSubject(subject, in: before.watchlist)
        if let day, WatchlistDecoder.isDay(day), day <= today { throw .pastDay(day) }
        var mute = target.mute
        mute.until = day
        var expected = before.watchlist
        let edited: [UInt8]
        if let index = settings.mutes.firstIndex(where: target.isMuted), let place = Self.mute(index, in: section) {
            guard settings.mutes[index].until != day else {
                throw .alreadyMuted(subject: subject, path: before.path(to: place))
            }
            edited = try Self.ending(place, on: day, of: before.root, in: bytes)
            expected.alerts?.mutes[index].until = day
        } else {
            var members = [(target.key, JSONString.quoted(target.value))]
            if let day { members.append(("until", JSONString.quoted(day))) }
            edited = try Self.appendingMute(Self.object(members), to: section, of: before.root, in: bytes)
            expected.alerts?.mutes.append(mute)
        }
        let after = try Self.checked(edited)
        guard after.watchlist == expected else { throw .inexact }
        accept(edited, after)
    }

    /// Whether a mute is of this alone.
    ///
    /// - Throws: `unknownSubject`; `ambiguousSubject`.
    package func isMuted(_ subject: String) throws(Refusal) -> Bool {
        let target = try MuteSubject(subject, in: current.watchlist)
        return current.watchlist.alerts?.mutes.contains(where: target.isMuted) ?? false
    }

    /// Sends messages about something again: takes out the mutes that are of this alone, ended ones too, and with the last
    /// of them the list that `mute` began.
    ///
    /// - Throws: `noAlerts`; `unknownSubject`; `ambiguousSubject`; `notMuted`.
    package mutating func unmute(_ subject: String) throws(Refusal) {
        let before = current
        guard let settings = before.watchlist.alerts else { throw .noAlerts }
        let target = try MuteSubject(subject, in: before.watchlist)
        guard settings.mutes.contains(where: target.isMuted) else { throw .notMuted(subject: subject) }
        var edited = bytes
        var reading = before
        while let index = reading.watchlist.alerts?.mutes.firstIndex(where: target.isMuted) {
            guard let list = reading.root.member("alerts")?.member("mutes"),
                let container = JSON5Layout.Container(list), container.items.indices.contains(index)
            else { throw .inexact }
            edited =
                try Self.unbegun(container, of: reading.root, in: edited)
                ?? JSON5Layout.applying(JSON5Layout(bytes: edited).removing(index, from: container), to: edited)
            reading = try Self.checked(edited)
        }
        var expected = before.watchlist
        expected.alerts?.mutes.removeAll(where: target.isMuted)
        guard reading.watchlist == expected else { throw .inexact }
        accept(edited, reading)
    }

    /// `bytes` without the mutes, if they hold one alone and are what `mute` makes of the rest with it: then nobody else
    /// wrote that list.
    private static func unbegun(
        _ mutes: JSON5Layout.Container, of root: JSON5Node, in bytes: [UInt8]
    ) throws(Refusal) -> [UInt8]? {
        let layout = JSON5Layout(bytes: bytes)
        guard mutes.items.count == 1, let section = root.member("alerts"),
            let members = JSON5Layout.Container(section),
            let index = members.items.firstIndex(where: { $0.upperBound == mutes.range.upperBound })
        else { return nil }
        let rest = JSON5Layout.applying(layout.removing(index, from: members), to: bytes)
        let root = try checked(rest).root
        guard let section = root.member("alerts") else { return nil }
        let text = String(decoding: layout.text(in: mutes.items[0]), as: UTF8.self)
        return try appendingMute(text, to: section, of: root, in: rest) == bytes ? rest : nil
    }

    private static func mute(_ index: Int, in section: JSON5Node) -> JSON5Node? {
        guard case .array(let elements) = section.member("mutes")?.value, elements.indices.contains(index) else {
            return nil
        }
        return elements[index]
    }

    /// `bytes` with another day, or none, in the mute at `place`.
    private static func ending(
        _ place: JSON5Node, on day: String?, of root: JSON5Node, in bytes: [UInt8]
    ) throws(Refusal) -> [UInt8] {
        let layout = JSON5Layout(bytes: bytes)
        guard case .object(let members) = place.value, let container = JSON5Layout.Container(place) else {
            throw .inexact
        }
        let index = members.firstIndex { $0.key == "until" }
        switch (index, day) {
        case (let index?, let day?):
            let splice = layout.replacing(members[index].value.range, by: JSONString.quoted(day))
            return JSON5Layout.applying([splice], to: bytes)
        case (let index?, nil): return JSON5Layout.applying(layout.removing(index, from: container), to: bytes)
        case (nil, let day?):
            return try appending(
                "\"until\": \(JSONString.quoted(day))", to: place, of: root, spreads: false, in: bytes)
        case (nil, nil): throw .inexact
        }
    }

    /// `bytes` with `text` at the end of the mutes, which are begun where there are none.
    private static func appendingMute(
        _ text: String, to section: JSON5Node, of root: JSON5Node, in bytes: [UInt8]
    ) throws(Refusal) -> [UInt8] {
        let layout = JSON5Layout(bytes: bytes)
        if let mutes = section.member("mutes") {
            return try appending(text, to: mutes, of: root, spreads: layout.hasLines, in: bytes)
        }
        var list = "[\(text)]"
        // Lines of their own, where the other keys of alerts have them.
        if let first = JSON5Layout.Container(section)?.items.first?.lowerBound, layout.isFirstOnLine(first) {
            let indent = layout.indent(at: first)
            list = ["[", indent + unit(root, layout) + text, indent + "]"].joined(separator: layout.lineBreak)
        }
        return try appending("\"mutes\": \(list)", to: section, of: root, spreads: false, in: bytes)
    }
}
