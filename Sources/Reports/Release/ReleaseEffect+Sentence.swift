import Algorithms
import History
import Judging
import RankKit

extension ReleaseEffect {
    /// What was out of the ordinary with the stores in the two windows.
    var remarks: [StoreRemark] {
        let days = weather.flatMap { $0.days.map(\.day) }
        guard let first = days.min(), let last = days.max() else { return [] }
        return weather.remarks(on: first...last, today: generatedAt.reportDay)
    }

    /// The release as it stands in a sentence: `version 2.4`, `the change of 2026-11-20`.
    var name: String {
        release.version.map { "version \($0)" } ?? "the change of \(CivilTime.date(.startOfDay(day)))"
    }

    /// What can be said, in one sentence that claims no more than the figures carry.
    package var sentence: String {
        let least = DifferenceInDifferences.minimumReadings
        let subject = name.prefix(1).uppercased() + name.dropFirst()
        switch finding {
        case .verdict(let verdict): return comparisons.first.map { sentence(verdict, $0) } ?? ""
        case .absent:
            return "\(subject): no list shows the app on \(touched(comparisons.first)), neither before nor after."
        case .tooEarly where day > generatedAt.reportDay:
            return "\(subject) is noted for \(CivilTime.date(.startOfDay(day))), which is still in the future."
        case .tooEarly:
            guard day + Int64(least) > generatedAt.reportDay else {
                return
                    "Too early to say: \(least) days with checks after \(name) are needed, and there were fewer then."
            }
            let from = CivilTime.date(.startOfDay(day + Int64(least)))
            return "Too early to say: \(least) days with checks after \(name) are needed, so ask again on \(from)."
        case .noHistory:
            return "Nothing to compare with: \(least) days with checks from before \(name) are needed, and there "
                + (window.days == 1 ? "is 1." : "are \(window.days == 0 ? "none" : String(window.days)).")
        case .notTracked where release.added.isEmpty && release.removed.isEmpty:
            return "Nothing can be said about \(name): the app is tracked on no query."
        case .notTracked:
            return "Nothing can be said about \(name): the app is tracked on none of the queries that its note names."
        case .filteredOut:
            let named = release.added + release.removed
            return
                "Nothing can be said about \(name): the filters exclude all of its queries. Leave them out"
                + (named.isEmpty ? "." : ", or ask for \(Self.listed(named)).")
        case .noControl:
            let filters = isFiltered ? " with these filters" : ""
            return
                "Nothing can be said about \(name)\(filters), because there is nothing to compare with: no other app is "
                + "tracked on these queries, and this app is tracked on no other queries."
        }
    }

    private func sentence(_ verdict: DifferenceInDifferences.Verdict, _ comparison: Comparison) -> String {
        let figures = comparison.figures
        let others = comparison.controls.map(\.asCompared).inWords
        // What lies before yesterday is no longer now.
        let end = window.after?.upperBound ?? generatedAt.reportDay
        let isOver = end < generatedAt.reportDay - 1
        let (first, last) = (
            CivilTime.date(.startOfDay(window.after?.lowerBound ?? end)), CivilTime.date(.startOfDay(end))
        )
        let compared =
            "On \(touched(comparison)), the app \(isOver ? "was" : "is now") \(Self.stand(comparison.after))"
            + "\(isOver ? " from \(first) to \(last)" : ""). If it had moved there as \(others) did, it would "
            + "\(isOver ? "have been" : "be") \(Self.stand(comparison.expected)) "
            + "(95 % range: \(Self.range(comparison)))."
        switch verdict {
        case .helped, .hurt:
            // Two changes of the same days have one effect between them.
            guard !events.contains(where: \.isOwn) else {
                return "The positions changed, but rankd cannot tell why. \(compared)\(doubt)"
            }
            return
                "It looks as if \(name) \(verdict == .helped ? "helped" : "hurt"). \(compared)\(exits)\(falls)\(doubt)"
        case .noClearEffect: return "No clear effect of \(name). \(compared)\(exits)\(falls)\(doubt)"
        case .tooLittleData:
            if case .release(let other)? = window.limit, window.days < Int64(DifferenceInDifferences.minimumReadings) {
                return "Nothing can be said: \(name) and \(Self.name(other)) are too close to each other to tell apart."
            }
            let (most, days) = (DifferenceInDifferences.minimumTexts, DifferenceInDifferences.minimumReadings)
            return
                "Too little is known about \(name). It takes \(most) queries that it touched and \(most) others, each "
                + "with \(days) good days before and after. \(isFiltered ? "The filters leave" : "There are") "
                + "\(figures.treated.texts) and \(figures.control.texts)."
                + (hasSeveralCountries ? " A query in several countries counts once." : "")
        }
    }

    /// Whether there are more queries than texts, so that counting them says something else.
    private var hasSeveralCountries: Bool {
        Set(pairs.map(\.query)).count > Set(pairs.map(\.query.folded)).count
    }

    private func touched(_ comparison: Comparison?) -> String {
        let role = comparison?.treated ?? .every
        let all = pairs.filter { $0.role == role }
        let counted = all.filter(\.counts)
        let shown = counted.isEmpty ? all : counted
        let (queries, countries) = (Self.queries(shown), Self.countries(shown))
        return switch role {
        case .added: "the \(queries) to gain\(countries)"
        case .removed: "the \(queries) given up\(countries)"
        default: "its \(queries)\(countries)"
        }
    }

    /// How many queries these are: a text is one, in however many countries it is asked.
    static func queries(_ pairs: [Pair]) -> String {
        Figures.counted(Set(pairs.map(\.query.folded)).count, "query", "queries")
    }

    /// ` in 3 countries`, or nothing if it is one.
    static func countries(_ pairs: [Pair]) -> String {
        let count = Set(pairs.map(\.query.country)).count
        return count > 1 ? " in \(count) countries" : ""
    }

    private static let mostListed = 3

    private static func listed(_ texts: [String]) -> String {
        let more = texts.count > mostListed ? " …" : ""
        return texts.prefix(mostListed).map { "“\($0)”" }.joined(separator: ", ") + more
    }

    /// On which of the touched queries the app left the list: an average of places does not show it.
    private var exits: String {
        let touched = pairs.filter { !$0.role.isControl && $0.counts }
        let left = touched.filter { $0.before.middle?.position != nil && $0.after.middle?.position == nil }
        // Of one that left them all the average says so.
        guard left.count < touched.count else { return "" }
        guard !left.isEmpty else { return "" }
        let texts = Self.listed(left.map(\.query.text).uniqued(on: \.self))
        return " It left the list of \(texts)\(Self.countries(left))."
    }

    /// What fell meanwhile among the queries that the release did not touch: a gain may have its price there.
    private var falls: String {
        let fallen = asides.filter { $0.direction == .down }
        guard !fallen.isEmpty else { return "" }
        return
            " In the same days it fell on \(Self.listed(fallen.map(\.text)))\(Self.countries(fallen.flatMap(\.pairs))), "
            + "which \(name) does not name."
    }

    /// What else may be behind it.
    private var doubt: String {
        var doubts: [String] = []
        if let other = events.first(where: \.isOwn) {
            let name = other.version.map { "version \($0)" } ?? "“\(other.text)”"
            doubts.append("\(name) came in the same days, and their effects cannot be told apart")
        }
        if let remark = remarks.first { doubts.append(remark.text) }
        return doubts.map { " Keep in mind: \($0)." }.joined()
    }

    private static func name(_ release: AppRelease) -> String {
        release.version.map { "version \($0)" } ?? "the change noted as “\(release.text)”"
    }

    private static func stand(_ place: Double?) -> String {
        guard let place else { return "–" }
        return isAbsence(place) ? "absent" : "at about \(Self.place(place))"
    }

    private static func range(_ comparison: Comparison) -> String {
        guard let range = comparison.expectedRange else { return "–" }
        if isAbsence(range.lowerBound) { return "absent" }
        return "\(place(range.lowerBound)) to \(place(range.upperBound))"
    }

    /// What moved among the queries that the release did not touch, each in a line.
    var asideLines: [String] {
        let hasSeveralPlatforms = Set(pairs.map(\.query.platform)).count > 1
        return asides.map { aside in
            let platforms = Set(aside.pairs.map(\.query.platform))
            // Said once where it is the same everywhere.
            let shared = hasSeveralPlatforms && platforms.count == 1 ? platforms.first : nil
            let places = aside.pairs.prefix(Self.mostPlaces).map { pair in
                let platform = platforms.count > 1 ? " \(pair.query.platform.displayName)" : ""
                return "\(pair.query.storefront)\(platform) \(Self.place(pair.before.middle)) → "
                    + Self.place(pair.after.middle)
            }
            let more = aside.pairs.count - places.count
            return "\(aside.text) \(aside.direction == .down ? "fell" : "rose")"
                + (shared.map { " on \($0.displayName)" } ?? "") + ": \(places.joined(separator: ", "))"
                + (more > 0 ? " and \(more) more" : "")
        }
    }

    private static let mostPlaces = 6

    private static func place(_ reading: Reading?) -> String {
        reading.map { $0.position?.description ?? ">\($0.within)" } ?? "–"
    }

    private static func isAbsence(_ place: Double) -> Bool { place.rounded() >= DifferenceInDifferences.floor }

    /// `#12`, or that it is none.
    static func place(_ place: Double) -> String {
        isAbsence(place) ? "absent" : "#\(Int(place.rounded()))"
    }
}

extension ReleaseEffect.Role {
    /// As a sentence names what is compared with.
    fileprivate var asCompared: String {
        switch self {
        case .rival: "other apps on the same queries"
        case .untouched: "the app's other queries"
        case .added, .removed, .every: rawValue
        }
    }
}
