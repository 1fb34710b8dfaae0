import History
import Judging
import RankKit

extension Timeline.Event {
    /// What happened in words, without whose it is, when and where.
    var text: String { text(.whole) }

    /// How much of a move is said.
    enum Wording {
        /// What stands alone.
        case whole
        /// What stands in a table, below a title and beside a legend.
        case brief(today: Int64, hasSeveralPlatforms: Bool)

        func asked(_ query: Query) -> String {
            var text = "“\(query.text)”"
            switch self {
            case .whole, .brief(_, hasSeveralPlatforms: true): text += " on \(query.platform.displayName)"
            case .brief: break
            }
            return text + (query.language.map { " · \($0)" } ?? "")
        }

        func date(_ day: Int64) -> String {
            switch self {
            case .whole: CivilTime.date(.startOfDay(day))
            case .brief(let today, _): DayNames.short(day, today: today)
            }
        }

        fileprivate var shuffle: String {
            switch self {
            case .whole: ", a shuffle"
            case .brief: " \(Chart.Weather.mark)"
            }
        }

        /// `“habit tracker” on iPhone: usually #4 → #7`, `“habit tracker” #4 → #7`.
        fileprivate func joined(_ query: Query, _ word: String, _ rest: String) -> String {
            switch self {
            case .whole: asked(query) + ": " + word + rest
            case .brief: asked(query) + " " + rest
            }
        }
    }

    func text(_ wording: Wording) -> String {
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
        case .moved(let query, let move): Self.text(of: move, on: query, wording)
        case .back(let query, let move, let place):
            wording.joined(
                query, "",
                "back \(place.map { "at \($0)" } ?? "out of the list"); it had \(move.way.participle)"
                    + "\(move.from.map { " from \($0)" } ?? "") on \(wording.date(move.firstDay))")
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

    private static func text(of move: ConfirmedMove, on query: Query, _ wording: Wording) -> String {
        switch move.judgement {
        case .entered(let position, _): wording.joined(query, "", "at \(position)")
        case .left(let position, _): wording.joined(query, "", "from \(position)")
        case .real(let lasting), .unconfirmed(let lasting):
            wording.joined(query, "usually ", "\(lasting.from) → \(lasting.to)")
                + (move.placesOn.map { " by \(wording.date($0))" } ?? "") + (lasting.isSlow ? ", a drift" : "")
                + (lasting.weather == .stormy ? wording.shuffle : "")
        case .withinNoise, .notJudged: wording.asked(query)
        }
    }
}

extension MoveDirection {
    fileprivate var participle: String {
        switch self {
        case .up: "risen"
        case .down: "fallen"
        case .entered: "entered"
        case .left: "left"
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
        case .real, .unconfirmed: judgedOn > firstDay ? judgedOn : nil
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
