import RankKit

/// Positions among which noise is alike.
enum PositionBand: Int, CaseIterable {
    case top, topTen, topThirty, hundred, beyond

    init(position: Int) {
        self =
            switch position {
            case ...3: .top
            case ...10: .topTen
            case ...30: .topThirty
            case ...100: .hundred
            default: .beyond
            }
    }

    /// `nil` where the pair was absent from most lists.
    init?(_ track: Track) {
        guard let usual = track.usualPlace(track.readings.indices) else { return nil }
        self.init(position: usual)
    }

    /// What is supposed before any pair has been seen. The share of readings away from the usual place grows with depth
    /// so that about 45 % of readings differ from the day before over all; the spread lies between that of steady
    /// searches and that of charts.
    var usual: PairNoise {
        switch self {
        case .top: PairNoise(away: 0.12, stay: 0.15, spread: 0.12)
        case .topTen: PairNoise(away: 0.18, stay: 0.15, spread: 0.12)
        case .topThirty: PairNoise(away: 0.27, stay: 0.15, spread: 0.12)
        case .hundred: PairNoise(away: 0.32, stay: 0.15, spread: 0.12)
        case .beyond: PairNoise(away: 0.35, stay: 0.15, spread: 0.12)
        }
    }
}
