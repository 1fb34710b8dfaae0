import Foundation
import History
import Judging
import RankKit

/// `rankctl report timeline`: everything that happened to an app, the newest first.
struct TimelineReport: ReportValue {
    var timeline: Timeline
    /// While some of the app's queries cannot be judged yet.
    var firstVerdict: FirstVerdict?

    init(_ timeline: Timeline) { self.timeline = timeline }

    var generatedAt: Timestamp { timeline.generatedAt }

    static let shape = ReportShape<TimelineReport>(
        "timeline", command: TimelineRequest.about.command,
        [
            .value("since", "The earlier moment.") { $0.timeline.since },
            .value("until", "The later moment.") { $0.timeline.until },
            .object("app", "Whose timeline it is.", ReportedApp.shape) { $0.timeline.app },
            .list("competitors", "Those that are told of beside it.", ReportedApp.shape) { $0.timeline.competitors },
            .value("firstSeenAt", "The first check that showed the app: nothing is known from before.") {
                $0.timeline.firstSeen
            },
            .list("events", "Newest first.", onLines: true, Timeline.Event.shape) { $0.timeline.events },
        ],
        csv: .each(
            "events", "one event",
            [
                "at", "precision", "kind", .column("bundleId", "app.bundleId"), .column("alias", "app.alias"),
                .column("appName", "app.appName"), .column("mark", "app.mark"), "countries",
                .column("query", "query.query"), .column("platform", "query.platform"),
                .column("language", "query.language"), "was", "now", .column("version", "release.version"),
                .column("gained", "ratings.gained"), .column("days", "ratings.days"),
                .column("ratings", "ratings.ratings"), .column("average", "ratings.average"),
                .column("checks", "checks.checks"), .column("failed", "checks.failed"),
                .column("suspect", "checks.suspect"), "text",
            ]
        ).short(
            "at", "kind", "bundleId", "appName", "mark", "countries", "query", "platform", "was", "now", "version",
            "gained", "text"))
}

extension Timeline.Event.Kind: FieldWord {}
extension Timeline.Precision: FieldWord {}

extension Timeline.Event {
    static let shape = ObjectShape<Timeline.Event>(fields: [
        .value(
            "at",
            "When; of a whole day its first second, of a move the first day of the new place, of a drift the day on which it first showed, of a return the day "
                + "that confirmed it, of ratings the day of the "
                + "later reading."
        ) { $0.at },
        .value(
            "precision",
            "moment: what Apple dates it to, else the check that first showed it; noted: the watchlist's day, in its zone; "
                + "day: a day of the watchlist's zone, as the first second of that date in UTC."
        ) { $0.precision },
        .value(
            "kind",
            "version and note: a release, and a note on none; name, price, icon and screenshots: what the store says "
                + "changed; ratings: their number did; moved, entered and left: a move, as movers told then; back: the "
                + "app is where it was before that; shuffled, "
                + "bad-day and failures: how the store was; checks: some of the queries' failed or are suspect."
        ) { $0.kind },
        .optional("app", "Whose event it is; null for an event of no app.", ReportedApp.shape) { $0.app },
        .value("countries", "In which countries; empty for an event that concerns no storefront.") { $0.countries },
        .optional("query", "Of a move or a return.", ObjectShape(fields: Query.fields { $0 })) { $0.query },
        .value("was", "The name, the price or the icon's link before.") { $0.told?.was },
        .value("now", "The same since.") { $0.told?.now },
        .optional("release", "Of a version, or of a note on the app.", Releases.Row.shape) { event in
            event.release.map { Releases.Row(release: $0, day: $0.day(in: ReportZone.days)) }
        },
        .optional("screenshots", nil, PictureChange.shape) { $0.pictures },
        .optional("ratings", nil, Timeline.RatingGain.shape) { $0.gain },
        .optional("judgement", "Of a move, or of the one that a return ended.", MoveJudgement.shape) {
            $0.move?.judgement
        },
        .value("placesOn", "Of a move, the newest day that confirmed it: its places are of that day.") {
            $0.placesOn.map(DateValue.init)
        },
        .optional("checks", nil, FailedDay.shape) { $0.checks },
        .value("text", "The same in words.") { $0.text },
    ])

    private var move: (query: Query, judgement: MoveJudgement)? {
        switch what {
        case .moved(let query, let move), .back(let query, let move, _): (query, move.judgement)
        default: nil
        }
    }

    private var release: AppRelease? { if case .release(let release) = what { release } else { nil } }

    private var pictures: PictureChange? { if case .screenshots(let change) = what { change } else { nil } }

    private var gain: Timeline.RatingGain? { if case .ratings(let gain) = what { gain } else { nil } }

    private var checks: FailedDay? { if case .checks(let day) = what { day } else { nil } }

    private var told: (was: String, now: String)? {
        switch what {
        case .renamed(let from, let to), .bundleID(let from, let to), .icon(let from, let to): (from, to)
        case .price(let from, let to): (from.text, to.text)
        case .release, .note, .screenshots, .ratings, .moved, .back, .store, .checks: nil
        }
    }
}

extension PictureChange {
    fileprivate static let shape = ObjectShape<PictureChange>(fields: [
        .value("before", "How many there were.", .count) { $0.before },
        .value("after", "How many there are.", .count) { $0.after },
        .value("new", "Of these, how many were not there before.", .count) { $0.new },
        .value("gone", "Of those before, how many are no longer there.", .count) { $0.gone },
    ])
}

extension Timeline.RatingGain {
    fileprivate static let shape = ObjectShape<Timeline.RatingGain>(fields: [
        .value("gained", "Below 0 where Apple took some away.") { $0.gained },
        .value("days", "Days since the reading before: 1 where that is the day before.", .integer(minimum: 1)) {
            $0.days
        },
        .value("ratings", "How many there are.", .integer(minimum: 0)) { $0.ratings },
        .value("averageBefore", "0–5.", .optional(.number(minimum: 0))) { $0.averageBefore },
        .value("average", "0–5.", .optional(.number(minimum: 0))) { $0.average },
    ])
}

extension FailedDay {
    fileprivate static let shape = ObjectShape<FailedDay>(fields: [
        .value("checks", "All of the queries' on that day.", .count) { $0.checks },
        .value("failed", "Those without an answer.", .count) { $0.failed },
        .value("suspect", "Those whose answers cannot be believed.", .count) { $0.suspect },
    ])
}
