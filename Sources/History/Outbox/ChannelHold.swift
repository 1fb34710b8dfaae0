import Foundation
import GRDB
import RankKit

/// What the tries on a channel came to for the rest that is to go there.
struct ChannelHold: Codable, Hashable {
    private enum CodingKeys: String, CodingKey {
        case newer
        case all = "rest"
        case taken
    }

    private var newer: Int64?
    private var all: Int64?
    private var taken: Int64?

    /// - Parameters:
    ///   - newer: when what failed is due, which holds up what is newer; `nil` if it holds up nothing.
    ///   - all: until when the channel asked to be left alone, so that nothing goes there; `nil` if it did not.
    ///   - taken: when the channel took a message last, while others waited that it had not taken; `nil` if never.
    /// - Returns: `nil` if there is none of these.
    init?(newer: Timestamp?, all: Timestamp?, taken: Timestamp?) {
        guard newer != nil || all != nil || taken != nil else { return nil }
        (self.newer, self.all) = (newer?.secondsSinceEpoch, all?.secondsSinceEpoch)
        self.taken = taken?.secondsSinceEpoch
    }

    /// Until when what is newer than what failed is held up; `nil` if it is not.
    func newer(at now: Timestamp) -> Timestamp? { Self.fit(newer, at: now) }

    /// Until when nothing goes to the channel; `nil` if something may.
    func all(at now: Timestamp) -> Timestamp? { Self.fit(all, at: now) }

    /// When the channel took a message last: what was tried in vain before is tried at once. `nil` if it was by a clock
    /// that was ahead.
    func taken(at now: Timestamp) -> Timestamp? {
        taken.map(Timestamp.init(secondsSinceEpoch:)).flatMap { $0 <= now ? $0 : nil }
    }

    /// `nil` if it is over, or was written by a clock that was ahead.
    private static func fit(_ seconds: Int64?, at now: Timestamp) -> Timestamp? {
        guard let until = seconds.map(Timestamp.init(secondsSinceEpoch:)) else { return nil }
        return now < until && until <= now + OutboxDelivery.longestWait ? until : nil
    }

    /// By the names of channels. What is no such thing holds nothing.
    static func all(in database: Database) throws -> [String: ChannelHold] {
        guard let text = try Setting.channelHolds.text(in: database) else { return [:] }
        do { return try JSONDecoder().decode([String: ChannelHold].self, from: Data(text.utf8)) } catch { return [:] }
    }

    /// - Parameter taken: now, if a message was taken and others wait that were not; `nil` leaves what was noted so.
    static func set(
        newer: Timestamp?, all rest: Timestamp?, taken: Timestamp?, on channel: String, in database: Database
    ) throws {
        var holds = try all(in: database)
        let known = holds[channel]
        let before = known?.taken.map(Timestamp.init(secondsSinceEpoch:))
        let hold = ChannelHold(newer: newer, all: rest, taken: taken ?? before)
        guard known != hold else { return }
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
