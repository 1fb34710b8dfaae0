internal import Foundation
package import RankKit

/// Where the secrets are that the watchlist names as `secret:NAME`.
///
/// They are looked for in this order: a credential of systemd, `NAME` in a folder `secrets` beside the watchlist, the
/// environment variable `RANKD_SECRET_NAME`. The first that is there decides, even if it cannot be read.
/// Source for credentials: systemd.exec(5), `LoadCredential=`.
package struct AlertSecrets: Sendable {
    /// systemd's `$CREDENTIALS_DIRECTORY`; `nil` if there is none.
    private let credentials: String?
    /// `nil` if there is no watchlist that it could be beside.
    private let folder: String?
    private let environment: [String: String]

    /// In bytes.
    package static let largest = 8_192
    /// The folder beside the watchlist.
    package static let folderName = "secrets"

    /// - Parameters:
    ///   - environment: of the program, for `CREDENTIALS_DIRECTORY` and `RANKD_SECRET_…`.
    ///   - watchlist: the path of the watchlist, beside which the folder `secrets` is.
    package init(environment: [String: String], watchlist: String?) {
        credentials = environment["CREDENTIALS_DIRECTORY"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        folder = watchlist.map { path in
            // Whole, so that a message about a secret says where it has to be.
            URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent(Self.folderName).path
        }
        self.environment = environment
    }

    /// The text that the watchlist has, or that of the secret that it names.
    ///
    /// - Throws: `Problem`, which says where it was looked for. It never holds the value.
    package func resolve(_ text: SecretText) throws(Problem) -> Secret {
        switch text {
        case .plain(let text): return Secret(text)
        case .secret(let name): return try secret(name)
        }
    }

    /// What is wrong with the secrets that a channel names, each once: what can be known before anything is sent.
    package func problems(of channel: AlertChannel) -> [Problem] {
        var problems: [Problem] = []
        for text in channel.secretTexts {
            do throws(Problem) { _ = try resolve(text) } catch {
                if !problems.contains(error) { problems.append(error) }
            }
        }
        return problems
    }

    private func secret(_ name: String) throws(Problem) -> Secret {
        guard Self.isName(name) else { throw Problem(name: name, reason: .badName) }
        if let credentials, let found = try Self.file(credentials, name, mustBePrivate: false) { return found }
        if let folder, let found = try Self.file(folder, name, mustBePrivate: true) { return found }
        let variable = Self.variable(name)
        if let value = environment[variable] {
            guard value.utf8.count <= Self.largest else {
                throw Problem(name: name, reason: .tooLarge, place: variable)
            }
            return try Self.checked(value, name, variable)
        }
        let places = [credentials.map { "\($0)/\(name)" }, folder.map { "\($0)/\(name)" }, "$" + variable]
        throw Problem(name: name, reason: .missing(places.compactMap(\.self)))
    }

    /// `RANKD_SECRET_SLACK_URL` for `slack-url`.
    package static func variable(_ name: String) -> String {
        "RANKD_SECRET_"
            + String(
                decoding: name.utf8.map { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - 0x20
                    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
                    default: UInt8(ascii: "_")
                    }
                }, as: UTF8.self)
    }

    private static func isName(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count) && name != "." && name != ".."
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "._-".utf8.contains(byte)
                }
            }
    }

    /// - Returns: `nil` if there is no such file.
    private static func file(_ folder: String, _ name: String, mustBePrivate: Bool) throws(Problem) -> Secret? {
        let path = folder + "/" + name
        func problem(_ reason: Problem.Reason) -> Problem { Problem(name: name, reason: reason, place: path) }
        // What is no regular file is not waited for, and a link is not followed.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT, ENOTDIR: return nil
            case ELOOP: throw problem(.link)
            case EACCES, EPERM: throw problem(.notPermitted)
            case let code: throw problem(.unreadable(String(cString: strerror(code))))
            }
        }
        defer { close(descriptor) }
        var about = stat()
        guard fstat(descriptor, &about) == 0 else {
            throw problem(.unreadable(String(cString: strerror(errno))))
        }
        guard about.st_mode & S_IFMT == S_IFREG else { throw problem(.noFile) }
        if mustBePrivate {
            // Root may read anybody's, and tries channels for the service.
            guard [geteuid(), 0].contains(about.st_uid) || geteuid() == 0 else { throw problem(.foreign) }
            // systemd keeps credentials in a folder that nobody else may enter, under rights of its own.
            guard about.st_mode & 0o177 == 0 else { throw problem(.open(mode: about.st_mode & 0o777)) }
        }
        var bytes = [UInt8](repeating: 0, count: largest + 1)
        var count = 0
        while count < bytes.count {
            let done = bytes[count...].withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if done < 0, errno == EINTR { continue }
            guard done >= 0 else { throw problem(.unreadable(String(cString: strerror(errno)))) }
            if done == 0 { break }
            count += done
        }
        guard count <= largest else { throw problem(.tooLarge) }
        guard let text = String(validating: bytes[..<count], as: UTF8.self) else { throw problem(.noText) }
        return try checked(text, name, path)
    }

    private static func checked(_ text: String, _ name: String, _ place: String) throws(Problem) -> Secret {
        let text = text.utf8.last == UInt8(ascii: "\n") ? String(text.unicodeScalars.dropLast()) : text
        guard !text.isEmpty else { throw Problem(name: name, reason: .empty, place: place) }
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw Problem(name: name, reason: .noText, place: place)
        }
        return Secret(text)
    }
}

extension AlertSecrets {
    /// Why a secret cannot be had.
    package struct Problem: Error, Sendable, Hashable, CustomStringConvertible {
        package enum Reason: Sendable, Hashable {
            /// The places where it was looked for.
            case missing([String])
            case badName
            case link
            case noFile
            case notPermitted
            /// It belongs to somebody who is neither the reader nor root.
            case foreign
            /// Others may read it.
            case open(mode: UInt32)
            case tooLarge
            case empty
            /// It is no UTF-8, or has control characters or several lines.
            case noText
            /// It has not the form that its way out needs.
            case malformed(String)
            case unreadable(String)
        }

        package let name: String
        package let reason: Reason
        /// The file or the variable; empty if it was found in none.
        package let place: String

        package init(name: String, reason: Reason, place: String = "") {
            self.name = name
            self.reason = reason
            self.place = place
        }

        package var description: String { description(ServiceAccount.ofThisMachine) }

        /// - Parameter account: as whom the remedy may say to run a command.
        func description(_ account: ServiceAccount) -> String {
            let at = place.isEmpty ? "" : " at \(SafeText.escaped(place))"
            return "the secret “\(SafeText.escaped(name))”\(at) \(words(account))"
        }

        private func words(_ account: ServiceAccount) -> String {
            switch reason {
            case .missing(let places):
                "does not exist: rankd looked for " + places.map(SafeText.escaped).joined(separator: ", ")
            case .badName: "has an invalid name: write 1 to 64 letters, digits, dots, _ or -"
            case .link: "is a symbolic link: put the file itself there"
            case .noFile: "is no regular file"
            case .notPermitted:
                account.isThis
                    ? "may not be read by this user, as which rankd runs: make it the file's owner"
                    : "may not be read by this user: run this \(account.asService), or make the user that rankd runs as "
                        + "the file's owner"
            case .foreign: "belongs to another user: make the user of rankd, or root, its owner"
            case .open(let mode):
                "has the mode 0\(String(mode, radix: 8)), so that others may use it: chmod 600"
            case .tooLarge: "has more than \(AlertSecrets.largest) bytes"
            case .empty: "is empty"
            case .noText: "is not one line of text"
            case .malformed(let remedy): "has the wrong form: \(remedy)"
            case .unreadable(let problem): "cannot be read: \(problem)"
            }
        }
    }
}
