import AppStoreSimulator
import RankKit

/// What the demo tracks, and what happens to it: two apps of the user's with three competitors, over a month in which
/// one thing or another rises, falls, enters and leaves.
struct DemoPlan {
    /// When the month begins.
    let start: Timestamp

    static let days: Int64 = 30

    /// The day on which the store answers most searches with errors.
    ///
    /// A day of UTC, which a trend's bars stand for, at whatever hour the month begins.
    var badDay: Range<Timestamp> {
        let day = day(14).day + 1
        return Timestamp.startOfDay(day)..<Timestamp.startOfDay(day + 1)
    }

    /// The watchlist as its user would write it.
    var watchlist: String {
        """
        // The demo's watchlist: two apps, three competitors, and the searches that matter to them.
        {
          "apps": {
            "daylight": { "bundleId": "com.northwind.daylight", "competitors": ["habitly", "streaky"] },
            "pomelo":   { "bundleId": "com.northwind.pomelo", "competitors": ["tomato"] },
            "habitly":  { "bundleId": "io.habitly.app" },
            "streaky":  { "bundleId": "StreakyMobile" },
            "tomato":   { "bundleId": "com.tomato.timer" },
          },
          "defaults": { "country": "us", "platform": "iphone", "every": "6h", "timeZone": "UTC" },
          "watch": [
            { "app": "daylight", "queries": ["habit tracker", "daily routine", "streaks", "mood journal",
                "gratitude", "self care"], "countries": ["us", "gb", "de"], "tags": ["core"] },
            { "app": "daylight", "query": "habit tracker", "platform": "ipad", "tags": ["core"] },
            { "app": "pomelo", "queries": ["focus timer", "pomodoro", "study timer"], "countries": ["us", "de"] },
          ],
          "notes": [
            { "on": "\(day(10).description.prefix(10))", "app": "daylight", "version": "2.4",
              "text": "subtitle names the mood journal", "added": ["mood journal", "gratitude", "self care"] },
          ],
        }

        """
    }

    var plantedApps: [PlantedApp] {
        [
            app(
                "com.northwind.daylight", "Daylight: Habit Tracker", "Northwind Apps",
                [
                    "habit tracker": climb(from: 24, to: 7), "daily routine": .steady(12),
                    "streaks": slide(from: 9, to: 31),
                    "mood journal": enter(at: 11, place: 18), "gratitude": enter(at: 11, place: 26),
                    "self care": enter(at: 11, place: 38),
                ],
                // The only release of its days, so that what it did can be told.
                versions: [("2.3", -40), ("2.4", 10)],
                edits: [
                    PlantedEdit(at: day(10), formerName: "Daylight", hasNewScreenshots: true),
                    PlantedEdit(at: day(18), hasNewIcon: true), PlantedEdit(at: day(24), formerPrice: 2.99),
                ]),
            app(
                "com.northwind.pomelo", "Pomelo – Focus Timer", "Northwind Apps",
                [
                    "focus timer": .steady(5), "pomodoro": climb(from: 60, to: 22),
                    "study timer": leave(at: 27, place: 44),
                ],
                versions: [("1.8", -25), ("1.9", 26)]),
            app(
                "io.habitly.app", "Habitly", "Habitly Inc.",
                [
                    "habit tracker": .steady(3), "daily routine": slide(from: 6, to: 14), "streaks": .steady(20),
                    "mood journal": .steady(9),
                ],
                versions: [("5.1", -20), ("5.2", 29)],
                edits: [
                    PlantedEdit(at: day(12), formerPrice: 0.99), PlantedEdit(at: day(29), hasNewScreenshots: true),
                ]),
            app(
                "StreakyMobile", "Streaky 習慣", "Kaizen K.K.",
                ["habit tracker": slide(from: 11, to: 19), "daily routine": .steady(40), "streaks": .steady(2)],
                versions: [("3.0", -60)]),
            app(
                "com.tomato.timer", "Tomato Timer", "Anna Novák",
                ["focus timer": climb(from: 16, to: 8), "pomodoro": .steady(3), "study timer": .steady(15)],
                versions: [("2.0", -30), ("2.1", 20)]),
        ]
    }

    /// - Parameters:
    ///   - versions: each with the day of the month's on which it comes out.
    ///   - edits: that end in what the app looks like when the month is over.
    private func app(
        _ bundleID: String, _ name: String, _ developer: String, _ places: [String: PlantedPlace],
        versions: [(String, Int64)], edits: [PlantedEdit] = []
    ) -> PlantedApp {
        PlantedApp(
            bundleID: known(bundleID), name: name, developer: developer, places: places,
            releases: versions.map { PlantedRelease($0, at: day($1)) }, edits: edits)
    }

    private func known(_ text: String) -> BundleID {
        guard let bundleID = BundleID(text) else { preconditionFailure("\(text) is no bundle id") }
        return bundleID
    }

    private func climb(from place: Double, to best: Double) -> PlantedPlace { drift(from: place, to: best) }

    private func slide(from place: Double, to worst: Double) -> PlantedPlace { drift(from: place, to: worst) }

    private func drift(from place: Double, to last: Double) -> PlantedPlace {
        .moving(from: place, at: start, to: [day(8): place, day(Self.days): last])
    }

    /// Beyond the end of any list.
    private static let nowhere = 500.0

    private func enter(at number: Int64, place: Double) -> PlantedPlace {
        .moving(from: Self.nowhere, at: start, to: [day(number): Self.nowhere, day(number) + 60: place])
    }

    private func leave(at number: Int64, place: Double) -> PlantedPlace {
        .moving(from: place, at: start, to: [day(number): place, day(number) + 60: Self.nowhere])
    }

    private func day(_ number: Int64) -> Timestamp { start + number * Timestamp.secondsPerDay }
}
