import RankKit

/// What a run of consecutive lists tells of everything that is to be filled in: read at once, written in steps.
package struct BackFillBatch: Sendable {
    private var pairs: [FilledPair]
    private var numbers: [AppNumbers]
    private var apps: FilledApps?
    /// Which pairs an app is, by its number.
    private var pairsByApp: [DenseID: [Int]] = [:]
    private var taken = 0
    /// Whether the lists end with this batch.
    private var isEnd = true
    /// What could not be read, and is left out: a gap.
    package private(set) var damaged: [DamagedLists] = []

    /// Reads the next lists of what `work` is about.
    ///
    /// - Parameter longest: how many lists, at most.
    package init(_ work: BackFillWork, from reader: HistoryReader, longest: Int = 512) throws(HistoryError) {
        numbers = work.pairs.map(\.app)
        pairs = work.pairs.map { FilledPair(pair: $0.id, app: $0.app, after: $0.through) }
        apps =
            work.fillsApps
            ? FilledApps(query: work.id, after: work.appsThrough, through: work.appsThrough, end: work.appsEnd) : nil
        for (index, pair) in work.pairs.enumerated() {
            for app in pair.app.all { pairsByApp[app, default: []].append(index) }
        }
        let start = Timestamp(secondsSinceEpoch: work.after?.at ?? .min)
        var batch = self
        var damaged: [DamagedLists] = []
        try reader.lists(
            on: work.query, in: start...Timestamp(secondsSinceEpoch: .max), damaged: { damaged.append($0) }
        ) { list in
            if let after = work.after, list.head.key <= after { return true }
            guard batch.taken < longest else {
                batch.isEnd = false
                return false
            }
            batch.take(list)
            return true
        }
        batch.damaged = damaged
        self = batch
    }

    private mutating func take(_ list: StoredList) {
        taken += 1
        let isWhole = list.isWhole
        if let after = apps?.after, list.head.key <= after {} else { apps?.add(list) }
        var positions: [Int: Position] = [:]
        for (index, place) in list.places.enumerated() {
            guard let place, let found = pairsByApp[place] else { continue }
            for pair in found
            where positions[pair] == nil && numbers[pair].contains(place, at: list.at.secondsSinceEpoch) {
                positions[pair] = Position(index + 1)
            }
        }
        for index in pairs.indices {
            if let after = pairs[index].after, list.head.key <= after { continue }
            pairs[index].places.append(
                StoredPlace(
                    head: list.head, position: positions[index], within: list.places.count, isWhole: isWhole))
        }
    }

    /// Writes the batch, step by step.
    ///
    /// - Parameters:
    ///   - step: how many positions are written in one transaction, as far as pairs can be told apart: a thousand take
    ///     some ten milliseconds.
    ///   - turn: awaited before each step; throws where the filling is to end.
    /// - Returns: whether there are further lists.
    package func write(
        to history: HistoryStore, step: Int = 1_000, turn: () async throws -> Void
    ) async throws -> Bool {
        if let apps {
            try await turn()
            try await history.fill(apps, isEnd: isEnd)
        }
        var rest = pairs[...]
        while !rest.isEmpty {
            var count = 0
            let next = rest.prefix { pair in
                defer { count += pair.places.count + 1 }
                return count == 0 || count + pair.places.count <= step
            }
            rest = rest.dropFirst(next.count)
            try await turn()
            try await history.fill(Array(next), isEnd: isEnd)
        }
        return !isEnd
    }
}
