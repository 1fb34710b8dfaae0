/// How often people search for a query, 0–100, as a line of the watchlist gives it.
enum Popularity: Sendable, Hashable {
    case everywhere(Double)
    /// Countries that are not in it have none.
    case byCountry([Country: Double])

    func value(in country: Country) -> Double? {
        switch self {
        case .everywhere(let value): value
        case .byCountry(let values): values[country]
        }
    }
}
