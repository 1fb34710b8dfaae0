import NIOCore
import RankKit
import Synchronization

/// The connections that are open, and whose they are: so that no one client has all of them, and a stop ends them.
///
/// Where there are as many as may be, one is closed for each that comes: the oldest of the client that has most. Those over
/// which nobody has logged in go first.
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
    private let most: Int

    /// - Parameter most: connections at the same time, from 1.
    init(most: Int = .max) { self.most = most }

    var count: Int { state.withLock { $0.entries.count } }

    func add(_ channel: any Channel) {
        let place = channel.remoteAddress?.ipAddress.map { IPAddress($0)?.place ?? $0 } ?? "socket"
        let closed = state.withLock { state -> (any Channel)? in
            state.last += 1
            state.entries[ObjectIdentifier(channel)] = Entry(
                channel: channel, number: state.last, client: Client(name: "address " + place, isKnown: false))
            guard state.entries.count > most, let (key, entry) = Self.tooMany(state.entries) else { return nil }
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

    private static func tooMany(_ entries: [ObjectIdentifier: Entry]) -> (ObjectIdentifier, Entry)? {
        let held = entries.values.reduce(into: [Client: Int]()) { $0[$1.client, default: 0] += 1 }
        // A client with a single one that has not logged in yet may be about to.
        func rank(_ client: Client, _ count: Int) -> (Int, Int) { (!client.isKnown && count > 1 ? 1 : 0, count) }
        guard let most = held.max(by: { rank($0.key, $0.value) < rank($1.key, $1.value) })?.key else { return nil }
        return entries.filter { $0.value.client == most }.min { $0.value.number < $1.value.number }.map {
            ($0.key, $0.value)
        }
    }
}
