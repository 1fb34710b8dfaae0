package import RankKit

/// Something about the store that whoever reads of moves should know: “the US store shuffled on 16 Nov”.
package struct StoreRemark: Sendable, Hashable {
    package var kind: Kind
    /// In their order.
    package var countries: [Country]
    /// In UTC, counted from 1970-01-01; ascending.
    package var days: [Int64]
    /// For people, without a full stop.
    package var text: String

    package enum Kind: Sendable, Hashable {
        case shuffled
        case badDay
        case failures
    }

    package init(kind: Kind, countries: [Country], days: [Int64], text: String) {
        self.kind = kind
        self.countries = countries
        self.days = days
        self.text = text
    }
}

extension [StoreWeather] {
    /// What was out of the ordinary on `days`: stormy days, bad days of the store, and days of failures. Countries of
    /// which the same is to be said are told of together.
    ///
    /// - Parameter today: days of another year than it are written with theirs.
    package func remarks(on days: ClosedRange<Int64>, today: Int64) -> [StoreRemark] {
        let kinds: [(StoreRemark.Kind, (StoreWeather.Day) -> Bool)] = [
            (.shuffled, { $0.weather?.state == .stormy }), (.badDay, { $0.trouble == .badDay }),
            (.failures, { $0.trouble == .failures }),
        ]
        var remarks: [StoreRemark] = []
        for (kind, isSo) in kinds {
            var found: [(days: [Int64], countries: [Country])] = []
            for store in self {
                let those = store.days.filter { days.contains($0.day) && isSo($0) }.map(\.day)
                guard !those.isEmpty else { continue }
                if let index = found.firstIndex(where: { $0.days == those }) {
                    found[index].countries.append(store.country)
                } else {
                    found.append((those, [store.country]))
                }
            }
            for (days, countries) in found {
                remarks.append(StoreRemark(kind, countries, days, isEverywhere: countries.count == count, today: today))
            }
        }
        return remarks
    }
}

extension StoreRemark {
    fileprivate init(_ kind: Kind, _ countries: [Country], _ days: [Int64], isEverywhere: Bool, today: Int64) {
        let named = DayNames.list(countries.map { $0.code.uppercased() })
        let stores = "\(named) \(countries.count == 1 ? "store" : "stores")"
        let at = isEverywhere ? "" : " in the \(stores)"
        let when = DayNames.on(days, today: today)
        let text =
            switch kind {
            case .shuffled: "the \(stores) shuffled \(when)"
            case .badDay: "Apple had a bad day\(at) \(when)"
            case .failures: "most checks\(at) failed \(when)"
            }
        self.init(kind: kind, countries: countries, days: days, text: text)
    }
}

/// Days (UTC) as they stand in a sentence.
package enum DayNames {
    /// `14 Nov`, or `14 Nov 2025` where `today` is in another year.
    package static func short(_ day: Int64, today: Int64) -> String {
        let parts = CivilTime.date(.startOfDay(day)).split(separator: "-")
        guard parts.count == 3, let month = Int(parts[1]), let number = Int(parts[2]), (1...12).contains(month) else {
            return CivilTime.date(.startOfDay(day))
        }
        let year = CivilTime.date(.startOfDay(today)).split(separator: "-").first == parts[0] ? "" : " \(parts[0])"
        return "\(number) \(months[month - 1])\(year)"
    }

    /// `on 14 Nov`, `on 14 and 16 Nov`; of more than three `on 5 days, last on 16 Nov`.
    static func on(_ days: [Int64], today: Int64) -> String {
        guard let last = days.last else { return "" }
        let name = short(last, today: today)
        guard days.count <= 3 else { return "on \(days.count) days, last on \(name)" }
        let month = name.drop { $0 != " " }
        let names = days.map { day in
            let name = short(day, today: today)
            return day != last && name.hasSuffix(month) ? String(name.dropLast(month.count)) : name
        }
        return "on " + list(names)
    }

    /// `US, GB and DE`.
    static func list(_ names: [String]) -> String {
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
