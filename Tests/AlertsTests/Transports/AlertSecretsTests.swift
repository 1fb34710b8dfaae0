import Foundation
import RankKit
import TestSupport
import Testing

@testable import Alerts

@Suite struct AlertSecretsTests {
    private let canary = "canary-4711"

    private func folder(_ content: String?, mode: Int = 0o600) throws -> (TemporaryFolder, AlertSecrets) {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.file("secrets"), withIntermediateDirectories: true)
        if let content {
            let path = try folder.write(content, to: "secrets/slack-url")
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }
        return (folder, AlertSecrets(environment: [:], watchlist: folder.file("watchlist.json")))
    }

    private func reason(_ secrets: AlertSecrets, _ name: String = "slack-url") -> AlertSecrets.Problem.Reason? {
        do {
            _ = try secrets.resolve(.secret(name: name))
            return nil
        } catch {
            #expect(!error.description.contains(canary))
            return error.reason
        }
    }

    @Test func `a plain text is what it is`() throws {
        let secrets = AlertSecrets(environment: [:], watchlist: nil)
        #expect(try secrets.resolve(.plain("https://x.example")).revealed == "https://x.example")
    }

    @Test func `a credential comes before a file, and a file before the environment`() throws {
        let (folder, _) = try folder("file\n")
        let credentials = try TemporaryFolder()
        var environment = ["RANKD_SECRET_SLACK_URL": "variable"]
        func found() throws -> String {
            try AlertSecrets(environment: environment, watchlist: folder.file("watchlist.json"))
                .resolve(.secret(name: "slack-url")).revealed
        }
        #expect(try found() == "file")
        environment["CREDENTIALS_DIRECTORY"] = credentials.path
        #expect(try found() == "file")
        _ = try credentials.write("credential", to: "slack-url")
        #expect(try found() == "credential")
        try FileManager.default.removeItem(atPath: folder.file("secrets/slack-url"))
        try FileManager.default.removeItem(atPath: credentials.file("slack-url"))
        #expect(try found() == "variable")
    }

    @Test func `one line break at the end is cut`() throws {
        let (folder, secrets) = try folder("\(canary)\n")
        #expect(try secrets.resolve(.secret(name: "slack-url")).revealed == canary)
        _ = folder
        let (other, twice) = try self.folder("\(canary)\n\n")
        #expect(reason(twice) == .noText)
        _ = other
    }

    @Test(arguments: [0o640, 0o604, 0o660, 0o700])
    func `a file that others may use is refused with its mode`(mode: Int) throws {
        let (folder, secrets) = try folder(canary, mode: mode)
        #expect(reason(secrets) == .open(mode: UInt32(mode)))
        _ = folder
    }

    @Test(.enabled(if: geteuid() == 0))
    func `root may read what belongs to the service's user`() throws {
        let (folder, secrets) = try folder(canary)
        try #require(chown(folder.file("secrets/slack-url"), 4_711, 4_712) == 0)
        #expect(try secrets.resolve(.secret(name: "slack-url")).revealed == canary)
    }

    @Test func `neither a link, a folder, a pipe, an empty nor a long file is read`() throws {
        let (folder, secrets) = try folder(nil)
        let path = folder.file("secrets/slack-url")
        try FileManager.default.createSymbolicLink(
            atPath: path, withDestinationPath: folder.write(canary, to: "elsewhere"))
        #expect(reason(secrets) == .link)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(reason(secrets) == .noFile)
        try FileManager.default.removeItem(atPath: path)
        #expect(mkfifo(path, 0o600) == 0)
        #expect(reason(secrets) == .noFile)
        try FileManager.default.removeItem(atPath: path)
        for (content, wanted) in [
            ("", AlertSecrets.Problem.Reason.empty), ("\n", .empty),
            (String(repeating: canary, count: 1_000), .tooLarge), ("a\u{0}b", .noText),
        ] {
            let (kept, secrets) = try self.folder(content)
            #expect(reason(secrets) == wanted)
            _ = kept
        }
        _ = folder
    }

    @Test func `what is nowhere is said with every place`() throws {
        let secrets = AlertSecrets(
            environment: ["CREDENTIALS_DIRECTORY": "/none"], watchlist: "/etc/rankd/watchlist.json")
        #expect(
            reason(secrets)
                == .missing(["/none/slack-url", "/etc/rankd/secrets/slack-url", "$RANKD_SECRET_SLACK_URL"]))
    }

    @Test func `the remedy names the user rankd only where there is one`() {
        let problem = AlertSecrets.Problem(name: "url", reason: .notPermitted, place: "/s/url")
        let beginning = "the secret “url” at /s/url may not be read by this user"
        // Whoever takes the file from rankd silences the channel.
        let end = ", or make the user that rankd runs as the file's owner"
        #expect(
            problem.description(ServiceAccount(isHere: true, hasSudo: true))
                == "\(beginning): run this as the user of rankd: sudo -u rankd …\(end)")
        #expect(
            problem.description(ServiceAccount(isHere: false, hasSudo: true))
                == "\(beginning): run this as the user that rankd runs as\(end)")
        #expect(
            problem.description(ServiceAccount(isHere: false, hasSudo: true, isThis: true))
                == "\(beginning), as which rankd runs: make it the file's owner")
        #expect(problem.description == problem.description(.ofThisMachine))
    }

    @Test(arguments: ["", ".", "..", "../x", "a/b", "a b", "é", String(repeating: "x", count: 65)])
    func `no name leads out of the folder`(name: String) throws {
        #expect(reason(AlertSecrets(environment: [:], watchlist: "/w"), name) == .badName)
    }

    @Test(arguments: ["list.json", "./list.json"])
    func `where a secret was looked for is a whole path, however the watchlist was named`(watchlist: String) {
        let folder = FileManager.default.currentDirectoryPath
        #expect(
            reason(AlertSecrets(environment: [:], watchlist: watchlist), "key")
                == .missing(["\(folder)/secrets/key", "$RANKD_SECRET_KEY"]))
    }

    @Test func `a secret shows nothing of itself`() {
        let secret = Secret(canary)
        var dumped = ""
        dump([secret], to: &dumped)
        dump((secret, Optional(secret), ["k": secret]), to: &dumped)
        let shown = [
            "\(secret)", String(reflecting: secret), String(describing: [secret]), String(reflecting: Optional(secret)),
            dumped,
        ]
        for text in shown { #expect(!text.contains(canary) && text.contains("(secret)"), "\(text)") }
    }
}
