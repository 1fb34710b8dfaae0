import Foundation
import RankKit

/// A message as the history keeps it until it is sent: JSON, of version 1.
extension AlertMessage {
    private struct Stored: Codable {
        var version = 1
        var id: String
        var at: Int64
        var severity: String
        var title: String
        var lines: [StoredLine]
        var omitted: Int
        var events: [String]
        var remark: String?
    }

    private struct StoredLine: Codable {
        var kind: String
        var event: String
        var text: String
        var app: String?
        var bundleId: String?
        var query: String?
        var country: String?
        var platform: String?
        /// Missing in what an earlier version kept.
        var language: String?
        var from: Int?
        var to: Int?
        var since: String?
        /// 0 for an absence, `nil` where nothing is known.
        var places: [Int?]
        var mine: Bool
        /// `nil` for 0.
        var size: Double?
    }

    /// What `init(stored:)` reads.
    package var stored: String {
        let lines = lines.map { line in
            StoredLine(
                kind: line.kind.rawValue, event: line.event, text: line.text, app: line.app,
                bundleId: line.bundleID?.text,
                query: line.query, country: line.country?.code, platform: line.platform?.rawValue,
                language: line.language, from: line.from, to: line.to, since: line.since,
                places: line.places.map(\.stored),
                mine: line.isMine,
                size: line.size == 0 ? nil : line.size)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let stored = Stored(
            id: id, at: at.secondsSinceEpoch, severity: severity.rawValue, title: title, lines: lines,
            omitted: omitted, events: events, remark: remark)
        // Numbers here are finite and texts are Unicode, so there is nothing that JSON cannot hold.
        return (try? encoder.encode(stored)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    /// - Returns: `nil` for what is no message of a version that this program knows.
    package init?(stored text: String) {
        guard let stored = try? JSONDecoder().decode(Stored.self, from: Data(text.utf8)), stored.version == 1,
            let severity = AlertSeverity(rawValue: stored.severity)
        else { return nil }
        var lines: [Line] = []
        for line in stored.lines {
            guard let kind = AlertKind(rawValue: line.kind) else { return nil }
            lines.append(
                Line(
                    kind: kind, event: line.event, text: line.text, app: line.app,
                    bundleID: line.bundleId.flatMap { BundleID($0) },
                    query: line.query, country: line.country.flatMap { Country(code: $0) },
                    platform: line.platform.flatMap { Platform(rawValue: $0) }, language: line.language,
                    from: line.from, to: line.to,
                    since: line.since, places: line.places.map(DayPlace.init(stored:)), isMine: line.mine,
                    size: line.size ?? 0))
        }
        self.init(
            id: stored.id, at: Timestamp(secondsSinceEpoch: stored.at), severity: severity, title: stored.title,
            lines: lines, omitted: stored.omitted, events: stored.events, remark: stored.remark)
    }
}

extension AlertMessage.DayPlace {
    fileprivate var stored: Int? { self == .absent ? 0 : number }

    fileprivate init(stored: Int?) { self = stored.map { $0 < 1 ? .absent : .place($0) } ?? .unknown }
}
