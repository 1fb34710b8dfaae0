import RankKit

/// A turn that the service took: into trouble, or out of it. Turns are numbered, so that the last one is known whatever
/// the clock showed.
struct ServiceTurn: Hashable {
    var isTrouble: Bool
    /// From 1.
    var number: Int
    var onset: Int64 = 0
    /// When it could not be told because its rules had told enough; `nil` if it does not wait for that.
    var waitingSince: Timestamp?

    private static let trouble = "troubled"
    private static let well = "well"

    init(isTrouble: Bool, number: Int) {
        self.isTrouble = isTrouble
        self.number = number
    }

    /// - Returns: `nil` for an event of another kind.
    init?(_ told: ToldEvent) {
        guard told.kind == .service, let variant = told.thing.split(separator: "\t").last else { return nil }
        self.init(variant)
        onset = told.onset
        waitingSince = told.waiting.isEmpty || told.isOver ? nil : told.at
    }

    init?(_ event: AlertEvent) {
        guard event.kind == .service else { return nil }
        self.init(event.variant[...])
        onset = event.onset
    }

    private init(_ variant: Substring) {
        let parts = variant.split(separator: " ")
        self.init(isTrouble: parts.first == Self.trouble[...], number: parts.last.flatMap { Int($0) } ?? 0)
    }

    var variant: String { "\(isTrouble ? Self.trouble : Self.well) \(number)" }
}
