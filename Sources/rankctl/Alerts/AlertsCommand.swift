import Alerts
internal import ArgumentParser
import Console
import Foundation
import History
import RankKit
import Reports

/// What is worth a message, and what became of it.
struct AlertsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "alerts", abstract: "Shows, tries and mutes the messages that rankd sends.",
        discussion: "The rules and the channels are in the watchlist, under alerts: docs/alerts.md explains them.",
        subcommands: [
            AlertsList.self, AlertsPreview.self, AlertsTest.self, AlertsLog.self, AlertsMute.self, AlertsUnmute.self,
            AlertsRetry.self,
        ])

    /// The watchlist that a command is about.
    static func watchlist(_ option: WatchlistOption, _ surroundings: Surroundings) throws -> Watchlist {
        try Watchlist.decode(try WatchlistFile.read(option.path(surroundings))).watchlist
    }

    /// - Throws: `ValidationError` where the watchlist has no alerts.
    static func settings(of watchlist: Watchlist) throws -> AlertSettings {
        guard let settings = watchlist.alerts else {
            throw ValidationError("the watchlist has no alerts: docs/alerts.md says how to begin")
        }
        return settings
    }
}

struct AlertsList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Shows the rules in words, and the channels with how they are.")

    @OptionGroup var watchlist: WatchlistOption
    @OptionGroup var database: DatabaseOption
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let surroundings = Surroundings()
        let plan = try AlertsCommand.watchlist(watchlist, surroundings)
        let outbox = try Outbox(database, surroundings)
        let channels = (plan.alerts?.channels ?? []).map { channel in
            AlertListReport.Channel(
                channel, known: outbox.channels.first { $0.name == channel.name },
                deliveries: outbox.deliveries.filter { $0.channel == channel.name })
        }
        try output.deliver(
            AlertListReport(
                generatedAt: surroundings.now, settings: plan.alerts, apps: plan.apps, channels: channels),
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

struct AlertsLog: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "Shows what was sent, when, where to, and how often it was tried.")

    @Option(help: ArgumentHelp("From then on, such as 7d or 2026-11-01 (default: 30d).", valueName: "time"))
    var since = "30d"

    @Option(help: ArgumentHelp("Messages at most.", valueName: "count"))
    var limit = 100

    @OptionGroup var database: DatabaseOption
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...100_000).contains(limit) else { throw ValidationError("--limit goes from 1 to 100000") }
    }

    func run() async throws {
        let surroundings = Surroundings()
        let reader = try database.reader(surroundings).snapshot()
        let context = try ReportContext(reader, now: surroundings.now, zone: .current)
        let since = try TimeReading(context).time(since, for: "--since").first
        let rows = try reader.deliveries(since: since, limit: limit).map { delivery in
            AlertLogReport.Row(
                delivery: delivery, title: AlertMessage(stored: delivery.content)?.title ?? "of another version")
        }
        try output.deliver(AlertLogReport(generatedAt: surroundings.now, rows: rows), surroundings)
    }
}

struct AlertsPreview: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preview", abstract: "Shows what would have been sent in the past. Sends nothing.",
        discussion: """
            The same code decides that decides after each pass, day by day. Without alerts in the watchlist it tells of \
            the usual rules.
            """)

    @Option(help: ArgumentHelp("From then on, such as 90d or 2026-11-01.", valueName: "time"))
    var since = "90d"

    @Option(help: ArgumentHelp("Of the rule with this name alone.", valueName: "name"))
    var rule: String?

    @OptionGroup var watchlist: WatchlistOption
    @OptionGroup var database: DatabaseOption
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let surroundings = Surroundings()
        let plan = try AlertsCommand.watchlist(watchlist, surroundings)
        var settings = plan.alerts ?? AlertSettings(to: ["nobody yet"])
        if let rule {
            settings.rules.removeAll { $0.name != rule }
            guard !settings.rules.isEmpty else {
                throw ValidationError("no rule of the watchlist is called “\(SafeText.escaped(rule))”")
            }
        }
        let reader = try database.reader(surroundings).snapshot()
        let context = try ReportContext(reader, now: surroundings.now, zone: .current)
        let since = try TimeReading(context).time(since, for: "--since").first
        let preview = try AlertPreview(
            settings, since: since.day, until: surroundings.now, now: surroundings.now, zone: context.zone,
            from: reader)
        try output.deliver(
            preview.report(generatedAt: surroundings.now, isOfUsualRules: plan.alerts == nil), surroundings)
    }
}
