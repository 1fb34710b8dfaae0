import RankKit

extension ResultPage {
    /// Hands over every list in order, until `take` returns `false`.
    ///
    /// - Parameter isWanted: for each list whether it is handed over; all are where it is `nil`.
    /// - Throws: `DamagedBytes`, before anything wrong is handed over.
    package func forEach(where isWanted: [Bool]? = nil, _ take: (StoredList) throws -> Bool) throws {
        let apps = apps.map { $0 == 0 ? nil : DenseID($0) }
        try forEachIndexed { list, places in
            guard isWanted?[list] ?? true else { return true }
            return try take(StoredList(head: heads[list], places: places.map { apps[$0] }))
        }
    }

    /// As `forEach`: the index of each list, and for each of its places that of its app in `apps`.
    func forEachIndexed(_ take: (_ list: Int, _ places: [Int]) throws -> Bool) throws {
        var edits = ListEdits(of: self)
        var edit = ListEdit()
        var list = EditedList()
        while try edits.next(&edit) {
            list.apply(edit)
            guard try take(edits.done - 1, list.places) else { return }
        }
    }

    /// The list at `index`, without making those before it.
    ///
    /// - Throws: `DamagedBytes`.
    func list(at index: Int) throws(DamagedBytes) -> StoredList {
        var edits = ListEdits(of: self)
        var edit = ListEdit()
        var list = EditedList()
        while edits.done <= index { if try edits.next(&edit) { list.apply(edit) } else { throw .malformed } }
        return StoredList(
            head: heads[index], places: list.places.map { apps[$0] == 0 ? nil : DenseID(apps[$0]) })
    }

    /// All lists in order.
    package func lists() throws -> [StoredList] {
        var lists: [StoredList] = []
        lists.reserveCapacity(heads.count)
        try forEach {
            lists.append($0)
            return true
        }
        return lists
    }

    /// Hands over the best place of `wanted` in every list, without making the lists.
    ///
    /// - Parameter wanted: the numbers of what counts as one app.
    package func forEachPlace(
        of wanted: Set<DenseID>, _ take: (StoredPlace) throws -> Void
    ) throws {
        let isWanted = apps.map { $0 != 0 && wanted.contains(DenseID($0)) }
        let isUnread = apps.contains(0) ? apps.map { $0 == 0 } : nil
        var edits = ListEdits(of: self)
        var edit = ListEdit()
        var held = HeldPlaces()
        var unread = HeldPlaces()
        while try edits.next(&edit) {
            held.apply(edit) { isWanted[$0] }
            if let isUnread { unread.apply(edit) { isUnread[$0] } }
            try take(
                StoredPlace(
                    head: heads[edits.done - 1], position: held.best.flatMap { Position($0 + 1) }, within: edit.count,
                    isWhole: unread.isEmpty))
        }
    }

    /// Whether any of `wanted` is in any list.
    package func mentions(_ wanted: Set<DenseID>) -> Bool {
        apps.contains { $0 != 0 && wanted.contains(DenseID($0)) }
    }
}

/// A list that edits are made to: each place is the index of an app.
private struct EditedList {
    private(set) var places: [Int] = []

    mutating func apply(_ edit: ListEdit) {
        for index in edit.gone { places.remove(at: index) }
        // What stands before is the new list's, and the rest what is left of the one before.
        var front = 0
        for step in edit.steps {
            front += step.run
            if step.take == 0 {
                places.insert(step.app, at: front)
            } else {
                places.withUnsafeMutableBufferPointer { places in
                    let app = places[front + step.take]
                    for index in stride(from: front + step.take, to: front, by: -1) {
                        places[index] = places[index - 1]
                    }
                    places[front] = app
                }
            }
            front += 1
        }
    }
}

/// The places that one app holds in a list that edits are made to: none or one, but for duplicates.
private struct HeldPlaces {
    /// Counted from 0.
    private var places: [Int] = []
    private var next: [Int] = []

    var best: Int? { places.count == 1 ? places[0] : places.min() }
    var isEmpty: Bool { places.isEmpty }

    /// - Parameter isWanted: whether the app is, by its index in the page's.
    @inline(__always)
    mutating func apply(_ edit: ListEdit, isWanted: (Int) -> Bool) {
        next.removeAll(keepingCapacity: true)
        // Where they stand in what is left of the list before.
        var index = 0
        while index < places.count {
            let place = places[index]
            var before = 0
            var isGone = false
            for gone in edit.gone {
                if gone < place { before += 1 } else if gone == place { isGone = true }
            }
            if isGone {
                places.swapAt(index, places.count - 1)
                places.removeLast()
            } else {
                places[index] = place - before
                index += 1
            }
        }
        var length = 0
        for step in edit.steps {
            settle {
                $0 < step.run ? length + $0 : nil
            } else: {
                $0 - step.run
            }
            length += step.run
            if step.take == 0 {
                if isWanted(step.app) { next.append(length) }
            } else {
                settle {
                    $0 == step.take ? length : nil
                } else: {
                    $0 > step.take ? $0 - 1 : $0
                }
            }
            length += 1
        }
        for place in places { next.append(length + place) }
        swap(&places, &next)
    }

    /// Moves the places that `found` knows in the new list over to it, and the others to where `rest` says they stand in
    /// what is left.
    @inline(__always)
    private mutating func settle(_ found: (Int) -> Int?, else rest: (Int) -> Int) {
        var index = 0
        while index < places.count {
            if let place = found(places[index]) {
                next.append(place)
                places.swapAt(index, places.count - 1)
                places.removeLast()
            } else {
                places[index] = rest(places[index])
                index += 1
            }
        }
    }
}
