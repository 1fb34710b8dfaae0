import GRDB
package import RankKit

/// What the service leaves in the file about itself, for whoever looks when it is gone.
package struct ServiceLife: Sendable, Hashable {
    /// Since when a service that nobody has stopped runs, or was to run.
    package var since: Timestamp?
    /// When it was stopped; `nil` if it was not, or if somebody asks by `--once` since.
    package var stoppedAt: Timestamp?
    /// Its last sign of life: a heartbeat while it rests, or a request.
    package var seenAt: Timestamp?
    /// When the watchlist in force was taken up.
    package var adoptedAt: Timestamp?
    /// When a newer watchlist was refused, if none was taken up since.
    package var refusedAt: Timestamp?
    /// Why; may hold foreign text.
    package var refusal: String?

    package init(
        since: Timestamp? = nil, stoppedAt: Timestamp? = nil, seenAt: Timestamp? = nil, adoptedAt: Timestamp? = nil,
        refusedAt: Timestamp? = nil,
        refusal: String? = nil
    ) {
        self.since = since
        self.stoppedAt = stoppedAt
        self.seenAt = seenAt
        self.adoptedAt = adoptedAt
        self.refusedAt = refusedAt
        self.refusal = refusal
    }

    init(in database: Database) throws {
        func moment(_ setting: Setting) throws -> Timestamp? {
            try setting.moment(in: database)
        }
        let since = try moment(.serviceSince)
        // A request from before that start was another run's.
        let signs = try [since, moment(.serviceSeen), LaneRow.lastRequest(in: database)]
        self.init(
            since: since, stoppedAt: since == nil ? try moment(.serviceStopped) : nil,
            seenAt: since == nil ? nil : signs.compactMap(\.self).max(),
            adoptedAt: try moment(.adoptedAt), refusedAt: try moment(.refusedAt),
            refusal: try Setting.refusal.text(in: database))
    }

    /// Seconds from one heartbeat to the next.
    package static let beat: Int64 = 900

    /// Takes the marks of a service out of the file: nobody misses one from now on.
    static func forget(in database: Database) throws {
        if try Setting.serviceStopped.integer(in: database) != nil { try Setting.serviceStopped.set(nil, in: database) }
        guard try Setting.serviceSince.integer(in: database) != nil else { return }
        try Setting.serviceSince.set(nil, in: database)
        try Setting.serviceSeen.set(nil, in: database)
    }
}

extension HistoryStore {
    /// Notes that a service runs from now on, until `noteServiceEnd` or `noteNoService`.
    package func noteServiceStart(at now: Timestamp) async throws {
        try await write { database in
            try Setting.serviceSince.set(now.secondsSinceEpoch, in: database)
            try Setting.serviceSeen.set(now.secondsSinceEpoch, in: database)
            try Setting.serviceStopped.set(nil, in: database)
            // What a service that was killed left behind.
            try PassProgress.endAll(in: database)
        }
    }

    /// Notes a sign of life, if a service runs.
    package func noteServiceAlive(at now: Timestamp) async throws {
        try await write { database in
            guard try Setting.serviceSince.integer(in: database) != nil else { return }
            try Setting.serviceSeen.set(now.secondsSinceEpoch, in: database)
        }
    }

    /// Notes that the service was stopped: it is known to be wanted no more, and that it does not run is said all the same.
    package func noteServiceEnd(at now: Timestamp) async throws {
        try await write { database in
            try ServiceLife.forget(in: database)
            try Setting.serviceStopped.set(now.secondsSinceEpoch, in: database)
        }
    }

    /// Notes that somebody asks by `--once` instead of a service: none is missed from now on.
    package func noteNoService() async throws {
        try await write { try ServiceLife.forget(in: $0) }
    }

    /// Notes that a watchlist was refused, until one is adopted.
    package func noteRefusal(_ reason: String, at now: Timestamp) async throws {
        try await write { database in
            try Setting.refusedAt.set(now.secondsSinceEpoch, in: database)
            try Setting.refusal.set(reason.cut(toBytes: 300), in: database)
        }
    }
}
