import Alerts
internal import ArgumentParser
import Console
import Foundation
import History
import RankKit
import ReportCommands
import Reports

struct AlertsTest: AsyncParsableCommand, HistoryCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Sends a message to a channel now, and shows the answer.",
        discussion: """
            Exits with 69 if the message was not taken. A secret that only rankd may read needs its rights: \
            sudo -u rankd rankctl alerts test NAME.
            """)

    @Argument(help: ArgumentHelp("The watchlist's name of the channel.", valueName: "channel"))
    var channel: String

    @OptionGroup var watchlist: WatchlistOption
    @OptionGroup var database: DatabaseOption

    func run() async throws {
        let surroundings = Surroundings()
        let plan = try AlertsCommand.watchlist(watchlist, surroundings)
        // As the service would, so that what keeps its mails from arriving is found.
        let mail = MailRoute.folder(.beside(surroundings.locations.database(flag: database.database)))
        try await OneChannel(channel, of: plan, at: watchlist.path(surroundings), mail: mail, surroundings)
            .send(.test(at: surroundings.now, plan.days))
    }
}

extension AlertMessage {
    /// What somebody is sent who wants to know whether messages arrive.
    fileprivate static func test(at now: Timestamp, _ days: ZoneDays) -> AlertMessage {
        let today = CivilTime.date(days.local(now))
        return AlertMessage(
            id: "test-\(now.secondsSinceEpoch)", at: now, severity: .normal, title: "A test of rankd's messages",
            lines: [
                AlertMessage.Line(
                    kind: .moved, text: "#34 → #9 ▲25 since \(today)", app: "Example",
                    query: "habit tracker", country: Country(code: "us"), platform: .iphone, from: 34, to: 9,
                    since: today, places: [34, 33, 35, 12, 9, 9].map { .place($0) })
            ], remark: "This is only a test: none of this happened.", isTest: true)
    }
}

struct AlertsMute: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mute", abstract: "Stops messages about something for a while, by a line in the watchlist.",
        discussion: """
            SUBJECT is an app (an alias or a bundle id), query:TEXT, country:CODE, tag:NAME, or what a rule's when may \
            say, such as weather. Your comments and layout stay.
            """)

    @Argument(help: ArgumentHelp("What to send no messages about.", valueName: "subject"))
    var subject: String

    @Option(help: ArgumentHelp("The first day on which messages are sent again (default: never).", valueName: "date"))
    var until: String?

    @OptionGroup var watchlist: WatchlistOption
    @OptionGroup var database: DatabaseOption

    func run() async throws {
        let surroundings = Surroundings()
        let path = watchlist.path(surroundings)
        let file = EditedWatchlist(path: path)
        let before = try file.read()
        let today = CivilTime.date(.startOfDay(before.watchlist.days.day(of: surroundings.now)))
        let subject = MutedApp(self.subject).named(in: before.watchlist, database, surroundings)
        try file.change(read: before, typed: ["until": "--until"]) {
            try $0.mute(subject, until: until, today: today)
        }
        Terminal.say(
            SafeText.escaped(
                "muted \(subject)\(until.map { " until \($0)" } ?? "") in \(path); \(Remedy.reload(path))"))
    }
}

struct AlertsUnmute: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unmute", abstract: "Removes a mute from the watchlist.")

    @Argument(help: ArgumentHelp("What to send messages about again.", valueName: "subject"))
    var subject: String

    @OptionGroup var watchlist: WatchlistOption
    @OptionGroup var database: DatabaseOption

    func run() async throws {
        let surroundings = Surroundings()
        let path = watchlist.path(surroundings)
        let file = EditedWatchlist(path: path)
        let before = try file.read()
        let names = MutedApp(self.subject).names(in: before.watchlist, database, surroundings)
        var subject = names[0]
        try file.change(read: before) { editor in
            subject = try names.first { try editor.isMuted($0) } ?? subject
            try editor.unmute(subject)
        }
        Terminal.say(
            SafeText.escaped("no longer muted: \(subject), in \(path); \(Remedy.reload(path))"))
    }
}

/// A subject that may be an app by a name that the watchlist does not have.
private struct MutedApp {
    private let subject: String

    init(_ subject: String) { self.subject = subject }

    /// The subject, with the watchlist's name where the history knows that both names are of one app.
    func named(in watchlist: Watchlist, _ database: DatabaseOption, _ surroundings: Surroundings) -> String {
        names(in: watchlist, database, surroundings)[0]
    }

    /// `named`, and behind it the other names that the watchlist has for the same app.
    func names(in watchlist: Watchlist, _ database: DatabaseOption, _ surroundings: Surroundings) -> [String] {
        let mark = "app:"
        let name = subject.hasPrefix(mark) ? String(subject.dropFirst(mark.count)) : subject
        let declared = watchlist.apps.first { $0.alias == name }
        guard let bundleID = declared?.bundleID ?? BundleID(name) else { return [subject] }
        let known = KnownNames(database, of: watchlist, surroundings)
        guard let other = known.other(bundleID, in: watchlist) else { return [subject] }
        let others = other.names.map { mark + $0.text }
        if watchlist.namedApps.contains(bundleID) {
            Terminal.say("warning: " + known.warning(other.app))
            return [subject] + others
        }
        Terminal.say(known.words(other.app))
        return others
    }
}

struct AlertsRetry: AsyncParsableCommand, HistoryCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry", abstract: "Makes rankd send again the messages that did not arrive.",
        discussion: """
            Also switches on again the channels that were switched off. rankd does this within seconds, or when it \
            starts if it is not running. If you may not write in the folder of the history, run it as rankd: sudo -u \
            rankd rankctl alerts retry.
            """)

    @Argument(help: ArgumentHelp("The id of a message, from rankctl alerts log (default: all).", valueName: "message"))
    var message: String?

    @OptionGroup var database: DatabaseOption

    func run() async throws {
        let surroundings = Surroundings()
        let reader = try database.reader(surroundings)
        let known = try reader.deliveries(of: message, limit: 10_000)
        if let message, known.isEmpty {
            throw ValidationError(
                "no message has the id “\(SafeText.escaped(message))”: see \(ReportAudience.command("rankctl alerts log"))"
            )
        }
        guard known.contains(where: { OutboxDelivery.State.retried.contains($0.state) }) else {
            return Terminal.say("there is nothing to try again: see \(ReportAudience.command("rankctl alerts log"))")
        }
        try RetryRequest(beside: reader.path).leave(message)
        Terminal.say("rankd will try again: see \(ReportAudience.command("rankctl alerts log"))")
    }
}
