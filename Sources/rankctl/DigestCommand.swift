import Alerts
internal import ArgumentParser
import Console
import History
import RankKit
import ReportCommands
import Reports

struct DigestCommand: AsyncParsableCommand, HistoryCommand {
    static let configuration = DigestRequest.about.configuration

    @Option(help: ArgumentHelp("Mail it to these addresses, separated by commas.", valueName: "address"))
    var mail: String?

    @Option(help: ArgumentHelp("The sender of the mail (default: sendmail decides).", valueName: "address"))
    var mailFrom: String?

    @Option(
        help: ArgumentHelp(
            "Send it now to this channel of the watchlist's alerts, in the short form of a message.",
            valueName: "channel"))
    var to: String?

    @OptionGroup var watchlist: WatchlistOption
    @OptionGroup var request: DigestRequest
    @OptionGroup var delivery: DeliveryOptions

    var database: DatabaseOption { delivery.database }
    /// What is sent goes to others: where the history is says nothing to them.
    var asked: AskedOptions {
        AskedOptions(request.asked, database: mail == nil && to == nil ? database.database : nil)
    }

    func validate() throws {
        _ = try recipients()
        _ = try sender()
        guard mail == nil || mailFormat.isForPeople else {
            throw ValidationError("with --mail, --format is table, markdown or html")
        }
        guard mail == nil || !delivery.live else {
            throw ValidationError("give --mail or --live, not both")
        }
        guard to == nil || mail == nil else { throw ValidationError("give --to or --mail, not both") }
        guard to == nil || !delivery.live, to == nil || delivery.output.isUnchosen else {
            throw ValidationError("with --to the channel says what the digest looks like: leave out how it is shown")
        }
        guard to != nil || watchlist.watchlist == nil else {
            throw ValidationError("--watchlist says where the channel of --to is: leave it out without --to")
        }
    }

    func run() async throws {
        let surroundings = Surroundings()
        let path = surroundings.locations.database(flag: delivery.database.database)
        if let to { return try await send(to: to, surroundings, path) }
        guard mail != nil else {
            return _ = try await delivery.deliver { try request.report(in: $0, unit: .writing(path)) }
        }
        let recipients = try self.recipients()
        guard !recipients.isEmpty else { return }
        let context = try delivery.context(surroundings)
        let format = mailFormat
        let sender = try sender()
        let message = try context.zoned { () throws(any Error) in
            let report = try request.report(in: context, unit: .writing(path))
            return MailMessage(
                from: sender, to: recipients, subject: report.subject, sentAt: surroundings.now,
                text: format == .html
                    ? nil : report.render(as: format, style: TerminalStyle(colour: false, width: 78)),
                html: format == .markdown ? nil : report.render(as: .html)
            ).source
        }
        if delivery.output.namedOutput == nil {
            try Sendmail(environment: surroundings.environment).deliver(message)
        } else {
            try delivery.output.deliver(message, surroundings)
        }
    }

    /// Sends the digest of this moment. It is nothing that rankd decided: no later message depends on it.
    private func send(to channel: String, _ surroundings: Surroundings, _ path: String) async throws {
        let file = watchlist.path(surroundings)
        let sendmail = Sendmail(environment: surroundings.environment)
        let plan = try AlertsCommand.watchlist(watchlist, surroundings)
        let way = try OneChannel(
            channel, of: plan, at: file, mail: .program { await sendmail.handOver($0) }, surroundings)
        let context = try delivery.context(surroundings)
        let message = try context.zoned { () throws(any Error) in
            let report = try request.report(in: context, unit: .writing(path))
            return AlertMessage.digest(report.brief, until: report.until, to: channel, at: surroundings.now, plan.days)
        }
        try await way.send(message)
    }

    /// A mail's file may have any name.
    private var mailFormat: ReportFormat { delivery.output.chosenFormat ?? .table }

    private func recipients() throws -> [MailAddress] {
        try (mail ?? "").split(separator: ",").map { part in
            try address(String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()), for: "--mail")
        }
    }

    private func sender() throws -> MailAddress? {
        try mailFrom.flatMap { $0.isEmpty ? nil : try address($0, for: "--mail-from") }
    }

    private func address(_ text: String, for option: String) throws -> MailAddress {
        guard let address = MailAddress(text) else {
            throw ValidationError(
                "\(option) is “\(SafeText.escaped(text))”: write an address such as name@example.com, and nothing else")
        }
        return address
    }
}
