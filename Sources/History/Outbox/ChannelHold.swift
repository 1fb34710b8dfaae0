import Foundation
import GRDB
import RankKit

/// What the last try on a channel came to for the rest that is to go there.
struct ChannelHold: Codable, Hashable {
    private enum CodingKeys: String, CodingKey {
        case seconds = "until"
        case isOfAll = "all"
    }

    private var seconds: Int64
    /// Whether the channel asked to be left alone: then nothing goes there before. Else what failed is due then, and holds
    /// up what is newer.
    private(set) var isOfAll: Bool

    var until: Timestamp { Timestamp(secondsSinceEpoch: seconds) }

    init(until moment: Timestamp, isOfAll: Bool) {
        (seconds, self.isOfAll) = (moment.secondsSinceEpoch, isOfAll)
    }

    /// Whether it was not written by a clock that was ahead.
    func isFit(at now: Timestamp) -> Bool { now < until && until <= now + OutboxDelivery.longestWait }

    /// By the names of channels. What is no such thing holds nothing.
    static func all(in database: Database) throws -> [String: ChannelHold] {
        guard let text = try Setting.channelHolds.text(in: database) else { return [:] }
        do { return try JSONDecoder().decode([String: ChannelHold].self, from: Data(text.utf8)) } catch { return [:] }
    }

    /// - Parameter hold: `nil` for none.
    static func set(_ hold: ChannelHold?, on channel: String, in database: Database) throws {
        var holds = try all(in: database)
        guard holds[channel] != hold else { return }
        holds[channel] = hold
        try write(holds, in: database)
    }

    static func forget(on channels: (String) -> Bool, in database: Database) throws {
        let holds = try all(in: database)
        let rest = holds.filter { !channels($0.key) }
        if rest.count < holds.count { try write(rest, in: database) }
    }

    private static func write(_ holds: [String: ChannelHold], in database: Database) throws {
        guard !holds.isEmpty else { return try Setting.channelHolds.set(nil, in: database) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try Setting.channelHolds.set(String(decoding: try encoder.encode(holds), as: UTF8.self), in: database)
    }
}
