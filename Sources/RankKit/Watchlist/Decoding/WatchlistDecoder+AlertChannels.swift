import JSON5

extension WatchlistDecoder {
    /// The ways out by their names.
    mutating func channels(_ members: [JSON5Member]) -> [AlertChannel] {
        if members.count > AlertLimits.channels {
            refuse(
                at: members[AlertLimits.channels].keyRange.lowerBound, "more than \(AlertLimits.channels) channels",
                "keep \(AlertLimits.channels) of them at most")
        }
        var names: [String: String] = [:]
        return members.prefix(AlertLimits.channels).compactMap { member in
            let isNamed = checkName(member, against: &names)
            guard let channel = channel(member.value, name: member.key), isNamed else { return nil }
            return channel
        }
    }

    private mutating func checkName(_ member: JSON5Member, against names: inout [String: String]) -> Bool {
        guard AlertChannel.isName(member.key) else {
            refuse(
                at: member.keyRange.lowerBound, "this is not a valid name for a channel",
                "write 1 to 40 letters, digits, dots, hyphens or underscores, not beginning with “-”")
            return false
        }
        guard let other = names.updateValue(member.key, forKey: member.key.lowercased()) else { return true }
        if other == member.key {
            refuseDuplicate(member)
        } else {
            refuse(
                at: member.keyRange.lowerBound, "differs from the channel “\(other)” only in upper and lower case",
                "choose another name")
        }
        return false
    }

    private mutating func channel(_ place: JSON5Node, name: String) -> AlertChannel? {
        guard let fields = fields(place, of: .channel, remedy: "write { \"slack\": \"secret:slack-url\" }") else {
            return nil
        }
        let given = fields.members.filter { AlertChannel.kinds.contains($0.key) }
        guard let first = given.first else {
            refuse(place, "the channel has no kind", "add one of \(AlertChannel.kinds.joined(separator: ", "))")
            return nil
        }
        for other in given.dropFirst() {
            refuse(
                at: other.keyRange.lowerBound, "“\(other.key)” beside “\(first.key)”",
                "keep one of them, and make the other a channel of its own")
        }
        // With two of them, there is no telling what the other keys belong to.
        if given.count == 1 { refuseStrayKeys(fields, kind: first.key) }
        let transport = transport(first, fields)
        let hosts = fields["privateHosts"].map { privateHosts($0) } ?? []
        guard let transport, given.count == 1 else { return nil }
        if let place = fields["privateHosts"] { warnOfIdleHosts(hosts, place, transport) }
        warnOfPrivateAddress(first.value, transport, hosts)
        return AlertChannel(name: name, transport: transport, privateHosts: hosts)
    }

    /// The keys that a way out may have beside its own.
    private static let options = [
        "webhook": ["secret", "privateHosts"], "slack": ["privateHosts"], "discord": ["privateHosts"],
        "telegram": ["chat", "privateHosts"], "ntfy": ["topic", "token", "privateHosts"], "mail": ["from"],
        "command": ["timeout"],
    ]

    private mutating func refuseStrayKeys(_ fields: Fields, kind: String) {
        let options = Self.options[kind] ?? []
        for member in fields.members where member.key != kind && !options.contains(member.key) {
            let owners = AlertChannel.kinds.filter { Self.options[$0]?.contains(member.key) ?? false }
            refuse(
                at: member.keyRange.lowerBound, "“\(member.key)” means nothing for \(kind)",
                "remove it: it belongs to \(owners.joined(separator: ", "))")
        }
    }

    private mutating func transport(_ member: JSON5Member, _ fields: Fields) -> AlertChannel.Transport? {
        switch member.key {
        case "webhook": webhook(member.value, fields)
        case "slack": secret(member.value, example: "slack-url").map { .slack(url: $0) }
        case "discord": secret(member.value, example: "discord-url").map { .discord(url: $0) }
        case "telegram": telegram(member.value, fields)
        case "ntfy": ntfy(member.value, fields)
        case "mail": mail(member.value, fields)
        default: command(member.value, fields)
        }
    }

    private mutating func telegram(_ place: JSON5Node, _ fields: Fields) -> AlertChannel.Transport? {
        let token = secret(place, example: "telegram-token")
        guard let chatPlace = fields["chat"] else {
            refuse(fields.place, "no “chat”", "add \"chat\": \"12345\", the number of the chat that the bot writes to")
            return nil
        }
        let chat = openOrSecret(chatPlace, example: "12345") { text in
            let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
            let isNumber = (1...20).contains(digits.utf8.count) && digits.utf8.allSatisfy(JSON5Parser.isDigit)
            let name = text.dropFirst()
            let isName = text.hasPrefix("@") && SecretText.isName(String(name)) && !name.contains { ".-".contains($0) }
            return isNumber || isName
                ? nil
                : ("this is not a chat", "write its number in quotes, such as \"-1001234567890\", or \"@channel\"")
        }
        guard let token, let chat else { return nil }
        return .telegram(token: token, chat: chat)
    }

    private mutating func ntfy(_ place: JSON5Node, _ fields: Fields) -> AlertChannel.Transport? {
        let server = address(place, example: "https://ntfy.sh")
        if let server, !server.isOrigin {
            refuse(place, "the address has a path", "write only the server, such as https://ntfy.sh, and a topic")
        }
        let token = fields["token"].map { secret($0, example: "ntfy-token") }
        guard let topicPlace = fields["topic"] else {
            refuse(
                fields.place, "no “topic”", "add \"topic\": \"secret:ntfy-topic\": whoever knows a topic can read it")
            return nil
        }
        let topic = openOrSecret(topicPlace, example: "secret:ntfy-topic") { text in
            // What ntfy takes: https://docs.ntfy.sh/publish
            (1...64).contains(text.utf8.count) && AlertChannel.isWord(text) && !text.contains(".")
                ? nil : ("this is not a topic", "write 1 to 64 letters, digits, hyphens or underscores")
        }
        guard let server, server.isOrigin, let topic else { return nil }
        switch token {
        case .none: return .ntfy(server: server.origin, topic: topic, token: nil)
        case .some(.none): return nil
        case .some(.some(let token)): return .ntfy(server: server.origin, topic: topic, token: token)
        }
    }

    private mutating func mail(_ place: JSON5Node, _ fields: Fields) -> AlertChannel.Transport? {
        let places = bounded(
            oneOrMore(place, example: "team@example.com"), by: AlertLimits.recipients, called: "addresses")
        let to = places.map { mailAddress($0) }
        let from = fields["from"].map { mailAddress($0) }
        let known = to.compactMap { $0 }
        guard !known.isEmpty, known.count == to.count else { return nil }
        switch from {
        case .none: return .mail(to: known, from: nil)
        case .some(.none): return nil
        case .some(.some(let from)): return .mail(to: known, from: from)
        }
    }

    private mutating func mailAddress(_ place: JSON5Node) -> String? {
        guard let text = text(place, example: "team@example.com") else { return nil }
        if MailAddress(text) != nil { return text }
        refuse(
            place, "“\(TextRule.shown(text))” is not an address of mail",
            "write one without a name and without quotes, such as team@example.com")
        return nil
    }

    private mutating func command(_ place: JSON5Node, _ fields: Fields) -> AlertChannel.Transport? {
        let seconds = fields["timeout"].flatMap { timeout($0) } ?? AlertLimits.defaultTimeout
        guard let places = nonEmpty(place, example: "\"/usr/local/bin/send\", \"--flag\"") else { return nil }
        let arguments = places.enumerated().compactMap { argument($1, isProgram: $0 == 0) }
        guard arguments.count == places.count else { return nil }
        guard arguments.reduce(0, { $0 + $1.utf8.count + 1 }) <= AlertLimits.longestCommand else {
            refuse(
                place, "the command is longer than \(AlertLimits.longestCommand) bytes",
                "put it into a script")
            return nil
        }
        return .command(arguments, seconds: seconds)
    }

    private mutating func argument(_ place: JSON5Node, isProgram: Bool) -> String? {
        guard let text = text(place, example: isProgram ? "/usr/local/bin/send" : "--flag") else { return nil }
        let problem: (String, String)? =
            if text.hasPrefix(SecretText.prefix) {
                (
                    "every user of the machine can read the arguments of a command",
                    "let the program read its secret by itself"
                )
            } else if text.unicodeScalars.contains("\0") {
                ("an argument cannot hold the character U+0000", "leave it out")
            } else if isProgram, !text.hasPrefix("/") || text.hasSuffix("/") || TextRule.hasControl(text) {
                (
                    "“\(TextRule.shown(text))” is not the absolute path of a program",
                    "write one such as \"/usr/local/bin/send\": no shell looks it up"
                )
            } else {
                nil
            }
        guard let problem else { return text }
        refuse(place, problem.0, problem.1)
        return nil
    }

    private mutating func timeout(_ place: JSON5Node) -> Int? {
        lengthOfTime(place, in: AlertLimits.timeout, example: "30s", range: "1s to 5m").map { Int($0) }
    }

    /// A length of time in seconds.
    mutating func lengthOfTime(
        _ place: JSON5Node, in permitted: ClosedRange<Int64>, example: String, range: String
    ) -> Int64? {
        guard let text = text(place, example: example) else { return nil }
        guard let seconds = Self.seconds(of: text) else {
            refuse(
                place, "“\(TextRule.shown(text))” is not a length of time",
                "write a whole number and s, m, h, d or w, such as \(example)")
            return nil
        }
        guard permitted.contains(seconds) else {
            refuse(place, "“\(TextRule.shown(text))” is not in the range", "write a length from \(range)")
            return nil
        }
        return seconds
    }
}
