internal import ArgumentParser
import Foundation
import History
package import RankKit

/// Reads times as people name them, in the days of a report's zone.
package struct TimeReading {
    private let context: ReportContext
    /// Aliases or bundle identifiers, whose releases are meant; all of mine where there are none.
    private let apps: [String]

    package init(_ context: ReportContext, apps: [String] = []) {
        self.context = context
        self.apps = apps.map { $0.lowercased() }
    }

    /// What names the newest version's first day.
    private static let release = "release"

    /// - Parameter moment: what `7d` is counted back from, and what the newest release came before; now where it is
    ///   `nil` or later.
    /// - Throws: `ReportRefusal` if `text` names no time.
    package func time(_ text: String, for option: String, before moment: Timestamp? = nil) throws -> NamedTime {
        let moment = min(moment ?? context.now, context.now)
        if text.lowercased() == Self.release { return NamedTime(moment: try newestRelease(by: moment)) }
        guard let time = NamedTime(text, now: context.now, agoFrom: moment, zone: context.zone) else {
            throw Self.mistake(text, for: option)
        }
        return time
    }

    /// The beginning of what `text` names.
    ///
    /// - Throws: `ReportRefusal` if that is no time, or one to come.
    package func beginning(_ text: String, for option: String) throws -> Timestamp {
        let moment = try time(text, for: option).first
        guard moment <= context.now else {
            throw ReportRefusal.option(
                "\(option) is “\(SafeText.escaped(text))”, which is in the future: name a time in the past")
        }
        return moment
    }

    /// The end of what `--until` or `--at` names, and not after now; now where neither is given.
    ///
    /// - Throws: `ReportRefusal` if that is no time, or in the future: the report would show now under another time.
    func moment(_ end: EndOption) throws -> Timestamp {
        guard let text = end.text else { return context.now }
        return min(try past(text, for: end.name).last, context.now)
    }

    /// The moment that a report is of which `parameters` ask for: what `until` or `at` names; now where neither is given.
    ///
    /// - Throws: `ReportRefusal` as the report does.
    package static func moment(of parameters: [RequestParameter], in context: ReportContext) throws -> Timestamp {
        func values(_ name: String) -> [String] { parameters.filter { $0.name == name }.map(\.value) }
        var end = EndOption()
        (end.until, end.at) = (values("until").last, values("at").last)
        return try TimeReading(context, apps: values("app")).moment(end)
    }

    /// A clock that is ahead of this one by so many seconds at most means now.
    private static let slack: Int64 = 60

    /// - Throws: `ReportRefusal` if `text` names no time, or one that has not begun.
    private func past(_ text: String, for option: String) throws -> NamedTime {
        let time = try time(text, for: option)
        guard time.first <= context.now + Self.slack else {
            throw ReportRefusal.option(
                "\(option) is in the future: the latest that it takes is now, \(CivilTime.minuteInZone(context.now))")
        }
        return time
    }

    /// That nothing can have happened since.
    private var isFuture: ReportRefusal {
        .option("--since is in the future: name a time before now, \(CivilTime.minuteInZone(context.now))")
    }

    /// The beginning of what `--since` names.
    func beginning(_ since: String?, before moment: Timestamp) throws -> Timestamp? {
        guard let first = try since.map({ try time($0, for: "--since", before: moment).first }) else { return nil }
        guard first <= moment else {
            throw moment == context.now
                ? isFuture : ReportRefusal.option("--since is after --until: swap them")
        }
        return first
    }

    /// From the beginning of `since` to the end of what `end` names.
    func span(since: String?, until end: EndOption) throws -> ClosedRange<Timestamp> {
        let to = try end.text.map { try past($0, for: end.name).last }
        let from = try since.map { try time($0, for: "--since", before: to).first }
        let always = ClosedRange<Timestamp>.always
        let (first, last) = (from ?? always.lowerBound, to ?? always.upperBound)
        if to == nil, first > context.now { throw isFuture }
        guard first <= last else { throw ReportRefusal.option("--since is after --until: swap them") }
        return first...last
    }

    /// When the newest version of these apps came out, of those up to `moment`.
    ///
    /// - Throws: `ReportRefusal` if none is known.
    private func newestRelease(by moment: Timestamp) throws -> Timestamp {
        let named = try context.reader.resolving(PairFilter(apps: apps)).apps.map { $0.lowercased() }
        let meant = try context.reader.watchedApps().filter { app in
            named.isEmpty
                ? app.isMine
                : named.contains(app.bundleID.folded) || app.alias.map { named.contains($0.lowercased()) } == true
        }
        let releases = try context.reader.releases(machineZone: context.zone).filter { release in
            release.at <= moment && meant.contains { $0.bundleID == release.bundleID }
        }
        guard let newest = releases.map(\.at).max() else { throw ReportRefusal.noRelease(apps: apps) }
        return newest
    }

    /// Throws where `text` names no time in any zone: before a history is opened for it.
    package static func validate(_ text: String?, for option: String) throws {
        guard let text, text.lowercased() != Self.release,
            NamedTime(text, now: Timestamp(secondsSinceEpoch: 0), zone: .gmt) == nil
        else { return }
        throw ValidationError(mistake(text, for: option).description)
    }

    private static func mistake(_ text: String, for option: String) -> ReportRefusal {
        .option(
            "\(option) is “\(SafeText.escaped(text))”: write a time such as 2026-11-01, “2026-11-01 08:30”, 7d, 12h, "
                + "yesterday or release")
    }
}
