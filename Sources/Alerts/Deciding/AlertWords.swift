import Crypto
import Foundation
import RankKit
import Reports

/// What messages say, in plain English.
enum AlertWords {
    /// - Parameters:
    ///   - events: mine before competitors, the biggest first.
    ///   - channels: sorted; two messages about the same are told apart by them.
    static func message(
        of events: [AlertEvent], to channels: [String], severity: AlertSeverity, at moment: Timestamp
    ) -> AlertMessage {
        let shown = events.prefix(AlertDecision.mostLines)
        return AlertMessage(
            id: id(of: events.map(\.line), to: channels), at: moment, severity: severity, title: title(of: events),
            lines: shown.flatMap { lines(of: $0) }, omitted: events.count - shown.count, events: events.map(\.line))
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
        switch event.subject {
        case .pair(let query, _), .rivals(let query, _, _):
            return "\(event.names.app ?? "an app"): \(what) for “\(query.text)” (\(place(of: query)))"
        case .app(_, let country):
            let place = country.map { " (\($0.code))" } ?? ""
            return "\(event.names.app ?? "an app"): \(what)\(place)"
        case .digest: return "Digest of \(CivilTime.date(.startOfDay(event.onset)))"
        case .country, .service: return sentence(of: event)
        }
    }

    /// `us, iPhone`.
    private static func place(of query: Query) -> String {
        [query.country.code, query.platform.displayName, query.language].compactMap(\.self).joined(separator: ", ")
    }

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
            places: event.names.places, isMine: event.isMine)
        switch event.subject {
        case .pair(let query, let app), .rivals(let query, let app, _):
            (line.query, line.bundleID, line.country, line.platform) = (query.text, app, query.country, query.platform)
        case .app(let app, let country): (line.bundleID, line.country) = (app, country)
        case .country(let country): line.country = country
        case .service, .digest: break
        }
        (line.from, line.to) = event.facts.places
        line.since = CivilTime.date(.startOfDay(event.onset))
        return line
    }

    /// What happened, with its day, without what the store says of names.
    static func sentence(of event: AlertEvent) -> String {
        let day = CivilTime.date(.startOfDay(event.onset))
        switch (event.kind, event.facts) {
        case (_, .back): return phrase(of: event)
        case (.weather, .text(let text)):
            guard case .country(let country) = event.subject else { return text }
            return "the \(country.code.uppercased()) store \(text) on \(day)"
        case (.drift, _): return "\(phrase(of: event)) over a month"
        case (.moved, _), (.entered, _), (.left, _), (.overtaken, _), (.overtook, _), (.newcomer, _):
            return "\(phrase(of: event)) since \(day)"
        default: return phrase(of: event)
        }
    }

    /// The same without its day.
    private static func phrase(of event: AlertEvent) -> String {
        let scope = event.top.map { "the first \($0)" } ?? "the list"
        switch event.facts {
        case .move(let from, let to, let places):
            let way = to < from ? "▲" : "▼"
            return "\(from) → \(to) \(way)\(places)" + (event.kind == .drift ? ", by drift" : "")
        case .entry(let from, let at):
            if event.kind == .newcomer { return "new in \(scope) at \(at)" }
            return "entered \(scope) at \(at)" + (from.map { ", from \($0)" } ?? "")
        case .exit(let from, let to):
            return "left \(scope), from \(from)" + (to.map { " to \($0)" } ?? "")
        case .order(let mine, let other):
            let places = "\(mine?.description ?? "out of the list") to \(other?.description ?? "out of the list")"
            let name = event.names.other ?? "a competitor"
            return event.kind == .overtaken ? "overtaken by \(name), \(places)" : "overtook \(name), \(places)"
        case .back(let to):
            return to.map { "back at \($0)" } ?? "back out of the list"
        case .change(let from, let to):
            switch event.kind {
            case .release: return "version \(to)"
            case .price: return "price \(from ?? "unknown") → \(to)"
            default: return (from.map { "“\($0)” became " } ?? "now called ") + "“\(to)”"
            }
        case .text(let text): return text
        }
    }
}
