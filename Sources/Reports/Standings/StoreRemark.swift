import Judging
import RankKit

/// Something about the store that whoever reads of moves should know: “the US store shuffled on 16 Nov”.
struct StoreRemark: Sendable, Hashable {
    var kind: Kind
    /// In their order.
    var countries: [Country]
    /// Counted from 1970-01-01; ascending.
    var days: [Int64]
    /// For people, without a full stop.
    var text: String

    enum Kind: Sendable, Hashable {
        case shuffled
        case badDay
        case failures
    }
}

extension [StoreWeather] {
    /// What was out of the ordinary on `days`: stormy days, bad days of the store, and days of failures. Countries of
    /// which one source shows the same are told of together.
    ///
    /// - Parameter today: days of another year than it are written with theirs.
    func remarks(on days: ClosedRange<Int64>, today: Int64) -> [StoreRemark] {
        let kinds: [(StoreRemark.Kind, (StoreWeather.Day) -> Bool)] = [
            (.shuffled, { $0.weather?.state == .stormy }), (.badDay, { $0.trouble == .badDay }),
            (.failures, { $0.trouble == .failures }),
        ]
        var remarks: [StoreRemark] = []
        for (kind, isSo) in kinds {
            var found: [(source: Source, days: [Int64], countries: [Country])] = []
            for store in self {
                let those = store.days.filter { days.contains($0.day) && isSo($0) }.map(\.day)
                guard !those.isEmpty else { continue }
                if let index = found.firstIndex(where: { $0.days == those && $0.source == store.store.source }) {
                    found[index].countries.append(store.country)
                } else {
                    found.append((store.store.source, those, [store.country]))
                }
            }
            for (source, days, countries) in found {
                remarks.append(
                    StoreRemark(
                        kind, source, countries, days, of: first?.zone ?? .utc,
                        isEverywhere: countries.count == count, today: today))
            }
        }
        return remarks
    }
}

extension StoreRemark {
    fileprivate init(
        _ kind: Kind, _ source: Source, _ countries: [Country], _ days: [Int64], of zone: ZoneDays, isEverywhere: Bool,
        today: Int64
    ) {
        let named = countries.map { $0.code.uppercased() }.inWords
        let shown = source == .usual ? "" : " on the \(source.rawValue)"
        let stores = "\(named) \(countries.count == 1 ? "store" : "stores")\(shown)"
        let at = isEverywhere ? "" : " in the \(stores)"
        // Until a clean-up has taken up another zone of the watchlist's, stores have the days of the one before.
        let when = DayNames.on(days, today: today) + (zone.name == ReportZone.days.name ? "" : " (\(zone.name))")
        let text =
            switch kind {
            case .shuffled: "the \(stores) shuffled \(when)"
            case .badDay: "Apple had a bad day\(at) \(when)"
            case .failures: "most checks\(at) failed \(when)"
            }
        self.init(kind: kind, countries: countries, days: days, text: text)
    }
}
