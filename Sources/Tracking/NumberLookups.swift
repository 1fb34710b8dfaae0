import AppStore
import History
import RankKit

/// Finds out which apps a list shows whose source tells little of them: numbers that the history does not know in the
/// list's country are looked up, 50 a request, at the look-ups' pace.
///
/// The list is kept whatever comes of it: an app that no look-up finds, because it was removed or is not sold there, keeps
/// its place.
actor NumberLookups<C: Clock> where C.Duration == Duration {
    private let lane: LookupLane<C>
    private let history: HistoryStore
    private let recorder: Recorder<C>

    private struct Number: Hashable {
        let id: AppID
        let country: Country
    }

    /// Names that look-ups brought lately, and moments at which whole answers lacked a number. What a look-up tells of an
    /// app is recorded with its list, and until then another list does not find it in the history.
    private var names: [Number: (bundleID: BundleID, at: Timestamp)] = [:]
    private var lacking: [Number: Timestamp] = [:]
    /// One list at a time: two that show the same new app ask for it once.
    private var isTaken = false
    private let line = WaitingTasks()

    /// For so long, in seconds, a number that an answer lacked is not asked for again.
    static var secondsToAskAgain: Int64 { 7 * Timestamp.secondsPerDay }
    /// For so long, in seconds, a name is taken from memory. A list that was held, or that waited, was recorded without
    /// what its look-ups told: later they are made again.
    static var secondsToRemember: Int64 { 3_600 }
    /// The most that is remembered of each kind, in numbers: as many as two hundred lists hold.
    private static var most: Int { 40_000 }

    init(lane: LookupLane<C>, history: HistoryStore, recorder: Recorder<C>) {
        self.lane = lane
        self.history = history
        self.recorder = recorder
    }

    /// The list with its apps as the history and look-ups know them. If look-ups end early, because one was turned away or
    /// the task is cancelled, the rest is known by its numbers alone.
    ///
    /// - Throws: `HistoryError` if the history cannot be asked or written and waiting would not mend it.
    func described(_ list: ResultList, in country: Country) async throws -> ResultList {
        var list = list.identities
        while isTaken { await line.wait(evenIfCancelled: true) }
        isTaken = true
        defer {
            isTaken = false
            line.wakeFirst()
        }
        var told: [AppID: SeenApp] = [:]
        var asked: [AppID] = []
        do {
            for id in try await history.unlisted(list.numbers, in: country) {
                let number = Number(id: id, country: country)
                if let name = names[number], (0..<Self.secondsToRemember).contains(lane.now() - name.at) {
                    told[id] = SeenApp(id: id, bundleID: name.bundleID, tellsName: false)
                } else if !isLacking(number) {
                    asked.append(id)
                }
            }
            list = list.described(by: told)
            for start in stride(from: 0, to: asked.count, by: LookupSchedule.batchSize) {
                let batch = Array(asked[start..<min(start + LookupSchedule.batchSize, asked.count)])
                guard let found = try await lookUp(batch, in: country) else { break }
                list = list.described(by: found)
            }
        } catch let error as HistoryError where error.mayPass {
            // What it cannot say now the list goes without.
        }
        return list
    }

    private func isLacking(_ number: Number) -> Bool {
        guard let since = lacking[number] else { return false }
        return (0..<Self.secondsToAskAgain).contains(lane.now() - since)
    }

    /// - Returns: `nil` if there is no whole answer, and none is to be asked for now.
    private func lookUp(_ ids: [AppID], in country: Country) async throws -> [AppID: SeenApp]? {
        // What a look-up tells could not be kept while checks wait.
        guard await recorder.backlog == nil, await lane.pace.pauseLeft == nil, !Task.isCancelled else { return nil }
        let answer: LookupLane<C>.Answer
        do { answer = try await lane.ask(.ids(ids, country)) } catch { return nil }
        defer { forgetOldest() }
        switch answer {
        case .paused: return nil
        case .throttled(_, let at), .failed(_, let at):
            try await recorder.noteLookup(at: at)
            try await recorder.keepHealth()
            return nil
        case .answered(let list, let at):
            try await recorder.noteLookup(at: at)
            try await recorder.keepHealth()
            let found = Dictionary(
                list.places.compactMap { app in app.flatMap { app in app.id.map { ($0, app) } } },
                uniquingKeysWith: { first, _ in first })
            // An entry that cannot be read may be any of those that are missing.
            let isWhole = list.places.allSatisfy { $0?.id != nil }
            for id in ids {
                let number = Number(id: id, country: country)
                if let app = found[id] {
                    names[number] = (app.bundleID, at)
                    lacking[number] = nil
                } else if isWhole {
                    lacking[number] = at
                }
            }
            return found
        }
    }

    private func forgetOldest() {
        // As a rule it was recorded meanwhile.
        if names.count > Self.most { names = [:] }
        if lacking.count > Self.most { lacking = [:] }
    }
}
