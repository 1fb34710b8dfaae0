package import RankKit

/// What the rules want to know of the history: nothing else is read.
struct AlertWants: Sendable, Hashable {
    var kinds: Set<AlertKind> = []
    /// How keenly moves are to be told from wobble.
    var sensitivities: [Sensitivity] = []
    /// The first places that `entered` and `left` are about; `nil` for the list.
    var tops: [Int?] = []
    /// Those of `newcomer`.
    var newcomerTops: [Int] = []
    /// Whether messages show the places of the last days.
    var wantPlaces = true

    /// - Parameter usual: the watchlist's sensitivity.
    init(_ settings: AlertSettings, usual: Sensitivity) {
        for rule in settings.rules {
            kinds.formUnion(rule.when)
            if !Self.moves.isDisjoint(with: rule.when) {
                let sensitivity = settings.sensitivity(of: rule, usual: usual)
                if !sensitivities.contains(sensitivity) { sensitivities.append(sensitivity) }
            }
            if !Set([AlertKind.entered, .left]).isDisjoint(with: rule.when), !tops.contains(rule.top) {
                tops.append(rule.top)
            }
            if rule.when.contains(.newcomer), !newcomerTops.contains(rule.newcomerTop) {
                newcomerTops.append(rule.newcomerTop)
            }
        }
    }

    /// Those that rest on what is called real.
    static let moves: Set<AlertKind> = [.moved, .entered, .left, .drift, .overtaken, .overtook]

    func wants(_ kind: AlertKind) -> Bool { kinds.contains(kind) }

    /// How keenly it is looked at again: as it was told, else, where the watchlist is another one by now, as what is judged
    /// now.
    func sensitivity(of told: ToldEvent) -> Sensitivity? {
        told.sensitivity.flatMap { sensitivities.contains($0) ? $0 : sensitivities.first }
    }

    var wantMoves: Bool { !sensitivities.isEmpty }
}

extension AlertSettings {
    /// Those that some rule about moves goes by.
    ///
    /// - Parameter usual: the watchlist's sensitivity.
    func sensitivities(usual: Sensitivity) -> Set<Sensitivity> {
        Set(rules.filter { !AlertWants.moves.isDisjoint(with: $0.when) }.map { sensitivity(of: $0, usual: usual) })
    }

    /// - Parameter usual: the watchlist's sensitivity.
    package func sensitivity(of rule: AlertRule, usual: Sensitivity) -> Sensitivity {
        rule.sensitivity ?? sensitivity ?? usual
    }
}

extension AlertRule {
    /// The first places that `newcomer` is about.
    var newcomerTop: Int { min(top ?? Self.usualTop, Self.mostTop) }

    private static let usualTop = 10
    /// Of no more it is known who was there before.
    private static let mostTop = 20
}
