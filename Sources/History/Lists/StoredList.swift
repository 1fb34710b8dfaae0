package import RankKit

/// What the history keeps of one check that was answered: its whole ordered list.
package struct StoredList: Sendable, Hashable {
    /// Which check it is of, and when; how lists are ordered.
    package var head: Head
    /// Best first; `nil` where the entry in a place could not be read.
    package var places: [DenseID?]

    package init(head: Head, places: [DenseID?]) {
        self.head = head
        self.places = places
    }

    package var checkID: Int64 { head.checkID }
    package var at: Timestamp { head.at }
    package var outcome: Outcome { head.outcome }

    /// A list without its places.
    package struct Head: Sendable, Hashable {
        package var checkID: Int64
        package var at: Timestamp
        package var outcome: Outcome

        package init(checkID: Int64, at: Timestamp, outcome: Outcome) {
            self.checkID = checkID
            self.at = at
            self.outcome = outcome
        }

        package var key: Key { Key(at: at.secondsSinceEpoch, check: checkID) }
    }

    package enum Outcome: String, Sendable, Hashable {
        case good
        /// Not believed: kept, but no position comes from it.
        case suspect
    }

    /// The order of a query's lists: by time, and within a second as they were recorded.
    package struct Key: Hashable, Comparable, Sendable {
        package var at: Int64
        package var check: Int64

        package static func < (left: Key, right: Key) -> Bool { (left.at, left.check) < (right.at, right.check) }
    }
}

/// Where an app stood in one list.
package struct StoredPlace: Sendable, Hashable {
    package var head: StoredList.Head
    /// Its best place; `nil` where it was not in the list.
    package var position: Position?
    /// How many places the list has.
    package var within: Int

    package init(head: StoredList.Head, position: Position?, within: Int) {
        self.head = head
        self.position = position
        self.within = within
    }
}
