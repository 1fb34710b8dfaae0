/// A way out, by the name that the watchlist gives it.
package struct AlertChannel: Sendable, Hashable {
    /// 1–40 of `[A-Za-z0-9._-]`, not beginning with `-`.
    package var name: String
    package var transport: Transport
    /// Hosts with private addresses that may be connected to: names in lower case, or addresses without brackets.
    package var privateHosts: [String]

    package init(name: String, transport: Transport, privateHosts: [String] = []) {
        self.name = name
        self.transport = transport
        self.privateHosts = privateHosts
    }

    package enum Transport: Sendable, Hashable {
        /// JSON, signed as Standard Webhooks with each of `secrets`, of which there are 0–4.
        case webhook(url: SecretText, secrets: [SecretText])
        case slack(url: SecretText)
        case discord(url: SecretText)
        case telegram(token: SecretText, chat: SecretText)
        /// `server` is an origin without a path, such as `https://ntfy.sh`.
        case ntfy(server: String, topic: SecretText, token: SecretText?)
        case mail(to: [String], from: String?)
        /// An argument list whose first element is an absolute path; `seconds` it may take, 1–300.
        case command([String], seconds: Int)
    }

    /// What it is made of that may be kept elsewhere.
    package var secretTexts: [SecretText] {
        switch transport {
        case .webhook(let url, let secrets): [url] + secrets
        case .slack(let url), .discord(let url): [url]
        case .telegram(let token, let chat): [token, chat]
        case .ntfy(_, let topic, let token): [topic] + (token.map { [$0] } ?? [])
        case .mail, .command: []
        }
    }

    /// The words of the watchlist for the ways out.
    package static let kinds = ["webhook", "slack", "discord", "telegram", "ntfy", "mail", "command"]

    /// The word of the watchlist for it.
    package var kind: String {
        switch transport {
        case .webhook: "webhook"
        case .slack: "slack"
        case .discord: "discord"
        case .telegram: "telegram"
        case .ntfy: "ntfy"
        case .mail: "mail"
        case .command: "command"
        }
    }
}

/// Text that may be secret: as the watchlist has it, or by the name under which it is kept elsewhere.
package enum SecretText: Sendable, Hashable {
    case plain(String)
    /// 1–64 of `[A-Za-z0-9._-]`, beginning with a letter, a digit or `_`: fit for the name of a file.
    case secret(name: String)

    /// What `secret:NAME` begins with.
    package static let prefix = "secret:"

    /// Whether a secret may be kept under `name`.
    package static func isName(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count) && name.first != "." && name.first != "-" && AlertChannel.isWord(name)
    }
}

extension AlertChannel {
    /// Whether a channel may have this name.
    package static func isName(_ name: String) -> Bool {
        (1...40).contains(name.utf8.count) && name.first != "-" && isWord(name)
    }

    /// Whether a text is of `[A-Za-z0-9._-]` alone.
    static func isWord(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", ".", "_", "-": true
            default: false
            }
        }
    }
}
