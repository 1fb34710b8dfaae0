import JSON5

/// What a channel says of servers and secrets. No mistake repeats a value: it may be a secret in the wrong place.
extension WatchlistDecoder {
    mutating func webhook(_ place: JSON5Node, _ fields: Fields) -> AlertChannel.Transport? {
        let secrets = fields["secret"].map { webhookSecrets($0) } ?? []
        let url: SecretText?
        if case .string(let text) = place.value, text.hasPrefix(SecretText.prefix) {
            url = secret(place, example: "hook-url")
        } else {
            url = address(place, example: "https://example.com/rankd")
                .flatMap { isOthers($0, place) ? nil : .plain($0.text) }
        }
        guard let url, let secrets else { return nil }
        return .webhook(url: url, secrets: secrets)
    }

    /// Whoever has the address of Slack or Discord can send as the user, and both take another body.
    private mutating func isOthers(_ address: AlertAddress, _ place: JSON5Node) -> Bool {
        let others = [
            "hooks.slack.com": "slack", "discord.com": "discord", "discordapp.com": "discord",
            "api.telegram.org": "telegram",
        ]
        guard let kind = others[address.host] else { return false }
        refuse(
            place, "an address of \(kind) is a secret",
            "write \"\(kind)\": \"secret:\(kind == "telegram" ? "telegram-token" : kind + "-url")\", and keep the value "
                + "under that name: docs/alerts.md says where")
        return true
    }

    /// The keys that messages are signed with: one, or while it is changed the new and the old.
    private mutating func webhookSecrets(_ place: JSON5Node) -> [SecretText]? {
        let places = bounded(oneOrMore(place, example: "secret:hook-key"), by: AlertLimits.secrets, called: "secrets")
        var secrets: [SecretText] = []
        for place in places {
            guard let secret = secret(place, example: "hook-key") else { continue }
            if secrets.contains(secret) {
                refuse(place, "the secret is named twice", "keep it once")
            } else {
                secrets.append(secret)
            }
        }
        return !secrets.isEmpty && secrets.count == places.count ? secrets : nil
    }

    /// What may stand in the file by name only.
    mutating func secret(_ place: JSON5Node, example: String) -> SecretText? {
        let written = SecretText.prefix + example
        guard let text = text(place, example: written) else { return nil }
        guard text.hasPrefix(SecretText.prefix) else {
            refuse(
                place, "this is a secret, and secrets do not belong in the watchlist",
                "write \(JSONString.quoted(written)), and keep the value under that name: docs/alerts.md says where")
            return nil
        }
        let name = String(text.dropFirst(SecretText.prefix.count))
        guard SecretText.isName(name) else {
            refuse(
                place, "what follows “\(SecretText.prefix)” is not a name",
                "write 1 to 64 letters, digits, dots, hyphens or underscores, such as \(JSONString.quoted(written)); the "
                    + "value is kept elsewhere, as docs/alerts.md says")
            return nil
        }
        return .secret(name: name)
    }

    /// What may stand in the file as it is, or by name.
    ///
    /// - Parameter flaw: what is wrong with an open text, and what to do about it.
    mutating func openOrSecret(
        _ place: JSON5Node, example: String, flaw: (String) -> (problem: String, remedy: String)?
    ) -> SecretText? {
        guard let text = text(place, example: example) else { return nil }
        if text.hasPrefix(SecretText.prefix) { return secret(place, example: "name") }
        guard let flaw = flaw(text) else { return .plain(text) }
        refuse(place, flaw.problem, flaw.remedy)
        return nil
    }

    mutating func address(_ place: JSON5Node, example: String) -> AlertAddress? {
        guard let text = text(place, example: example) else { return nil }
        do throws(AlertAddress.Flaw) { return try AlertAddress(text) } catch {
            refuse(place, error.problem, error.remedy)
            return nil
        }
    }

    /// Hosts whose private addresses may be connected to.
    mutating func privateHosts(_ place: JSON5Node) -> [String] {
        var hosts: [String] = []
        for place in nonEmpty(place, example: "\"hook.lan\"") ?? [] {
            guard let text = text(place, example: "hook.lan") else { continue }
            if let host = AlertAddress.host(text) {
                if !hosts.contains(host) { hosts.append(host) }
            } else {
                refuse(
                    place, "this is not a host",
                    "write only its name or its address, such as hook.lan or 10.0.0.7")
            }
        }
        return hosts
    }

    /// A host that the channel never connects to, if that can be seen.
    mutating func warnOfIdleHosts(_ hosts: [String], _ place: JSON5Node, _ transport: AlertChannel.Transport) {
        guard let connected = transport.writtenHost else { return }
        for host in hosts where host != connected {
            warn(place, "the channel does not connect to “\(host)”", "name the host of its address, or remove it")
        }
    }

    /// An address by number that rankd refuses to connect to. Of a name only the sender learns where it leads.
    mutating func warnOfPrivateAddress(_ place: JSON5Node, _ transport: AlertChannel.Transport, _ hosts: [String]) {
        guard let host = transport.writtenHost, let address = IPAddress(host),
            !PrivateHosts(hosts).admits(address, of: host)
        else { return }
        let canBeNamed = PrivateHosts([host]).admits(address, of: host)
        warn(
            place, "rankd does not connect to \(host), because it is not on the public Internet",
            canBeNamed
                ? "name it in privateHosts: \"privateHosts\": [\(JSONString.quoted(host))]"
                : "write another address: privateHosts does not help with this one")
    }
}

extension AlertChannel.Transport {
    /// The host that the watchlist itself names; `nil` if none is, or a secret does.
    fileprivate var writtenHost: String? {
        switch self {
        case .webhook(.plain(let url), _): AlertAddress.host(of: url)
        case .ntfy(let server, _, _): AlertAddress.host(of: server)
        default: nil
        }
    }
}
