import Alerts
internal import ArgumentParser
import Console
import Foundation
import History
import RankKit
import ReportCommands
import Reports

/// What is worth a message, and what became of it.
struct AlertsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "alerts", abstract: "Shows, tries and mutes the messages that rankd sends.",
        discussion: """
            The rules and the channels are in the watchlist, under alerts: docs/alerts.md explains them. Put these lines \
            into the watchlist for the usual messages to Slack, and a digest each Monday at eight. The secret slack-url is \
            the address of an incoming webhook.

            "alerts": {
              "channels": { "team": { "slack": "secret:slack-url" } }, "to": ["team"],
              "rules": [ "usual", { "when": "digest", "at": "08:00", "on": ["mon"] } ]
            },
            """,
        subcommands: [
            AlertsList.self, AlertsPreview.self, AlertsTest.self, AlertsLog.self, AlertsMute.self, AlertsUnmute.self,
            AlertsRetry.self,
        ])

    /// The watchlist that a command is about.
    static func watchlist(_ option: WatchlistOption, _ surroundings: Surroundings) throws -> Watchlist {
        try WatchlistFile.decode(option.path(surroundings)).watchlist
    }

    /// - Throws: `ValidationError` where the watchlist has no alerts.
    static func settings(of watchlist: Watchlist) throws -> AlertSettings {
        guard let settings = watchlist.alerts else {
            throw ValidationError("the watchlist has no alerts: docs/alerts.md says how to begin")
        }
        return settings
    }
}

struct AlertsList: AsyncParsableCommand, HistoryCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Shows the rules in words, and the state of each channel.",
        usage: "rankctl alerts list [--watchlist <file>] [--database <file>] [<options>]")

    @OptionGroup var watchlist: WatchlistOption
    @OptionGroup var database: DatabaseOption
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let surroundings = Surroundings()
        let plan = try AlertsCommand.watchlist(watchlist, surroundings)
        let outbox = try Outbox(database, surroundings)
        let path = watchlist.path(surroundings)
        let secrets = surroundings.secrets(besides: path)
        let channels = (plan.alerts?.channels ?? []).map { channel in
            AlertListReport.Channel(
                channel, known: outbox.channels.first { $0.name == channel.name }, fingerprint: channel.fingerprint,
                deliveries: outbox.deliveries.filter { $0.channel == channel.name },
                lacking: secrets.problems(of: channel).first?.description)
        }
        try output.deliver(
            AlertListReport(
                generatedAt: surroundings.now, settings: plan.alerts, apps: plan.apps, channels: channels,
                reload: Remedy.reload(path)),
            surroundings)
    }

    /// What the history knows of messages; nothing where there is none yet.
    private struct Outbox {
        var channels: [OutboxChannel] = []
        var deliveries: [OutboxDelivery] = []

        init(_ database: DatabaseOption, _ surroundings: Surroundings) throws {
            do {
                let reader = try database.reader(surroundings).snapshot()
                channels = try reader.outboxChannels()
                deliveries = try reader.deliveries(limit: Self.most)
            } catch HistoryError.missing {}
        }

        /// Messages that are counted.
        private static let most = 10_000
    }
}

struct AlertsLog: AsyncParsableCommand, HistoryCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "Shows what was sent, when, where to, and how often it was tried.",
        usage: "rankctl alerts log [--since <time>] [--limit <count>] [--database <file>] [<options>]")

    @Option(help: ArgumentHelp("The time to start from, such as 7d or 2026-11-01 (default: 30d).", valueName: "time"))
    var since = "30d"

    @Option(help: ArgumentHelp("The largest number of lines, one for each message and channel.", valueName: "count"))
    var limit = 100

    @OptionGroup var database: DatabaseOption
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...100_000).contains(limit) else { throw ValidationError("--limit goes from 1 to 100000") }
    }

    func run() async throws {
        let surroundings = Surroundings()
        let reader = try database.reader(surroundings).snapshot()
        let context = try ReportContext(reader, now: surroundings.now, zone: .gmt)
        let since = try TimeReading(context).beginning(since, for: "--since")
        let channels = try reader.outboxChannels()
        let rows = try reader.deliveries(since: since, limit: limit + 1).map { delivery in
            AlertLogReport.Row(
                delivery: delivery,
                title: AlertMessage(stored: delivery.content)?.title ?? "written by another version",
                channel: channels.first { $0.name == delivery.channel })
        }
        try context.zoned { () throws(any Error) in
            try output.deliver(
                AlertLogReport(
                    generatedAt: surroundings.now, rows: Array(rows.prefix(limit)), hasMore: rows.count > limit),
                surroundings)
        }
    }
}

struct AlertsPreview: AsyncParsableCommand, HistoryCommand {
    static let configuration = CommandConfiguration(
        commandName: "preview", abstract: "Shows what would have been sent in the past. Sends nothing.",
        usage: "rankctl alerts preview [--since <time>] [--rule <rule>] [--watchlist <file>] [<options>]",
        discussion: """
            Replays the past day by day with the rules that rankd uses after each pass. If the watchlist has no alerts, \
            it uses the usual rules.
            """)

    @OptionGroup var request: AlertPreviewRequest
    @OptionGroup var watchlist: WatchlistOption
    @OptionGroup var database: DatabaseOption
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let surroundings = Surroundings()
        let plan = try AlertsCommand.watchlist(watchlist, surroundings)
        let reader = try database.reader(surroundings).snapshot()
        let context = try ReportContext(reader, now: surroundings.now, zone: .gmt, namedZone: plan.timeZone)
        try context.zoned { () throws(any Error) in
            try output.deliver(
                try request.report(of: plan, in: context, giveBack: Allocator.giveBack), surroundings)
        }
    }
}
