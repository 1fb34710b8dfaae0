package import NIOSSL
package import Outgoing
package import RankKit
import Reports

/// Sends messages to one channel, one at a time.
///
/// It holds the secrets as they were when it was made: when they change, make another.
package actor AlertSender {
    /// What all senders of a program have in common.
    package struct Surroundings: Sendable {
        package var secrets: AlertSecrets
        /// What takes mails; `nil` if nothing does.
        package var mail: MailRoute?
        /// The name of this machine, for the names of mails.
        package var host: String
        package var resolver = HostResolver.system
        package var now: @Sendable () -> Timestamp
        package var clock: any Clock<Duration> = ContinuousClock()
        package var trust = NIOSSLTrustRoots.default
        /// Where Telegram's bots are.
        package var telegram = "https://api.telegram.org"

        package init(
            secrets: AlertSecrets, mail: MailRoute?, host: String, now: @escaping @Sendable () -> Timestamp
        ) {
            self.secrets = secrets
            self.mail = mail
            self.host = host
            self.now = now
        }
    }

    private enum Transport: Sendable {
        case http(WebhookClient, @Sendable (AlertMessage, Timestamp) -> AlertPost)
        case mail(MailRoute, @Sendable (AlertMessage, Timestamp) -> MailMessage)
        case command(CommandTransport)
    }

    package nonisolated let name: String
    private let transport: Transport
    private let now: @Sendable () -> Timestamp
    private let turns = WaitingTasks()
    private var isBusy = false

    /// - Throws: `Unusable`, which says what the channel lacks. It never holds a secret.
    package init(_ channel: AlertChannel, in surroundings: Surroundings) throws(Unusable) {
        name = channel.name
        now = surroundings.now
        do { transport = try Self.transport(of: channel, surroundings) } catch {
            throw Unusable(channel: channel.name, reason: error.description)
        }
    }

    /// Sends a message, after those that wait already.
    ///
    /// - Throws: `CancellationError` if the task was cancelled. The message may have arrived all the same.
    package func send(_ message: AlertMessage) async throws -> DeliveryAnswer {
        while isBusy {
            guard await turns.wait() else { throw CancellationError() }
        }
        isBusy = true
        defer {
            isBusy = false
            turns.wakeFirst()
        }
        let moment = now()
        switch transport {
        case .http(let client, let post): return try await client.send(post(message, moment))
        case .mail(let route, let mail):
            return await route.take(mail(message, moment), name: "\(message.id).\(name)")
        case .command(let command): return try await command.run(WebhookPayload.body(message, sentAt: moment))
        }
    }

    package func shutdown() async {
        if case .http(let client, _) = transport { await client.shutdown() }
    }

    /// Why nothing can be sent to a channel.
    package struct Unusable: Error, Sendable, Hashable, CustomStringConvertible {
        package let channel: String
        package let reason: String

        package var description: String { "channel “\(channel)”: \(reason)" }
    }

    private struct Lack: Error {
        var description: String
    }
}

extension AlertSender {
    private static func transport(of channel: AlertChannel, _ surroundings: Surroundings) throws(Lack) -> Transport {
        let making = TransportMaking(privateHosts: channel.privateHosts, surroundings: surroundings)
        switch channel.transport {
        case .webhook(let url, let secrets): return try making.webhook(url, secrets)
        case .slack(let url):
            let address = try making.address(url, of: "its secret address")
            return making.http { message, _ in AlertPost(address, body: SlackPayload.body(message)) }
        case .discord(let url):
            let address = try making.address(url, of: "its secret address")
            return making.http { message, _ in
                AlertPost(address, body: DiscordPayload.body(message), answer: .discord)
            }
        case .telegram(let token, let chat): return try making.telegram(token, chat)
        case .ntfy(let server, let topic, let token): return try making.ntfy(server, topic, token)
        case .mail(let to, let from): return try making.mail(to: to, from: from)
        case .command(let arguments, let seconds):
            return .command(CommandTransport(arguments, limit: .seconds(seconds), clock: surroundings.clock))
        }
    }

    /// Makes the transport of a channel from what the watchlist says of it.
    private struct TransportMaking {
        let privateHosts: [String]
        let surroundings: Surroundings

        func http(_ post: @escaping @Sendable (AlertMessage, Timestamp) -> AlertPost) -> Transport {
            .http(
                WebhookClient(
                    privateHosts: privateHosts, resolver: surroundings.resolver, now: surroundings.now,
                    clock: surroundings.clock, trust: surroundings.trust), post)
        }

        func address(_ secretText: SecretText, of what: String) throws(Lack) -> OutgoingAddress {
            try address(secret(secretText).revealed, of: what)
        }

        private func secret(_ text: SecretText) throws(Lack) -> Secret {
            do { return try surroundings.secrets.resolve(text) } catch { throw Lack(description: error.description) }
        }

        private func address(_ text: String, of what: String) throws(Lack) -> OutgoingAddress {
            do { return try OutgoingAddress(text) } catch { throw Lack(description: "\(what) \(error)") }
        }

        func webhook(_ url: SecretText, _ secrets: [SecretText]) throws(Lack) -> Transport {
            let address = try address(url, of: "its address")
            var keys: [Secret] = []
            for text in secrets { keys.append(try secret(text)) }
            guard let signature = WebhookSignature(secrets: keys) else {
                throw Lack(description: "its signing secret must be whsec_ followed by 24 to 64 bytes in base64")
            }
            return http { message, moment in
                let body = WebhookPayload.body(message, sentAt: moment)
                return AlertPost(
                    address, headers: signature.headers(id: message.id, at: moment, body: body), body: body)
            }
        }

        func telegram(_ token: SecretText, _ chat: SecretText) throws(Lack) -> Transport {
            let (token, chat) = (try secret(token), try secret(chat))
            guard TelegramPayload.isToken(token.revealed) else {
                throw Lack(
                    description: "the token of its bot must be as BotFather gives it: digits, a colon and letters")
            }
            let address = try address(surroundings.telegram + "/bot\(token.revealed)/sendMessage", of: "its address")
            return http { message, _ in
                AlertPost(address, body: TelegramPayload.body(message, chat: chat), answer: .telegram)
            }
        }

        func ntfy(_ server: String, _ topic: SecretText, _ token: SecretText?) throws(Lack) -> Transport {
            let address = try address(server, of: "its server")
            let topic = try secret(topic)
            guard NtfyPayload.isTopic(topic.revealed) else {
                throw Lack(description: "its topic is not 1 to 64 letters, digits, _ or -")
            }
            let bearer = try token.map { text throws(Lack) in Secret("Bearer \(try secret(text).revealed)") }
            return http { message, _ in
                AlertPost(
                    address, headers: bearer.map { [(name: "Authorization", value: $0)] } ?? [],
                    body: NtfyPayload.body(message, topic: topic))
            }
        }

        func mail(to: [String], from: String?) throws(Lack) -> Transport {
            guard let route = surroundings.mail else { throw Lack(description: "there is nothing that takes mail") }
            let recipients = to.compactMap { MailAddress($0) }
            guard !recipients.isEmpty, recipients.count == to.count else {
                throw Lack(description: "one of its addresses is not a mail address")
            }
            let sender = from.flatMap { MailAddress($0) }
            guard from == nil || sender != nil else { throw Lack(description: "its sender is not a mail address") }
            return .mail(route) { [host = surroundings.host] message, moment in
                AlertMail.message(message, to: recipients, from: sender, host: host, sentAt: moment)
            }
        }
    }
}
