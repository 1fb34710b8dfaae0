import History
import Judging
import RankKit

extension Timeline.Event {
    /// What happened in words, without whose it is, when and where.
    var text: String {
        switch what {
        case .release(let release): Self.text(of: release)
        case .note(let text): text
        case .renamed(let from, let to): "“\(from)” became “\(to)”"
        case .bundleID(let from, let to): "bundle ID \(from) became \(to)"
        case .price(let from, let to): "\(from.text) → \(to.text)"
        case .icon: "a new icon"
        case .screenshots(let change): change.text
        case .ratings(let gain):
            "\(Timeline.signed(gain.gained))\(gain.days > 1 ? " in \(gain.days) days" : ""), now "
                + Figures.grouped(gain.ratings)
        case .moved(let query, let move): "\(Self.asked(query)): \(Self.text(of: move))"
        case .back(let query, let move, let place): "\(Self.asked(query)): \(Self.text(of: move, backTo: place))"
        case .store(let kind, let zone): Self.text(of: kind) + (zone.map { " (\($0))" } ?? "")
        case .checks(let day): day.text
        }
    }

    private static func text(of kind: StoreRemark.Kind) -> String {
        switch kind {
        case .shuffled: "the store shuffled"
        case .badDay: "Apple had a bad day"
        case .failures: "most checks failed"
        }
    }

    private static func text(of release: AppRelease) -> String {
        [
            release.version, release.text.isEmpty ? nil : "“\(release.text)”",
            release.added.isEmpty ? nil : "to gain " + release.added.joined(separator: ", "),
            release.removed.isEmpty ? nil : "given up " + release.removed.joined(separator: ", "),
        ].compactMap(\.self).joined(separator: " · ")
    }

    private static func asked(_ query: Query) -> String {
        "“\(query.text)” on \(query.platform.displayName)" + (query.language.map { " · \($0)" } ?? "")
    }

    private static func text(of move: ConfirmedMove) -> String {
        switch move.judgement {
        case .entered(let position, _): "at \(position)"
        case .left(let position, _): "from \(position)"
        case .real(let lasting), .unconfirmed(let lasting):
            "usually \(lasting.from) → \(lasting.to)"
                + (move.placesOn.map { " by \(CivilTime.date(.startOfDay($0)))" } ?? "")
                + (move.isSlide ? ", over \(NoiseModel.monthDays) days" : lasting.isSlow ? ", a drift" : "")
                + (lasting.weather == .stormy ? ", a shuffle" : "")
        case .withinNoise, .notJudged: ""
        }
    }

    /// - Parameter place: `nil` for out of the list.
    private static func text(of move: ConfirmedMove, backTo place: Position?) -> String {
        let stands = place.map { "at \($0)" } ?? "out of the list"
        let began = CivilTime.date(.startOfDay(move.firstDay))
        return switch move.way {
        case .entered: "\(stands) again; it had entered on \(began)"
        case .left: "\(stands) again; it had left on \(began)"
        case .up: "\(stands) again; it had risen on \(began)"
        case .down: "\(stands) again; it had fallen on \(began)"
        }
    }
}

extension Timeline.Event {
    /// Of a move that a later day than its first one confirmed: the newest such day, of which its usual places are.
    var placesOn: Int64? { if case .moved(_, let move) = what { move.placesOn } else { nil } }
}

extension ConfirmedMove {
    /// As for an event.
    fileprivate var placesOn: Int64? {
        switch judgement {
        case .real, .unconfirmed: seenOn > firstDay ? seenOn : nil
        case .entered, .left, .withinNoise, .notJudged: nil
        }
    }
}

extension Timeline {
    /// `+12`, `-3`.
    static func signed(_ number: Int64) -> String { (number > 0 ? "+" : "") + Figures.grouped(number) }
}

extension AppPrice {
    var text: String { Figures.price(amount, currency) }
}

extension PictureChange {
    fileprivate var text: String {
        let parts = [new > 0 ? "\(new) new" : nil, gone > 0 ? "\(gone) gone" : nil].compactMap(\.self)
        if parts.isEmpty { return before == after ? "another order" : "\(before) → \(after)" }
        return parts.joined(separator: ", ") + (before == after ? " of \(after)" : ", \(before) → \(after)")
    }
}

extension FailedDay {
    fileprivate var text: String {
        let parts = [
            failed > 0 ? "\(Figures.grouped(failed)) failed" : nil,
            suspect > 0 ? "\(Figures.grouped(suspect)) cannot be believed" : nil,
        ].compactMap(\.self)
        return parts.joined(separator: " and ") + " of \(Figures.counted(checks, "check")) of its queries"
    }
}
