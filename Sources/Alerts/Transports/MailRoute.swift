import Reports

/// What takes a mail from rankd.
package enum MailRoute: Sendable {
    /// A folder, from which a unit of its own hands mails to sendmail: the service's unit may not start it.
    case folder(MailSpool)
    /// The mail program itself, for whoever may start it. It returns what went wrong in words; `nil` if it took the mail.
    case program(@Sendable (_ source: String) async -> String?)

    /// - Parameter name: of the mail's file, where it is kept in one.
    /// - Returns: whether the mail was taken. Whatever keeps a program from taking it may pass.
    func take(_ mail: MailMessage, name: String) async -> DeliveryAnswer {
        switch self {
        case .folder(let spool): return spool.leave(mail, name: name)
        case .program(let handOver):
            return await handOver(mail.source).map { .retry(after: nil, why: $0) } ?? .delivered
        }
    }
}
