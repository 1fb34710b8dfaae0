import RankKit

extension ResultPage {
    /// The bytes of a page that holds `lists`.
    ///
    /// - Parameters:
    ///   - lists: at least one, in order.
    ///   - deflates: whether to deflate them where that is shorter.
    /// - Returns: `nil` if they are more than a page may hold, or hold a number below 1.
    package static func encode(_ lists: [StoredList], deflates: Bool = true) -> [UInt8]? {
        guard !lists.isEmpty, lists.count <= Most.lists else { return nil }
        let placeCount = lists.reduce(0) { $0 + $1.places.count }
        guard placeCount <= Most.places else { return nil }
        var writer = PageWriter()
        for list in lists { guard writer.append(list.places) else { return nil } }
        writer.append(lists.map(\.head))

        var front: [UInt8] = []
        LEB128.append(lists.count, to: &front)
        LEB128.append(placeCount, to: &front)
        for stream in writer.streams { LEB128.append(stream.count, to: &front) }
        let parts = [front] + writer.streams
        let size = parts.reduce(0) { $0 + $1.count }
        guard size <= Most.body else { return nil }
        let smaller = deflates ? Deflate.compress(parts, below: size) : nil

        var bytes = [version, smaller == nil ? raw : deflated, 0, 0, 0, 0]
        LEB128.append(size, to: &bytes)
        bytes += smaller ?? Array(parts.joined())
        let sum = checksum(bytes)
        for index in 0..<4 { bytes[2 + index] = UInt8(truncatingIfNeeded: sum >> UInt32(8 * index)) }
        return bytes
    }
}

/// The streams of a page, grown list by list.
private struct PageWriter {
    /// In the order of `ResultPage.Stream`.
    private(set) var streams = [[UInt8]](repeating: [], count: ResultPage.streamCount)
    /// The index in *apps* of each app's number.
    private var indices: [Int64: Int] = [:]
    private var lastApp: Int64 = 0
    /// The list before, by its numbers and by their indices.
    private var numbers: [Int64] = []
    private var places: [Int] = []
    /// For each app how many places of the next list it still needs, or of the list before it still has.
    private var counts: [Int] = []
    /// How many of the apps have been written to *entries*.
    private var occurred = 0

    private mutating func write(_ number: Int, to stream: ResultPage.Stream) {
        LEB128.append(number, to: &streams[stream.rawValue])
    }

    private mutating func write(_ number: Int64, to stream: ResultPage.Stream) {
        LEB128.append(LEB128.folded(number), to: &streams[stream.rawValue])
    }

    /// - Returns: `false` if there is a number that no app has.
    mutating func append(_ list: [DenseID?]) -> Bool {
        let next = list.map { $0?.number ?? 0 }
        for (app, number) in zip(list, next) where app != nil && number < 1 { return false }
        if next == numbers, !streams[ResultPage.Stream.steps.rawValue].isEmpty {
            write(0, to: .gone)
            write(0, to: .steps)
            return true
        }
        var indices: [Int] = []
        indices.reserveCapacity(next.count)
        for (place, number) in next.enumerated() {
            let isUnmoved = place < numbers.count && numbers[place] == number
            indices.append(isUnmoved ? places[place] : index(of: number))
        }
        var rest = drop(for: indices)
        step(&rest, to: indices)
        (numbers, places) = (next, indices)
        return true
    }

    private mutating func index(of number: Int64) -> Int {
        if let known = indices[number] { return known }
        let index = indices.count
        indices[number] = index
        counts.append(0)
        write(number &- lastApp, to: .apps)
        lastApp = number
        return index
    }

    /// Writes what of the list before is not in the next one.
    ///
    /// - Returns: what is left; `counts` says how often each app is in it.
    private mutating func drop(for next: [Int]) -> [Int] {
        for app in next { counts[app] += 1 }
        var rest: [Int] = []
        rest.reserveCapacity(places.count)
        var gone: [Int] = []
        for (place, app) in places.enumerated() {
            if counts[app] > 0 {
                counts[app] -= 1
                rest.append(app)
            } else {
                gone.append(place)
            }
        }
        write(gone.count, to: .gone)
        var before = places.count
        for place in gone.reversed() {
            write(before - place, to: .gone)
            before = place
        }
        for app in next { counts[app] = 0 }
        for app in rest { counts[app] += 1 }
        return rest
    }

    /// Writes the steps that make the next list of `rest`.
    private mutating func step(_ rest: inout [Int], to next: [Int]) {
        var front = 0
        var run = 0
        var steps = 0
        for app in next {
            if front < rest.count, rest[front] == app {
                front += 1
                run += 1
                counts[app] -= 1
                continue
            }
            defer { run = 0 }
            steps += 1
            guard counts[app] > 0, let found = rest[front...].firstIndex(of: app) else {
                move(run, take: 0)
                enter(app)
                continue
            }
            counts[app] -= 1
            move(run, take: found - front + 1)
            for index in stride(from: found, to: front, by: -1) { rest[index] = rest[index - 1] }
            front += 1
        }
        write(steps, to: .steps)
    }

    private mutating func move(_ run: Int, take: Int) {
        let short = take == 0 ? ResultPage.Move.entry : take - 2
        if run <= ResultPage.Move.longestRun, take == 0 || short < ResultPage.Move.entry {
            streams[ResultPage.Stream.moves.rawValue].append(UInt8(1 + run * ResultPage.Move.takes + short))
        } else {
            streams[ResultPage.Stream.moves.rawValue].append(0)
            write(run, to: .runs)
            write(take, to: .takes)
        }
    }

    private mutating func enter(_ app: Int) {
        if app == occurred {
            write(0, to: .entries)
            occurred += 1
        } else {
            write(occurred - app, to: .entries)
        }
    }

    mutating func append(_ heads: [StoredList.Head]) {
        progression(heads.map(\.checkID), to: .checks)
        progression(heads.map(\.at.secondsSinceEpoch), to: .times)
        var run = 0
        var outcome = StoredList.Outcome.good
        for head in heads {
            if head.outcome != outcome {
                write(run, to: .outcomes)
                outcome = head.outcome
                run = 0
            }
            run += 1
        }
        write(run, to: .outcomes)
    }

    private mutating func progression(_ numbers: [Int64], to stream: ResultPage.Stream) {
        write(numbers[0], to: stream)
        let distances = zip(numbers.dropFirst(), numbers).map { $0 &- $1 }
        guard !distances.isEmpty else { return }
        let usual = distances.sorted()[distances.count / 2]
        write(usual, to: stream)
        for distance in distances { write(distance &- usual, to: stream) }
    }
}
