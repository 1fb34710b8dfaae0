import Foundation
import TestSupport
import Testing

@testable import Alerts

/// The command of `rankd-alert-mail.service`, with another folder and another sendmail. Only one that hangs has a limit, and
/// a shorter one: on a busy machine any other may take its time.
@Suite struct MailUnitTests {
    private let folder: TemporaryFolder
    private let mails: String

    init() throws {
        folder = try TemporaryFolder()
        mails = folder.file("mail")
        try FileManager.default.createDirectory(atPath: mails, withIntermediateDirectories: false)
    }

    private static let unit = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("systemd/rankd-alert-mail.service")

    /// What the unit runs, without systemd's own quoting.
    private func script(_ sendmail: String) throws -> String {
        let text = try String(contentsOf: Self.unit, encoding: .utf8).replacing("\\\n", with: " ")
        let begin = "ExecStart=/bin/sh -c '"
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(begin) })
        #expect(line.contains("timeout -k 10 120 "))
        return String(line.dropFirst(begin.count).dropLast()).replacing("$$", with: "$")
            .replacing("/var/lib/rankd/outgoing-mail", with: mails).replacing("/usr/sbin/sendmail", with: sendmail)
            .replacing("timeout -k 10 120 ", with: folder.file("limit") + " ")
    }

    private func leave(_ name: String, _ text: String, age: TimeInterval = 0) throws {
        let path = "\(mails)/\(name).eml"
        try Data("\(text)\n".utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.modificationDate: Date() - age], ofItemAtPath: path)
    }

    /// Runs it with a sendmail that writes down what it takes, fails on “fail” and hangs on “hang”.
    ///
    /// - Returns: the exit code.
    private func run() throws -> String {
        let sendmail = folder.file("sendmail")
        let words = """
            #!/bin/sh
            read -r text
            case "$text" in
            fail) exit 75 ;;
            hang) exec sleep 600 ;;
            esac
            echo "$text" >>\(folder.file("taken"))

            """
        let limit = """
            #!/bin/sh
            read -r text
            case "$text" in
            hang) echo "$text" | timeout -k 1 0.2 "$@" ;;
            *) echo "$text" | "$@" ;;
            esac

            """
        // A shell writes both: while this process writes a file, a child that another test starts may hold it, and nobody
        // can run a file that is open for writing.
        let output = try ShellCommand.output([
            "sh", "-c",
            "printf %s \"$1\" >\"$2\" && printf %s \"$3\" >\"$4\" && chmod 700 \"$2\" \"$4\" || exit; "
                + "sh -c \"$0\" 2>/dev/null; echo $?",
            try script(sendmail), words, sendmail, limit, folder.file("limit"),
        ])
        return String(decoding: output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func files() -> [String] {
        let all = FileManager.default.enumerator(atPath: mails)?.allObjects as? [String] ?? []
        return all.filter { $0.hasSuffix(".eml") }.sorted()
    }

    private var taken: String {
        String(decoding: FileManager.default.contents(atPath: folder.file("taken")) ?? Data(), as: UTF8.self)
    }

    @Test func `a mail that fails, or on which sendmail hangs, holds up none behind it`() throws {
        try leave("a", "hang")
        try leave("b", "fail")
        try leave("c", "one")
        try leave("d", "two")
        #expect(try run() == "75")
        #expect(files() == ["a.eml", "b.eml"] && taken == "one\ntwo\n")
    }

    @Test func `what is two days old is put aside and not sent, and deleted after a month`() throws {
        try leave("a", "fail", age: 49 * 3_600)
        try leave("b", "old", age: 49 * 3_600)
        try leave("c", "news", age: 47 * 3_600)
        #expect(try run() == "0")
        #expect(files() == ["late/a.eml", "late/b.eml"] && taken == "news\n")
        try FileManager.default.setAttributes(
            [.modificationDate: Date() - 32 * 86_400], ofItemAtPath: "\(mails)/late/a.eml")
        #expect(try run() == "0")
        #expect(files() == ["late/b.eml"])
    }
}
