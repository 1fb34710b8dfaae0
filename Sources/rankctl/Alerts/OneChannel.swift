import Alerts
internal import ArgumentParser
import Console
import Foundation
import RankKit
import ReportCommands

/// One channel of the watchlist, to which a person sends a message now.
struct OneChannel {
    private let channel: AlertChannel
    private let surroundings: AlertSender.Surroundings

    /// - Parameters:
    ///   - name: the watchlist's name of it.
    ///   - path: of the watchlist, beside which secrets are.
    ///   - mail: what takes the message, where the channel is one of mail.
    /// - Throws: `ValidationError` where the watchlist has no such channel.
    init(
        _ name: String, of watchlist: Watchlist, at path: String, mail: MailRoute, _ surroundings: Surroundings
    ) throws {
        let settings = try AlertsCommand.settings(of: watchlist)
        guard let channel = settings.channels.first(where: { $0.name == name }) else {
            let names = settings.channels.map(\.name).joined(separator: ", ")
            throw ValidationError("there is no channel “\(SafeText.escaped(name))”; there are: \(names)")
        }
        self.channel = channel
        self.surroundings = AlertSender.Surroundings(
            secrets: surroundings.secrets(besides: path), mail: mail, host: ProcessInfo.processInfo.hostName,
            now: { Timestamp(Date()) })
    }

    /// Sends `message`, and says what the channel answered.
    ///
    /// - Throws: `ExitStatus.unavailable` if it was not taken.
    func send(_ message: AlertMessage) async throws {
        CoreFiles.refuse()
        try Descriptors.require(16)
        let sender: AlertSender
        do throws(AlertSender.Unusable) { sender = try AlertSender(channel, in: surroundings) } catch {
            Terminal.explain(SafeText.escaped("\(error)"))
            throw ExitStatus.unavailable
        }
        let answer = try await sender.send(message)
        await sender.shutdown()
        Terminal.say(SafeText.escaped("\(channel.name): \(answer.words)"))
        if answer != .delivered { throw ExitStatus.unavailable }
    }
}

extension DeliveryAnswer {
    fileprivate var words: String {
        switch self {
        case .delivered: "delivered"
        case .retry(let after, let why), .declined(let after, let why):
            "not taken now: \(why)" + (after.map { "; again in \($0) s" } ?? "")
        case .refused(let why): "refused: \(why)"
        case .gone: "status 410: the address no longer takes messages"
        }
    }
}
