import RankKit
import Reports

/// A turn that the service took: into trouble, into other trouble, or out of it. Turns are numbered, so that the last one
/// is known whatever the clock showed.
struct ServiceTurn: Hashable {
    var isTrouble: Bool
    /// From 1.
    var number: Int
    /// What was wrong; `nil` in what was written before that was noted.
    var matters: Set<ServiceTrouble.Matter>?
    /// As it is stored.
    let variant: String
    var onset: Int64 = 0
    /// Whose day that is (`ZoneDays.kept`).
    var zone: String?
    /// The channels that could not be told yet, because of a limit, a cooldown or a mute.
    var waiting: Set<String> = []

    private static let trouble = "troubled"
    private static let well = "well"

    /// - Parameter matters: what is wrong; none where all is well.
    init(_ matters: Set<ServiceTrouble.Matter>, number: Int) {
        (isTrouble, self.number, self.matters) = (!matters.isEmpty, number, matters)
        let words = matters.map(\.rawValue).sorted().joined(separator: "+")
        variant = matters.isEmpty ? "\(Self.well) \(number)" : "\(Self.trouble) \(number) \(words)"
    }

    /// - Returns: `nil` for an event of another kind.
    init?(_ told: ToldEvent) {
        guard told.kind == .service, let variant = told.thing.split(separator: "\t").last else { return nil }
        self.init(stored: String(variant))
        (onset, zone) = (told.onset, told.zone)
        waiting = told.isOver ? [] : Set(told.waiting)
    }

    init?(_ event: AlertEvent) {
        guard event.kind == .service else { return nil }
        self.init(stored: event.variant)
        (onset, zone) = (event.onset, event.zone)
    }

    /// - Returns: `nil` for what is no turn.
    private init?(stored variant: String) {
        let parts = variant.split(separator: " ")
        guard let word = parts.first, word == Self.trouble || word == Self.well else { return nil }
        isTrouble = word == Self.trouble
        number = parts.dropFirst().first.flatMap { Int($0) } ?? 0
        matters = isTrouble ? nil : []
        if parts.count > 2 {
            matters = Set(parts[2].split(separator: "+").compactMap { ServiceTrouble.Matter(rawValue: String($0)) })
        }
        self.variant = variant
    }
}
