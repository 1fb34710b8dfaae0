import Crypto
import Foundation
package import RankKit
import Reports

extension AlertMessage {
    /// A digest that a person asked for, as one that is sent at its time looks.
    ///
    /// - Parameters:
    ///   - lines: what it says (`DigestReport.brief`).
    ///   - until: the moment that it is of.
    ///   - days: the watchlist's.
    package static func digest(
        _ lines: [String], until: Timestamp, to channel: String, at now: Timestamp, _ days: ZoneDays
    ) -> AlertMessage {
        let day = days.day(of: until)
        let event = AlertEvent(
            kind: .digest, subject: .digest, onset: day, variant: "asked \(now.secondsSinceEpoch)", at: now, on: day,
            zone: days.kept, facts: .text(lines.joined(separator: "\n")))
        return AlertWords.message(of: [event], to: [channel], severity: .normal, at: now)
    }
}

/// What messages say, in plain English.
enum AlertWords {
    /// - Parameters:
    ///   - events: mine before competitors, the biggest first.
    ///   - channels: sorted; two messages about the same are told apart by them.
    static func message(
        of events: [AlertEvent], to channels: [String], severity: AlertSeverity, at moment: Timestamp
    ) -> AlertMessage {
        let shown = events.prefix(AlertDecision.mostLines)
        let names = events.map(\.line)
        return AlertMessage(
            id: id(of: names, to: channels), at: moment, severity: severity, title: title(of: events),
            lines: shown.flatMap { lines(of: $0) }, omitted: events.count - shown.count, events: names)
    }

    /// 43 characters of `[A-Za-z0-9_-]`: the same for the same events and channels.
    static func id(of events: [String], to channels: [String]) -> String {
        let text = (channels + [""] + events.sorted()).joined(separator: "\n")
        return Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    // MARK: The title

    static func title(of events: [AlertEvent]) -> String {
        guard let first = events.first else { return "" }
        let rest = events.count - 1
        return headline(of: first) + (rest > 0 ? ", and \(Figures.grouped(Int64(rest))) more" : "")
    }

    private static func headline(of event: AlertEvent) -> String {
        let what = phrase(of: event)
        let app = event.names.app.map(shortened) ?? "an app"
        switch event.subject {
        case .pair(let query, _), .rivals(let query, _, _):
            return "\(app): \(what) for “\(shortened(query.text))” (\(query.side))"
        case .app(_, let country): return "\(app): \(what)" + (country.map { " (\($0.code))" } ?? "")
        case .digest: return "Digest of \(CivilTime.date(.startOfDay(event.day)))"
        case .country, .service:
            let words = sentence(of: event)
            return words.hasPrefix("the ") ? "The " + words.dropFirst(4) : words
        }
    }

    /// A name that leaves room in a title for what happened.
    private static func shortened(_ name: String) -> String {
        name.count <= longestName ? name : name.prefix(longestName - 1) + "…"
    }

    private static let longestName = 60

    // MARK: The lines

    /// One line, or those of a digest.
    private static func lines(of event: AlertEvent) -> [AlertMessage.Line] {
        guard event.kind == .digest, case .text(let text) = event.facts else { return [line(of: event)] }
        return text.split(separator: "\n").map { part in
            AlertMessage.Line(kind: .digest, event: event.line, text: String(part))
        }
    }

    static func line(of event: AlertEvent) -> AlertMessage.Line {
        var line = AlertMessage.Line(
            kind: event.kind, event: event.line, text: sentence(of: event), app: event.names.app,
            places: event.places, isMine: event.isMine, size: event.size)
        switch event.subject {
        case .pair(let query, let app), .rivals(let query, let app, _):
            (line.query, line.bundleID, line.country, line.platform) = (query.text, app, query.country, query.platform)
            line.language = query.language
        case .app(let app, let country): (line.bundleID, line.country) = (app, country)
        case .country(let country): line.country = country
        case .service, .digest: break
        }
        (line.from, line.to) = event.facts.places
        line.since = CivilTime.date(.startOfDay(event.day))
        return line
    }

    /// What happened, with its day. Of what the store says it has the name of a competitor, or an app's new name, alone.
    static func sentence(of event: AlertEvent) -> String {
        let day = CivilTime.date(.startOfDay(event.day))
        switch event.kind {
        case .weather: return weather(event, on: day)
        case .moved, .newcomer: return phrase(of: event, " since \(day)") + context(of: event)
        case .drift: return phrase(of: event, " over a month") + context(of: event)
        default: return phrase(of: event, " on \(day)") + context(of: event)
        }
    }

    private static func context(of event: AlertEvent) -> String { event.context.map { "; \($0)" } ?? "" }

    private static func weather(_ event: AlertEvent, on day: String) -> String {
        guard case .country(let country) = event.subject, case .text(let text) = event.facts else { return "" }
        let store = "the \(country.code.uppercased()) store"
        // What explains the day comes behind it.
        let parts = text.split(separator: ":", maxSplits: 1)
        return "\(store) \(parts.first ?? "") on \(day)" + (parts.count > 1 ? ":\(parts[1])" : "")
    }

    /// - Parameter day: when it happened, with a space before it; empty where that is not said.
    private static func phrase(of event: AlertEvent, _ day: String = "") -> String {
        switch event.facts {
        case .move(let from, let to, let places):
            let (way, name) = to < from ? ("▲", "rise") : ("▼", "slide")
            return (event.kind == .drift ? "slow \(name) " : "") + "\(from) → \(to) \(way)\(places)\(day)"
        case .entry(let from, let at):
            if event.kind == .newcomer { return "new in \(scope(of: event)) at \(at)\(day)" }
            return "entered \(scope(of: event))\(day), " + (from.map { "\($0) → " } ?? "at ") + "\(at)"
        case .exit(let from, let to):
            return "left \(scope(of: event))\(day), " + (to.map { "\(from) → \($0)" } ?? "was at \(from)")
        case .order(let mine, let other):
            let name = competitor(of: event)
            let verb = event.kind == .overtaken ? "overtaken by" : "overtook"
            return "\(verb) \(name) (\(words(other)))\(day), now \(words(mine))"
        case .back(let to): return back(event, to)
        case .change(let from, let to): return change(event, from, to) + (event.kind == .release ? "" : day)
        case .bundleID(let from, let to): return "bundle ID \(from) → \(to)\(day)"
        case .text(leftTheStore): return "no longer in the store"
        case .text(let text): return event.kind == .appUnknown ? "not in the store, check its bundle ID" : text
        }
    }

    /// The facts of an app that lists had shown, and that no look-up finds any more.
    static let leftTheStore = "the store no longer has the app: it is in no list there, and look-ups find nothing"

    private static func words(_ place: Position?) -> String { place?.description ?? "out of the list" }

    private static func scope(of event: AlertEvent) -> String {
        event.top.map { $0 == 1 ? "first place" : "the first \($0)" } ?? "the list"
    }

    private static func back(_ event: AlertEvent, _ to: Position?) -> String {
        guard event.isOfRivals else { return to.map { "back at \($0)" } ?? "out of the list again" }
        let side = event.kind == .overtaken ? "ahead of" : "behind"
        return "\(side) \(competitor(of: event)) again, now \(words(to))"
    }

    /// The competitor of rivals, with its bundle identifier if its name is cut.
    private static func competitor(of event: AlertEvent) -> String {
        guard let name = event.names.other else { return "a competitor" }
        guard name.count > longestName, case .rivals(_, _, let app) = event.subject else { return shortened(name) }
        return "\(shortened(name)) (\(app.text))"
    }

    private static func change(_ event: AlertEvent, _ from: String?, _ to: String) -> String {
        switch event.kind {
        case .release: return "new version \(to)"
        case .price: return (from.map { "price \($0) → " } ?? "price now ") + to + places(of: event)
        default:
            return (from.map { "renamed from “\($0)” to " } ?? "now called ") + "“\(to)”" + places(of: event)
        }
    }

    /// The countries in which a listing changed.
    private static func places(of event: AlertEvent) -> String {
        let codes = event.scope.countries.map(\.code).sorted()
        guard codes.count > mostCountries else { return codes.isEmpty ? "" : " in \(codes.joined(separator: ", "))" }
        return " in \(codes.count) countries"
    }

    private static let mostCountries = 5
}
