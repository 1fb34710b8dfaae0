internal import ArgumentParser
import Console
import Foundation
import History
import RankKit

/// Reads times as people name them, by the watchlist's time zone, else the machine's.
struct TimeReading {
    let now: Timestamp
    let zone: TimeZone
    private let reader: HistoryReader
    /// Aliases or bundle identifiers, whose releases are meant; all of mine where there are none.
    private let apps: [String]

    init(_ reader: HistoryReader, _ surroundings: Surroundings, apps: [String] = []) throws {
        now = surroundings.now
        zone = try reader.timeZone().flatMap { TimeZone(identifier: $0) } ?? .current
        self.reader = reader
        self.apps = apps.map { $0.lowercased() }
    }

    /// What names the newest version's first day.
    private static let release = "release"

    /// - Parameter moment: what `7d` is counted back from, and what the newest release came before; now where it is
    ///   `nil` or later.
    /// - Throws: a usage error where `text` names no time.
    func time(_ text: String, for option: String, before moment: Timestamp? = nil) throws -> NamedTime {
        let moment = min(moment ?? now, now)
        if text.lowercased() == Self.release { return NamedTime(moment: try newestRelease(by: moment)) }
        guard let time = NamedTime(text, now: now, agoFrom: moment, zone: zone) else {
            throw Self.mistake(text, for: option)
        }
        return time
    }

    /// The end of what `--until` names, and not after now; now where it names nothing.
    func moment(_ until: String?) throws -> Timestamp {
        try until.map { min(try time($0, for: "--until").last, now) } ?? now
    }

    /// The beginning of what `--since` names.
    func beginning(_ since: String?, before moment: Timestamp) throws -> Timestamp? {
        guard let first = try since.map({ try time($0, for: "--since", before: moment).first }) else { return nil }
        guard first <= moment else {
            throw ValidationError(moment == now ? "--since is in the future" : "--since is after --until: swap them")
        }
        return first
    }

    /// When the newest version of these apps came out, of those up to `moment`.
    ///
    /// - Throws: `ExitStatus.usage`, after saying so, where none is known.
    private func newestRelease(by moment: Timestamp) throws -> Timestamp {
        let meant = try reader.watchedApps().filter { app in
            apps.isEmpty
                ? app.isMine
                : apps.contains(app.bundleID.folded) || app.alias.map { apps.contains($0.lowercased()) } == true
        }
        let releases = try reader.releases().filter { release in
            release.at <= moment && meant.contains { $0.bundleID == release.bundleID }
        }
        guard let newest = releases.map(\.at).max() else {
            throw refusal(
                "no release of \(apps.isEmpty ? "your apps" : SafeText.escaped(apps.joined(separator: ", "))) is known "
                    + "yet: write one down with “rankctl note add”, or give a date")
        }
        return newest
    }

    /// Throws where `text` names no time in any zone: before a history is opened for it.
    static func validate(_ text: String?, for option: String) throws {
        guard let text, text.lowercased() != Self.release,
            NamedTime(text, now: Timestamp(secondsSinceEpoch: 0), zone: .gmt) == nil
        else { return }
        throw mistake(text, for: option)
    }

    private static func mistake(_ text: String, for option: String) -> ValidationError {
        ValidationError(
            "\(option) is “\(SafeText.escaped(text))”: write a time such as 2026-11-01, “2026-11-01 08:30”, 7d, 12h, "
                + "yesterday or release")
    }

    /// From the beginning of `since` to the end of `until`.
    func span(since: String?, until: String?) throws -> ClosedRange<Timestamp> {
        let to = try until.map { try time($0, for: "--until").last }
        let from = try since.map { try time($0, for: "--since", before: to).first }
        let always = ClosedRange<Timestamp>.always
        let (first, last) = (from ?? always.lowerBound, to ?? always.upperBound)
        guard first <= last else { throw ValidationError("--since is after --until: swap them") }
        return first...last
    }
}
