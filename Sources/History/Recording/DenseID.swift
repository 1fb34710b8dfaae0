/// The number that the history gives an app on first sight, from 1: what result lists are made of. Not Apple's number.
package struct DenseID: Hashable, Comparable, Sendable {
    package let number: Int64

    package init(_ number: Int64) { self.number = number }

    // Whoever looks for an app in lists compares millions.
    @inlinable package static func == (left: DenseID, right: DenseID) -> Bool { left.number == right.number }

    package static func < (left: DenseID, right: DenseID) -> Bool { left.number < right.number }
}
