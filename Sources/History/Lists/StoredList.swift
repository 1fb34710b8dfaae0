package import RankKit

/// What the history keeps of one check that was answered: its whole ordered list.
package struct StoredList: Sendable, Hashable {
    /// Which check it is of, and when; how lists are ordered.
    package var head: Head
    /// Best first; `nil` if the entry in a place could not be read.
    package var places: [DenseID?]

    package init(head: Head, places: [DenseID?]) {
        self.head = head
        self.places = places
    }

    package var checkID: Int64 { head.checkID }
    package var at: Timestamp { head.at }
    package var outcome: Outcome { head.outcome }

    /// Whether it is known of every place who holds it.
    package var isWhole: Bool { !places.contains(nil) }

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

        /// Which of some consecutive lists are the last good ones of their days, as far as these tell.
        ///
        /// - Parameters:
        ///   - until: later lists do not count, in seconds since 1970.
        ///   - dayOf: the day that a moment lies in; UTC's unless given.
        static func areLastGood(
            _ heads: [Head], until: Int64 = .max, dayOf: (Timestamp) -> Int64 = \.day
        ) -> [Bool] {
            var areLast = Array(repeating: false, count: heads.count)
            var later: Int64?
            for (index, head) in heads.enumerated().reversed()
            where head.outcome == .good && head.at.secondsSinceEpoch <= until {
                let day = dayOf(head.at)
                areLast[index] = day != later
                later = day
            }
            return areLast
        }
    }

    package enum Outcome: Sendable, Hashable {
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
    /// Its best place; `nil` if the list does not name it.
    package var position: Position?
    /// How many places the list has.
    package var within: Int
    /// Whether it is known of every place of the list who holds it.
    package var isWhole: Bool

    package init(head: StoredList.Head, position: Position?, within: Int, isWhole: Bool) {
        self.head = head
        self.position = position
        self.within = within
        self.isWhole = isWhole
    }

    /// Whether nothing can be said: the list does not name the app, but may hold it in a place that could not be read.
    package var isUnknown: Bool { position == nil && !isWhole }
}
