import JudgingStage
import RankKit
import Testing

@testable import Reports

func bundleID(_ text: String) throws -> BundleID { try #require(BundleID(text)) }

func extreme(_ position: Int, daysAgo: Int64) throws -> Standings.Extreme {
    Standings.Extreme(position: try #require(Position(position)), at: noon - daysAgo * day)
}

/// A pair of mine, ranked, as most tests need it.
func row(
    _ query: String = "habit tracker", country code: String = "us", platform: Platform = .iphone,
    bundleID identifier: String = "com.me.habits", mine: Bool = true, position: Int? = 12
) throws -> Standings.Row {
    let good = reading(position)
    return Standings.Row(
        question: Query(text: query, country: try country(code), platform: platform),
        bundleID: try bundleID(identifier), mine: mine, outcome: Outcome(good), checkedAt: good.checkedAt,
        lastGood: good)
}

/// What the newest check of `row` was instead, two hours after its last good one.
func row(_ row: Standings.Row, became outcome: Outcome) -> Standings.Row {
    var row = row
    row.outcome = outcome
    row.checkedAt = noon - hour
    return row
}

func trend(_ positions: [Int?]) -> [Standings.Reading?] { positions.map { $0.map { reading($0) } } }

func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
}

/// Everything that a report has to show at once: a good, an absent, a failed, a suspect and a pending pair, two
/// platforms that read the same, wide names, and a competitor.
func showcase() throws -> Standings {
    var steady = try row("habit tracker")
    steady.alias = "habits"
    steady.appID = AppID(1_438_388_363)
    steady.appName = "Habit Hero: Daily Routine"
    steady.tags = ["core"]
    steady.change1d = .places(3)
    steady.change7d = .places(12)
    steady.change30d = .places(0)
    steady.best = try extreme(4, daysAgo: 40)
    steady.worst = try extreme(61, daysAgo: 90)
    steady.trend = trend([
        24, 24, 22, 23, 25, 24, 24, nil, nil, 26, 24, 22, 20, 21, 24, 24, 25, 24, 20, 18, 19, 18, 16, 17, 15, 15, 16,
        14, 15, 12,
    ])
    var pad = steady
    pad.question = Query(text: steady.query, country: steady.country, platform: .ipad)
    var german = try row("gewohnheiten", country: "de", position: nil)
    german.change1d = .left
    german.change7d = .left
    german.best = try extreme(171, daysAgo: 3)
    german.trend = trend(Array(repeating: nil, count: 24) + [178, 175, 171, 174, 176]) + [reading(nil)]
    var failed = row(
        try row("daily routine", position: 8), became: .failed(.check(.timedOut)))
    failed.change1d = .places(-2)
    failed.change7d = .places(1)
    failed.best = try extreme(5, daysAgo: 12)
    failed.trend = trend((0..<30).map { $0 % 7 == 3 ? nil : 6 + $0 % 4 })
    var suspect = row(
        try row("피트니스", country: "kr", position: 31), became: .suspect(.collapsed))
    suspect.change7d = .entered
    suspect.best = try extreme(29, daysAgo: 2)
    suspect.trend = trend(Array(repeating: nil, count: 26) + [33, 29, 30, 31])
    var pending = try row("streaks", country: "gb")
    pending.outcome = .pending
    pending.checkedAt = nil
    pending.lastGood = nil
    var wide = try row("習慣 日本語", country: "jp", bundleID: "jp.me.kazoku", position: 1)
    wide.appName = "家族 👩‍👩‍👧‍👦 cafe\u{301}"
    wide.change1d = .places(0)
    wide.change7d = .places(0)
    wide.best = try extreme(1, daysAgo: 30)
    wide.trend = trend(Array(repeating: 1, count: 30))
    var rival = try row("habit tracker", bundleID: "com.x.streaks", mine: false, position: 2)
    rival.appName = "Streaks"
    rival.change1d = .places(1)
    rival.best = try extreme(1, daysAgo: 9)
    return Standings(
        generatedAt: noon, rows: [steady, pad, german, failed, suspect, pending, wide, rival])
}

/// `text` without the sequences that colour it.
func uncoloured(_ text: String) -> String { text.replacing(/\u{1B}\[[0-9;]*m/, with: "") }
