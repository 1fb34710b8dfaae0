import History
import Judging
package import RankKit

/// What stands beside a loss of mine: whether the store moved, the list, or the app alone.
///
/// Nobody outside Apple knows why an app fell. These are the facts that tell one case from another.
package struct LossContext: Sendable, Hashable {
    /// How the country's store was on the day of the loss, at its worst where that lies between two days; `nil` for a slow
    /// loss, and where that is not known.
    var store: Weather.State?
    /// What the other apps of the list did meanwhile; `nil` where one of the two lists is damaged or no longer kept,
    /// or the loss is too short to be a measure.
    var others: Others?
    /// The newest release of the app, or note about it, in the `reach` days up to the loss, or in the month of a slow one.
    var release: NearRelease?

    /// In days: how long before a loss a release stands near.
    static let reach: Int64 = 3

    /// The other apps that stood among the first places.
    struct Others: Sendable, Hashable {
        /// How many of the first places are looked at.
        static let first = 50
        /// Below this many apps their share says nothing.
        static let fewest = 10
        /// On `PositionScale`: a shorter loss, such as one from the list's last places, is no measure for others.
        static let leastDistance = 0.3

        var compared = 0
        /// Those that fell at least half as far, on `PositionScale`, or left the list.
        var fell = 0

        /// Of ten others one at most fell as far.
        var wereSteady: Bool { compared >= Self.fewest && fell * 10 <= compared }
        /// Of three others one at least fell as far.
        var fellToo: Bool { compared >= Self.fewest && fell * 3 >= compared }
    }

    struct NearRelease: Sendable, Hashable {
        /// `nil` for a noted change without a version.
        var version: String?
        /// Since 1970-01-01.
        var day: Int64
    }

    /// What the facts speak for.
    enum Likely: String, Sendable, Hashable, CaseIterable {
        /// The store shuffled that day.
        case store
        /// It did not, and of the first places a third at least fell as far.
        case list
        /// The store did not shuffle, and of the first places a tenth at most fell as far.
        case app
        case unclear
    }

    var likely: Likely {
        if store == .stormy { return .store }
        if others?.fellToo == true { return .list }
        return others?.wereSteady == true ? .app : .unclear
    }
}

extension LossContext {
    /// `likely its own: the us store was calm; of 49 others among the first 50, 2 fell as far; version 2.4 came on 16 Nov`.
    ///
    /// - Parameters:
    ///   - country: the query's.
    ///   - today: days of another year than it are written with theirs.
    package func words(in country: Country, today: Int64) -> String {
        let head =
            switch likely {
            case .store: "likely the store"
            case .list: "likely the whole list"
            case .app: "likely its own"
            case .unclear: "unclear"
            }
        let facts = facts(in: country, today: today)
        return head + ": " + (facts.isEmpty ? "too little is known" : facts.joined(separator: "; "))
    }

    private func facts(in country: Country, today: Int64) -> [String] {
        var facts: [String] = []
        if let store {
            let what = store == .stormy ? "shuffled" : "was \(store.rawValue)"
            facts.append("the \(country.code.uppercased()) store \(what) that day")
        }
        if let others, others.compared > 0 {
            facts.append(
                others.fell == 0
                    ? "none of \(others.compared) others among the first \(Others.first) fell as far"
                    : "\(others.fell) of \(others.compared) others among the first \(Others.first) fell as far")
        }
        if let release {
            let what = release.version.map { "version \($0) came out" } ?? "your note is of a change"
            facts.append("\(what) on \(DayNames.short(release.day, today: today))")
        }
        return facts
    }

    static let shape = ObjectShape<LossContext>(
        "lossContext",
        "Whether the store moved, the list, or the app alone. Nobody outside Apple knows why an app fell; these are the "
            + "facts that tell one case from another.",
        [
            .value(
                "likely",
                "store: the store shuffled that day; list: it did not, and a third of the others fell as far; app: a tenth of "
                    + "them at most; unclear: neither, or too little is known."
            ) { $0.likely },
            .value("store", "How the country's store was that day; null for a slow loss, or where that is not known.") {
                $0.store
            },
            .value(
                "others",
                "How many other apps stood among the first \(Others.first) of the earlier list; null where one of the lists "
                    + "is damaged or no longer kept, or the loss is too short to be a measure for others.",
                .optional(.count)
            ) { $0.others?.compared },
            .value(
                "othersFell", "Those of them that fell at least half as far, or left the list.", .optional(.count)
            ) { $0.others?.fell },
            .value(
                "release",
                "The version, or empty for a note without one, in the \(reach) days up to the loss, or in the time of a slow one and as long before it."
            ) {
                $0.release.map { $0.version ?? "" }
            },
            .value("releasedOn", "Its day.") { $0.release.map { DateValue($0.day) } },
        ])
}

extension LossContext.Likely: FieldWord {}

extension LossContext.Others {
    /// What the apps of `then` besides `own` did until `now`, while it went from `was` to `is`.
    ///
    /// - Parameter newer: `nil` for out of the list.
    /// - Returns: `nil` where the app did not fall far enough between these two to be a measure for others.
    init?(_ then: NamedList, _ now: NamedList, without own: SoughtApp, was: Position, is newer: Position?) {
        let after = now.firstPlaces
        // Out of the list is at least one place below its end.
        func value(_ position: Position?) -> Double {
            position.map { PositionScale.value($0) } ?? PositionScale.value(Double(now.list.places.count + 1))
        }
        let distance = value(newer) - PositionScale.value(was)
        guard distance >= Self.leastDistance else { return nil }
        for (holder, position) in then.firstPlaces where position.number <= Self.first {
            if own.isHeld(holder) { continue }
            let later = after[holder]
            // Of an app that a place which could not be read may be nothing is said.
            guard later != nil || now.isWhole else { continue }
            compared += 1
            if value(later) - PositionScale.value(position) >= distance / 2 { fell += 1 }
        }
    }
}

extension SoughtApp {
    /// Whether a place that is held by `holder` is the app's.
    fileprivate func isHeld(_ holder: ListedApp) -> Bool {
        switch holder {
        case .numbered(let number): numbers.contains(number)
        case .named(let name): name == bundleID
        }
    }
}
