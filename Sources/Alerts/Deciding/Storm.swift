import RankKit

/// A day on which the store of a country shuffled, as the usual source shows it.
struct Storm {
    var country: Country
    /// Days since 1970-01-01: those of moves with the same date are set beside it.
    var onset: Int64
    /// Whose day that is, as it is kept.
    private var zone: String?

    /// That of a shuffled store's event, or of a move on such a day.
    init?(_ event: AlertEvent) {
        (onset, zone) = (event.day, event.zone)
        switch event.subject {
        case .country(let country):
            guard event.variant == "shuffled" else { return nil }
            self.country = country
        case .pair(let query, _), .rivals(let query, _, _):
            guard query.store.source == .usual else { return nil }
            country = query.country
            onset += Int64(event.stormDays)
        case .app, .service, .digest: return nil
        }
    }

    /// What is told of it where the weather of its day is not read any more: a move that is seldom checked is confirmed
    /// weeks later.
    var event: AlertEvent {
        var scope = AlertScope()
        scope.countries = [country]
        return AlertEvent(
            kind: .weather, subject: .country(country), onset: onset, variant: "shuffled",
            at: ZoneDays(kept: zone).start(of: onset + 1), zone: zone, facts: .text("shuffled"), isMine: false,
            scope: scope)
    }
}

extension Storm: Hashable {
    static func == (one: Storm, other: Storm) -> Bool { one.country == other.country && one.onset == other.onset }

    func hash(into hasher: inout Hasher) {
        hasher.combine(country)
        hasher.combine(onset)
    }
}
