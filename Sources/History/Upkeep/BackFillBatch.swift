import RankKit

/// What a run of consecutive lists tells of everything that is to be filled in: read at once, written in steps.
package struct BackFillBatch: Sendable {
    private var pairs: [FilledPair]
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
        pairs = work.pairs.map { FilledPair(pair: $0.id, app: $0.app, after: $0.through) }
        apps =
            work.fillsApps
            ? FilledApps(query: work.id, after: work.appsThrough, through: work.appsThrough, end: work.appsEnd) : nil
        for (index, pair) in work.pairs.enumerated() {
            for app in pair.app.numbers.all { pairsByApp[app, default: []].append(index) }
        }
        let start = Timestamp(secondsSinceEpoch: work.after?.at ?? .min)
        var batch = self
        var unread: [Unread] = []
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
            if !list.isWhole { unread.append(Unread(list, from: batch.pairs.map { $0.places.count - 1 })) }
            return true
        }
        try batch.read(unread, from: reader)
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
            where positions[pair] == nil && pairs[pair].app.numbers.contains(place, at: list.at.secondsSinceEpoch) {
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

    /// A list that has no app in some places.
    private struct Unread {
        let key: StoredList.Key
        let positions: [Int]
        /// Where each pair has what the list tells of it.
        let indices: [Int]

        init(_ list: StoredList, from indices: [Int]) {
            key = list.head.key
            positions = list.places.indices.filter { list.places[$0] == nil }.map { $0 + 1 }
            self.indices = indices
        }
    }

    /// Takes up what their entries called the apps that had no number of Apple's.
    private mutating func read(_ lists: [Unread], from reader: HistoryReader) throws(HistoryError) {
        guard !lists.isEmpty else { return }
        pairs = try reader.read { [pairs] database in
            var pairs = pairs
            var owners: [String: AppNumbers] = [:]
            for list in lists {
                let names = try UnnumberedPlaces.names(of: list.key.check, in: database)
                guard !names.isEmpty else { continue }
                let unread = try UnreadEntries(
                    at: list.positions, named: names, seenAt: list.key.at, in: database)
                owners.merge(unread.owners) { one, _ in one }
                for (pair, index) in list.indices.enumerated() where index >= 0 {
                    let place = pairs[pair].places[index]
                    guard place.head.key == list.key else { continue }
                    pairs[pair].places[index] = unread.place(of: pairs[pair].app, place)
                }
            }
            for index in pairs.indices { pairs[index].owners = owners }
            return pairs
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
