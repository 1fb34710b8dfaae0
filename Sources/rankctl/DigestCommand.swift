internal import ArgumentParser
import Console
import History
import RankKit
import Reports

struct DigestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "digest", abstract: "The page to read each morning: what happened since yesterday, or --since.",
        discussion: """
            --mail hands it to sendmail as text and HTML, or as what --format markdown or html alone says. With --output \
            the mail is written into that file instead. An empty ADDRESS mails nobody and makes nothing, which suits a \
            unit with an optional setting.
            """)

    @Option(help: ArgumentHelp("Mail it to these, separated by commas.", valueName: "address"))
    var mail: String?

    @Option(help: ArgumentHelp("Whom the mail is from; left to sendmail without it.", valueName: "address"))
    var mailFrom: String?

    @OptionGroup var options: ReportOptions

    func validate() throws {
        _ = try recipients()
        _ = try sender()
        guard mail == nil || options.delivery.output.format.isForPeople else {
            throw ValidationError("--mail goes with --format table, markdown or html")
        }
        guard mail == nil || !options.delivery.live else {
            throw ValidationError("--mail and --live do not go together")
        }
    }

    func run() async throws {
        guard mail != nil else { return try await options.deliver { .digest(try self.report($0)) } }
        let recipients = try self.recipients()
        guard !recipients.isEmpty else { return }
        let surroundings = Surroundings()
        let context = try ReportContext(options, try options.delivery.database.reader(surroundings), surroundings)
        let report = try self.report(context)
        let format = options.delivery.output.format
        let message = MailMessage(
            from: try sender(), to: recipients, subject: report.subject, sentAt: context.now,
            text: format == .html ? nil : report.render(as: format, style: TerminalStyle(colour: false, width: 78)),
            html: format == .markdown ? nil : report.render(as: .html)
        ).source
        if options.delivery.output.output == nil {
            try Sendmail(environment: surroundings.environment).deliver(message)
        } else {
            try options.delivery.output.deliver(surroundings) { _, _ in message }
        }
    }

    private func report(_ context: ReportContext) throws -> DigestReport {
        DigestReport(
            try Digest(
                from: context.reader, filter: context.filter, since: context.since, until: context.until,
                zone: context.zone, now: context.now))
    }

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
