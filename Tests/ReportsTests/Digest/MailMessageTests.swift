import Foundation
import JudgingStage
import RankKit
import Testing

@testable import Reports

@Suite struct MailMessageTests {
    private func address(_ text: String) throws -> MailAddress { try #require(MailAddress(text)) }

    private func message(
        subject: String = "rankd: 2 up", text: String? = "words\n", html: String? = "<p>words</p>"
    ) throws -> MailMessage {
        MailMessage(
            to: [try address("a@example.com"), try address("root")], subject: subject, sentAt: noon, text: text,
            html: html)
    }

    @Test func `text and HTML are alternatives, the richer one last`() throws {
        #expect(
            try message().source == """
                To: a@example.com,
                 root
                Subject: rankd: 2 up
                Date: Fri, 20 Nov 2026 12:00:00 +0000
                Auto-Submitted: auto-generated
                MIME-Version: 1.0
                Content-Type: multipart/alternative; boundary="=_rankd_alternative"

                --=_rankd_alternative
                Content-Type: text/plain; charset=utf-8
                Content-Transfer-Encoding: base64

                d29yZHMK
                --=_rankd_alternative
                Content-Type: text/html; charset=utf-8
                Content-Transfer-Encoding: base64

                PHA+d29yZHM8L3A+
                --=_rankd_alternative--

                """)
    }

    @Test func `a single part stands by itself`() throws {
        let source = try message(html: nil).source
        #expect(!source.contains("multipart"))
        #expect(
            source.hasSuffix("Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\nd29yZHMK\n")
        )
    }

    @Test func `the sender is named where there is one`() throws {
        var mail = try message()
        mail.from = try address("rankd@example.com")
        #expect(mail.source.hasPrefix("From: rankd@example.com\nTo: "))
    }

    @Test func `no line is longer than a mail may have, and every byte is plain`() throws {
        let source = try message(
            subject: String(repeating: "日本語 é ", count: 40), text: String(repeating: "é", count: 9_999)
        )
        .source
        #expect(source.utf8.allSatisfy { $0 == 10 || (0x20...0x7E).contains($0) })
        #expect(source.split(separator: "\n").allSatisfy { $0.utf8.count <= 78 })
    }

    @Test func `a subject beyond ASCII is made of words that are whole each`() throws {
        let subject = "rankd: 3 up · " + String(repeating: "日本語", count: 30)
        let source = try message(subject: subject).source
        let words = source.matches(of: /=\?UTF-8\?B\?([A-Za-z0-9+\/=]+)\?=/).map { String($0.1) }
        let decoded = try words.map { String(data: try #require(Data(base64Encoded: $0)), encoding: .utf8) }
        #expect(decoded.compactMap(\.self).joined() == subject)
        #expect(source.contains("\nSubject: =?UTF-8?B?"))
    }

    @Test(arguments: [
        "up\nBcc: everybody@example.com", "up\r\nBcc: everybody@example.com", "up\u{0}", "=?UTF-8?Q?x?=",
        "up\u{2028}Bcc: x@example.com", "up\n\nbody",
    ])
    func `no subject becomes another header`(subject: String) throws {
        let source = try message(subject: subject).source
        let head = try #require(source.split(separator: "\n\n", maxSplits: 1).first)
        #expect(!head.contains("Bcc") && !head.contains("body") && !head.contains("?Q?"))
        let names = head.split(separator: "\n").filter { !$0.hasPrefix(" ") }.map { $0.prefix { $0 != ":" } }
        #expect(
            names == ["To", "Subject", "Date", "Auto-Submitted", "MIME-Version", "Content-Type"], "\(head)")
    }

    @Test(arguments: [
        "a@example.com", "first.last+tag@sub.example.co.uk", "root", "o'brien@example.com", "a@localhost",
    ])
    func `an address is taken`(text: String) { #expect(MailAddress(text)?.text == text) }

    @Test(arguments: [
        "", "a@", "@b", "a@b@c", "a b@c", "a@b\nBcc: x@y", "-oQ/tmp", "-f@b", "a@b,c@d", "<a@b>", "\"a\"@b", "a@b..c",
        "é@example.com", "a@b\r", "a;b@c", "a@.b", "a@b_c",
    ])
    func `what is no address, or would have to be quoted, is refused`(text: String) {
        #expect(MailAddress(text) == nil)
    }
}
