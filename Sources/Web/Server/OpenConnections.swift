import NIOCore
import RankKit
import Synchronization

/// The connections that are open, and whose they are: so that no one client has all of them, and a stop ends them.
///
/// Where there are as many as may be, one is closed for each that comes: the oldest of the client that has most. Clients
/// with several over which nobody has logged in go first, then whoever holds more than a quarter of all, then those with a
/// single one over which nobody has logged in yet.
final class OpenConnections: Sendable {
    private struct Entry {
        let channel: any Channel
        let number: Int
        /// Whose it is: its address until somebody has logged in.
        var client: Client
    }

    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        var last = 0
    }

    private let state = Mutex(State())
    let most: Int

    /// - Parameter most: connections at the same time, from 1.
    init(most: Int = .max) { self.most = most }

    var count: Int { state.withLock { $0.entries.count } }

    func add(_ channel: any Channel) {
        let place = channel.remoteAddress?.ipAddress.map { IPAddress($0)?.place ?? $0 } ?? "socket"
        let closed = state.withLock { state -> (any Channel)? in
            state.last += 1
            state.entries[ObjectIdentifier(channel)] = Entry(
                channel: channel, number: state.last, client: .address(place))
            guard state.entries.count > most, let (key, entry) = tooMany(state.entries) else { return nil }
            state.entries[key] = nil
            return entry.channel
        }
        closed?.close(promise: nil)
    }

    func remove(_ channel: any Channel) { state.withLock { $0.entries[ObjectIdentifier(channel)] = nil } }

    /// Notes who has logged in over it.
    func note(_ client: Client, over channel: any Channel) {
        state.withLock { $0.entries[ObjectIdentifier(channel)]?.client = client }
    }

    func closeAll() {
        let channels = state.withLock { $0.entries.values.map(\.channel) }
        for channel in channels { channel.close(promise: nil) }
    }

    private func tooMany(_ entries: [ObjectIdentifier: Entry]) -> (ObjectIdentifier, Entry)? {
        let held = entries.values.reduce(into: [Client: (count: Int, oldest: Int)]()) { held, entry in
            let before = held[entry.client]
            held[entry.client] = ((before?.count ?? 0) + 1, min(before?.oldest ?? .max, entry.number))
        }
        func rank(_ client: Client, _ held: (count: Int, oldest: Int)) -> (Int, Int, Int) {
            let group =
                if client.isKnown { held.count > most / 4 ? 2 : 0 } else { held.count > 1 ? 3 : 1 }
            return (group, held.count, -held.oldest)
        }
        guard let most = held.max(by: { rank($0.key, $0.value) < rank($1.key, $1.value) }) else { return nil }
        return entries.first { $0.value.number == most.value.oldest }.map { ($0.key, $0.value) }
    }
}
