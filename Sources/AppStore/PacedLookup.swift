package import RankKit

/// Asks whether storefronts sell apps, at the pace of the look-up endpoint.
package struct PacedLookup<C: Clock>: Sendable where C.Duration == Duration {
    package var store: AppStore
    /// The look-up endpoint's own: what searches come to says nothing about it.
    package var pace: Pace<C>
    /// What the waits between tries are measured by.
    package var clock: C
    /// The wall clock.
    package var now: @Sendable () -> Timestamp

    package init(store: AppStore, pace: Pace<C>, clock: C, now: @escaping @Sendable () -> Timestamp) {
        self.store = store
        self.pace = pace
        self.clock = clock
        self.now = now
    }

    /// How asking about a batch ended.
    package enum Answer: Sendable {
        /// One for each of its apps; `failed` where the answer held entries that cannot be read and an app that is
        /// missing may be one of them.
        case answered([StorefrontApp: AppPresence.Outcome], at: Timestamp)
        case failed(Failure, at: Timestamp)
        /// Apple asked for fewer requests.
        case throttled(status: Int, at: Timestamp)
        /// The endpoint is not to be asked for now.
        case paused
    }

    /// Waits for its turn and asks, up to three times where the failure may pass.
    ///
    /// - Throws: `CancellationError` alone.
    package func answer(to batch: LookupSchedule.Batch) async throws -> Answer {
        var tries = 0
        while true {
            guard case .granted = try await pace.turn() else { return .paused }
            tries += 1
            let at = now()
            switch try await ask(batch) {
            case .answered(let list): return .answered(Self.outcomes(of: batch, in: list), at: at)
            case .throttled(let status, _): return .throttled(status: status, at: at)
            case .failed(let failure):
                guard failure.isTransient, tries < BackOff.mostTries else { return .failed(failure, at: at) }
                try await clock.sleep(for: BackOff.wait(afterTries: tries))
            }
        }
    }

    /// Looks up, and tells the pace how it ended.
    private func ask(_ batch: LookupSchedule.Batch) async throws -> AppStore.Reply {
        let reply: AppStore.Reply
        do {
            reply = try await store.lookup(.bundleIDs(batch.bundleIDs, batch.country))
        } catch {
            await pace.giveUp()
            throw error
        }
        await pace.note(reply.paceOutcome, at: now())
        return reply
    }

    private static func outcomes(
        of batch: LookupSchedule.Batch, in list: ResultList
    ) -> [StorefrontApp: AppPresence.Outcome] {
        let held = Set(list.places.compactMap { $0?.bundleID })
        let missing: AppPresence.Outcome = list.places.contains { $0 == nil } ? .failed : .empty
        return Dictionary(
            batch.apps.map { ($0, held.contains($0.bundleID) ? .found : missing) },
            uniquingKeysWith: { first, _ in first })
    }
}

extension AppStore.Reply {
    /// What the reply says about the endpoint that gave it.
    package var paceOutcome: EndpointHealth.Outcome {
        switch self {
        case .answered: .reached
        case .throttled(_, let retryAfter): .throttled(retryAfter: retryAfter)
        case .failed(let failure): failure.isUnreachable ? .unreachable : .reached
        }
    }
}
