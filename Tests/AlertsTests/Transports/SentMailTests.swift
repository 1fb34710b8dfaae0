import Foundation
import RankKit
import Reports
import TestSupport
import Testing

@testable import Alerts

/// The mail of an alert on its whole way: the folder, the unit's own command, msmtp, a server of SMTP.
@Suite struct SentMailTests {
    private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static let canSend: Bool = {
        do { _ = try ShellCommand.output(["sh", "-c", "command -v msmtp && python3 -c 'import aiosmtpd'"]) } catch {
            return false
        }
        return true
    }()

    private struct Arrived: Decodable {
        let from: String
        let to: [String]
        let headers: [String: String]
        let parts: [String: String]
    }

    @Test(.enabled(if: canSend, "needs msmtp, and python3 with aiosmtpd"))
    func `each mail arrives once, as it was meant, and one that is refused is tried again`() throws {
        let folder = try TemporaryFolder()
        let spool = MailSpool(folder: folder.file("mail"))
        for (index, to) in (["now@example.com", "later@example.com"]).enumerated() {
            var alert = hostileMessages[index]
            alert.id = "m\(index)"
            let mail = AlertMail.message(
                alert, to: [try #require(MailAddress(to))], from: MailAddress("rankd@box.example"),
                host: "box.example", sentAt: noon)
            #expect(spool.leave(mail, name: "m\(index).post") == .delivered)
        }
        let output = try ShellCommand.output([
            "python3", Self.tests.appendingPathComponent("Mail/spool.py").path,
            Self.tests.deletingLastPathComponent().appendingPathComponent("systemd/rankd-alert-mail.service").path,
            folder.file("mail"),
        ])
        let mails = try output.split(separator: UInt8(ascii: "\n")).map {
            try JSONDecoder().decode(Arrived.self, from: $0)
        }
        #expect(mails.map(\.to) == [["now@example.com"], ["later@example.com"]])
        #expect(mails.map { $0.headers["message-id"] } == ["<m0@rankd.box.example>", "<m1@rankd.box.example>"])
        for (mail, alert) in zip(mails, hostileMessages) {
            #expect(mail.from == "rankd@box.example")
            #expect(mail.headers["references"] == "<thread.app-com_me_habits@rankd.box.example>")
            #expect(mail.headers["subject"] == CleanText.line(alert.title))
            #expect(mail.headers["list-id"] == "rankd alerts <alerts.rankd.box.example>")
            #expect(try #require(mail.parts["text/plain"]).contains("▁▁·▆█"))
            #expect(!(try #require(mail.parts["text/html"])).contains("<script"))
        }
    }
}
