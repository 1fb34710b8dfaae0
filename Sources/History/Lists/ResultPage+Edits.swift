/// How one list of a page is made of the one before.
struct ListEdit {
    /// Places of the list before that are dropped, counted from 0, the last first.
    var gone: [Int] = []
    var steps: [Step] = []
    /// The length of the list.
    var count = 0

    struct Step {
        /// So many places are taken from the front of what is left.
        var run: Int
        /// Then the place with this index of what is left; 0 if `app` comes in, which was not in the list before.
        var take: Int
        /// The index of an app in the page's.
        var app: Int
    }
}

/// The edits of a page, one after the other. Each is checked before it is handed out: whoever follows it needs to check
/// nothing.
struct ListEdits {
    private let page: ResultPage
    private var entries: NumberStream
    private var gone: NumberStream
    private var steps: NumberStream
    private var moves: NumberStream
    private var runs: NumberStream
    private var takes: NumberStream
    /// How many of the page's apps have occurred.
    private var occurred = 0
    private var places = 0
    /// How many edits have been handed out.
    private(set) var done = 0

    init(of page: ResultPage) {
        self.page = page
        func stream(_ name: ResultPage.Stream) -> NumberStream { NumberStream(page.streams[name.rawValue]) }
        entries = stream(.entries)
        gone = stream(.gone)
        steps = stream(.steps)
        moves = stream(.moves)
        runs = stream(.runs)
        takes = stream(.takes)
    }

    /// Replaces `edit`, which was the last one, by the next.
    ///
    /// - Returns: `false` after the last list.
    mutating func next(_ edit: inout ListEdit) throws(DamagedBytes) -> Bool {
        let body = page.body
        guard done < page.heads.count else {
            let isRead = [entries, gone, steps, moves, runs, takes].allSatisfy(\.isAtEnd)
            guard isRead, occurred == page.apps.count, places == page.placeCount else { throw .malformed }
            return false
        }
        var left = edit.count
        edit.gone.removeAll(keepingCapacity: true)
        let goneCount = try gone.count(upTo: left, in: body)
        var before = left
        for _ in 0..<goneCount {
            let distance = try gone.count(upTo: before, in: body)
            guard distance > 0 else { throw .malformed }
            before -= distance
            edit.gone.append(before)
        }
        left -= goneCount
        var length = left
        edit.steps.removeAll(keepingCapacity: true)
        for _ in 0..<(try steps.count(upTo: page.placeCount, in: body)) {
            guard length <= page.placeCount - places else { throw .malformed }
            let (run, take) = try move()
            guard run <= left, take <= left - run else { throw .malformed }
            left -= run
            if take == 0 {
                edit.steps.append(.init(run: run, take: 0, app: try entry()))
                length += 1
            } else {
                guard take > 1 else { throw .malformed }
                edit.steps.append(.init(run: run, take: take - 1, app: 0))
                left -= 1
            }
        }
        guard length <= page.placeCount - places else { throw .malformed }
        edit.count = length
        places += length
        done += 1
        return true
    }

    @inline(__always)
    private mutating func move() throws(DamagedBytes) -> (run: Int, take: Int) {
        let byte = Int(try moves.byte(in: page.body))
        guard byte > 0 else {
            return (
                try runs.count(upTo: page.placeCount, in: page.body),
                try takes.count(upTo: page.placeCount, in: page.body)
            )
        }
        let (run, take) = (byte - 1).quotientAndRemainder(dividingBy: ResultPage.Move.takes)
        return (run, take == ResultPage.Move.entry ? 0 : take + 2)
    }

    private mutating func entry() throws(DamagedBytes) -> Int {
        let age = try entries.count(upTo: occurred, in: page.body)
        guard age == 0 else { return occurred - age }
        guard occurred < page.apps.count else { throw .malformed }
        occurred += 1
        return occurred - 1
    }
}
