/// The store of a country as one source shows it: what it does on a day says nothing of how another source shows it.
package struct Store: Sendable, Hashable, Comparable {
    package let source: Source
    package let country: Country

    /// - Parameter source: one that rankd asks.
    package init(_ source: Source = .usual, in country: Country) {
        self.source = source
        self.country = country
    }

    /// As `rankctl verify` names it: the country, and the source where it is not the usual one.
    package var name: String { source == .usual ? country.code : "\(country.code) \(source.rawValue)" }

    /// By country, the usual source first.
    package static func < (left: Store, right: Store) -> Bool {
        (left.country, left.source == .usual ? "" : left.source.rawValue)
            < (right.country, right.source == .usual ? "" : right.source.rawValue)
    }
}

extension Query {
    /// The store that its lists are of. What another tool saw is held against the usual source's.
    package var store: Store { Store(source.isAsked ? source : .usual, in: country) }
}
