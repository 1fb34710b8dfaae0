extension AlertChannel {
    /// The way out in words. Of an address they have the host alone, since the rest of it may be a secret.
    package var words: String {
        switch transport {
        case .webhook(let url, let secrets): "a webhook at \(Self.host(url)), \(Self.signature(secrets.count))"
        case .slack: "Slack"
        case .discord: "Discord"
        case .telegram: "Telegram"
        case .ntfy(let server, _, _): "ntfy at \(Self.host(.plain(server)))"
        case .mail(let to, _):
            "mail to " + AlertWording.list(to.prefix(3) + (to.count > 3 ? ["\(to.count - 3) more"] : []), "and")
        case .command(let arguments, _): "the command \(arguments.first ?? "")"
        }
    }

    private static func host(_ url: SecretText) -> String {
        switch url {
        case .plain(let text): AlertAddress.host(of: text) ?? "an address that cannot be"
        case .secret: "a secret address"
        }
    }

    private static func signature(_ keys: Int) -> String {
        switch keys {
        case 0: "not signed"
        case 1: "signed"
        default: "signed with \(keys) keys"
        }
    }
}

extension AlertMute {
    /// The mute in words: “nothing about moves of habits in us until 2026-12-24”.
    ///
    /// - Parameter apps: those of the watchlist, for their aliases.
    package func words(apps: [WatchedApp]) -> String {
        var words = "nothing"
        if let kind { words += " about \(kind.noun)" }
        if let app { words += (kind == nil ? " about " : " of ") + AlertWording.app(app, among: apps) }
        if let query { words += " for “\(query)”" }
        if let country { words += " in \(country)" }
        if let tag { words += " on tag \(tag)" }
        return words + (until.map { " until \($0)" } ?? " until the line is removed")
    }

    /// What is muted, in few words: “moves of habits in us until 2026-12-24”, “query “habit tracker””.
    ///
    /// - Parameter apps: those of the watchlist, for their aliases.
    package func subject(apps: [WatchedApp]) -> String {
        let app = app.map { AlertWording.app($0, among: apps) }
        var words = [kind?.noun, app].compactMap(\.self).joined(separator: " of ")
        func add(_ bare: String, _ preposition: String, _ name: String?) {
            guard let name else { return }
            words += words.isEmpty ? "\(bare) \(name)" : " \(preposition) \(name)"
        }
        add("query", "for", query.map { "“\($0)”" })
        add("country", "in", country?.code)
        add("tag", "on tag", tag)
        return words + (until.map { " until \($0)" } ?? "")
    }
}

extension AlertKind {
    /// What messages of this kind are about.
    package var noun: String {
        switch self {
        case .moved: "moves"
        case .entered: "entries"
        case .left: "exits"
        case .overtaken: "being overtaken"
        case .overtook: "overtaking"
        case .drift: "slow slides"
        case .newcomer: "newcomers"
        case .release: "releases"
        case .price: "prices"
        case .name: "names"
        case .weather: "weather"
        case .appUnknown: "unknown apps"
        case .service: "the service"
        case .digest: "the digest"
        }
    }
}
