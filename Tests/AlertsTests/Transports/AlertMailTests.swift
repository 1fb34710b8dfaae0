import Foundation
import RankKit
import Reports
import TestSupport
import Testing

@testable import Alerts

@Suite struct AlertMailTests {
    private func source(_ message: AlertMessage, host: String = "box.example") throws -> String {
        let to = try #require(MailAddress("a@example.com"))
        return AlertMail.message(message, to: [to], from: nil, host: host, sentAt: noon).source
    }

    private func header(_ source: String, _ name: String) -> String? {
        source.split(separator: "\n").first { $0.hasPrefix(name + ": ") }.map { String($0.dropFirst(name.count + 2)) }
    }

    /// Its text and its HTML.
    private func bodies(of mail: String) throws -> [String] {
        try mail.matches(of: /base64\n\n([A-Za-z0-9+\/=\n]+)/).map { match in
            let data = try #require(Data(base64Encoded: String(match.1), options: .ignoreUnknownCharacters))
            return String(decoding: data, as: UTF8.self)
        }
    }

    @Test func `it is named by the message, and threads with others about the same app`() throws {
        let mail = try source(message())
        #expect(header(mail, "Message-ID") == "<m1@rankd.box.example>")
        #expect(header(mail, "References") == "<thread.app-com_me_habits@rankd.box.example>")
        #expect(header(mail, "In-Reply-To") == header(mail, "References"))
        #expect(header(mail, "List-Id") == "rankd alerts <alerts.rankd.box.example>")
        #expect(header(mail, "Subject")?.hasPrefix("=?UTF-8?B?") == true)
    }

    @Test func `what has nothing in common has no thread`() throws {
        var other = line()
        (other.bundleID, other.country, other.kind) = (bundle("com.x"), Country(code: "de"), .entered)
        #expect(header(try source(message([line(), other])), "References") == nil)
    }

    @Test(arguments: ["", "a b", "x\nBcc: y", "a..b", "é.example"])
    func `a host that is none does not become a header`(host: String) throws {
        #expect(header(try source(message(), host: host), "Message-ID") == "<m1@rankd.localhost>")
    }

    @Test func `no name becomes a header or an element`() throws {
        for message in hostileMessages {
            let mail = try source(message)
            let head = try #require(mail.split(separator: "\n\n", maxSplits: 1).first)
            let names = head.split(separator: "\n").filter { !$0.hasPrefix(" ") }.map { $0.prefix { $0 != ":" } }
            #expect(
                names == [
                    "To", "Subject", "Date", "Message-ID", "In-Reply-To", "References", "List-Id", "Auto-Submitted",
                    "MIME-Version", "Content-Type",
                ])
            #expect(mail.split(separator: "\n").allSatisfy { $0.utf8.count <= 100 })
            let bodies = try bodies(of: mail)
            #expect(bodies.count == 2)
            #expect(!bodies[1].contains("<script") && !bodies[1].contains("<svg") && bodies[1].contains("▁▁·▆█"))
        }
    }

    @Test func `a name that is written from right to left is an element of its own`() throws {
        let name = "מעקב 2"
        let turned = message([line(app: name, query: name)], title: "\(name): #34 → #9")
        let html = try #require(bodies(of: try source(turned)).last)
        #expect(html.contains("<title>\(name): #34 → #9</title>"))
        #expect(html.contains("><bdi>\(name)</bdi>: #34 → #9</h1>"))
        #expect(html.contains("<b><bdi>\(name)</bdi></b> · “<bdi>\(name)</bdi>” (us, iPhone): #34 → #9"))
    }
}

@Suite struct MailSpoolTests {
    private func mail(_ subject: String = "one") throws -> MailMessage {
        MailMessage(
            to: [try #require(MailAddress("a@example.com"))], subject: subject, sentAt: noon, text: "x", html: nil)
    }

    @Test func `a mail is left whole, for the group alone, and once under a name`() throws {
        let folder = try TemporaryFolder()
        let spool = MailSpool(folder: folder.file("outgoing-mail"))
        #expect(try spool.leave(mail(), name: "m1.post") == .delivered)
        #expect(try spool.leave(mail("two"), name: "m1.post") == .delivered)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("outgoing-mail")) == ["m1.post.eml"])
        let path = folder.file("outgoing-mail/m1.post.eml")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == mail("two").source)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o640)
    }

    @Test func `what a crash left behind is no obstacle, and a link is not followed`() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.file("m"), withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("m/.a.new"), withDestinationPath: folder.write("keep", to: "other"))
        #expect(try MailSpool(folder: folder.file("m")).leave(mail(), name: "a") == .delivered)
        #expect(try String(contentsOfFile: folder.file("other"), encoding: .utf8) == "keep")
    }

    @Test(arguments: ["", "../a", ".a", "-a", "a b", "a/b", "a$(x)"])
    func `no name leads out of the folder`(name: String) throws {
        let folder = try TemporaryFolder()
        guard case .refused = try MailSpool(folder: folder.file("m")).leave(mail(), name: name) else {
            Issue.record("\(name) is taken")
            return
        }
    }

    @Test(.enabled(if: geteuid() == 0))
    func `what root leaves belongs to the owner of the folder above`() throws {
        let folder = try TemporaryFolder()
        try #require(chown(folder.path, 4_711, 4_712) == 0)
        #expect(try MailSpool(folder: folder.file("m")).leave(mail(), name: "a") == .delivered)
        for path in [folder.file("m"), folder.file("m/a.eml")] {
            let found = try FileManager.default.attributesOfItem(atPath: path)
            #expect(found[.ownerAccountID] as? Int == 4_711 && found[.groupOwnerAccountID] as? Int == 4_712)
        }
    }

    @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
    func `what to do about a folder that may not be written is of this machine`() throws {
        let folder = try TemporaryFolder()
        try #require(chmod(folder.path, 0o500) == 0)
        defer { chmod(folder.path, 0o700) }
        let remedy = "run the command \(ServiceAccount.ofThisMachine.asService)"
        #expect(
            try MailSpool(folder: folder.file("m")).leave(mail(), name: "a")
                == .retry(after: nil, why: "the folder for mail cannot be made: Permission denied; \(remedy)"))
    }

    @Test func `no folder above is a reason to try later`() throws {
        let folder = try TemporaryFolder()
        #expect(
            try MailSpool(folder: folder.file("no/m")).leave(mail(), name: "a")
                == .retry(after: nil, why: "the folder for mail cannot be made: No such file or directory"))
    }
}
