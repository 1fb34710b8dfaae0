import History
import RankKit

@testable import Alerts

/// Whether each event came in one message, and each message once.
extension AlertYearVerdict {
    mutating func judgeRepetition() {
        var messages: [String: [String]] = [:]
        for message in life.receiver.messages {
            for line in Set(message.events) { messages[line, default: []].append(message.id) }
        }
        for (line, ids) in messages where ids.count > 1 { flaws.append("\(line.words) in \(ids.count) messages") }
        // The same by another day of its beginning.
        let lines = messages.keys.compactMap { events[$0]?.told }
        for (key, same) in Dictionary(grouping: lines, by: \.key) {
            let sorted = same.sorted { $0.onset < $1.onset }
            for (one, next) in zip(sorted, sorted.dropFirst())
            where next.onset - one.onset <= one.sameWithin && next.onset <= one.overOn ?? .max {
                flaws.append("\(key.words) on \(one.onset) and on \(next.onset)")
            }
        }
        judgeSameMoves(lines)
        flaws += life.receiver.differing.map { "\($0) came again with other lines" }
    }

    /// A move between the same places is told once, whether as a move or as an entry into the first places.
    private mutating func judgeSameMoves(_ lines: [ToldEvent]) {
        for (_, moves) in Dictionary(grouping: lines.filter { $0.isOfPair && !$0.isBack }, by: \.subject) {
            let moves = moves.sorted { ($0.onset, $0.key) < ($1.onset, $1.key) }
            for (index, one) in moves.enumerated() {
                for other in moves[(index + 1)...]
                where one.key != other.key && one.to == other.to && one.knownIsUp == other.knownIsUp
                    && other.onset <= one.overOn ?? .max
                    && other.onset - one.onset <= min(one.sameWithin, other.sameWithin)
                {
                    flaws.append("\(one.event.words) and \(other.event.words) are one move, in two messages")
                }
            }
        }
    }

    mutating func judgeDeliveries() throws {
        let arrived = Set(life.receiver.arrivals.keys)
        for delivery in try reader.deliveries(limit: 100_000) {
            switch delivery.state {
            case .delivered:
                if !arrived.contains(delivery.message) { flaws.append("\(delivery.message) did not arrive") }
            case .withdrawn:
                if arrived.contains(delivery.message) { flaws.append("\(delivery.message) was withdrawn and sent") }
            case .due:
                if delivery.decidedAt.day < end.day - 8 { flaws.append("\(delivery.message) is due for ever") }
            case .expired:
                let title = AlertMessage(stored: delivery.content)?.title ?? delivery.message
                let isSummedUp = life.receiver.messages.contains { message in
                    // A remark names a few of them.
                    message.at >= delivery.decidedAt
                        && (message.remark.map { $0.contains(title) || $0.contains("; and ") } ?? false)
                }
                if isSummedUp {
                    summedUp.insert(delivery.message)
                } else if delivery.decidedAt.day < end.day - 8 {
                    flaws.append("\(delivery.message) expired, and no later message sums it up")
                }
            default: flaws.append("\(delivery.message) is \(delivery.state)")
            }
        }
    }
}
