import RankKit
import Testing

/// A watchlist of two apps of mine and a competitor, with these `alerts`.
func watchlist(alerts: String) -> String {
    """
    {
      apps: {
        habits: { bundleId: 'com.example.habits', competitors: ['streaks'] },
        streaks: { bundleId: 'com.example.streaks' },
      },
      watch: [
        { app: 'habits', queries: ['habit tracker', 'daily routine'], countries: ['us', 'gb'], tags: ['core'] },
        { bundleId: 'com.example.todo', query: 'to do list', tags: ['spanish lists'] },
      ],
      alerts: \(alerts),
    }
    """
}

/// `alerts` with one channel that everything goes to, and these members.
func watchlist(alertsWith members: String) -> String {
    watchlist(alerts: "{ channels: { team: { slack: 'secret:slack-url' } }, to: ['team'], \(members) }")
}

/// `alerts` with one channel of this form that everything goes to.
func watchlist(channel: String) -> String {
    watchlist(alerts: "{ channels: { team: \(channel) }, to: ['team'] }")
}

/// `alerts` with one channel and one rule of this form.
func watchlist(rule: String) -> String { watchlist(alertsWith: "rules: [\(rule)]") }

/// `alerts` with one channel and one mute of this form.
func watchlist(mute: String) -> String { watchlist(alertsWith: "mutes: [\(mute)]") }

func alerts(_ text: String) throws -> AlertSettings {
    let decoded = try decoded(text)
    // That the digest alone is sent is said of a rule that is looked at alone.
    #expect(decoded.warnings.allSatisfy { $0.problem.hasPrefix("with these rules only the digest is sent") })
    return try #require(decoded.watchlist.alerts)
}

func way(_ channel: String) throws -> AlertChannel.Transport {
    try #require(try alerts(watchlist(channel: channel)).channels.first).transport
}

func rule(_ text: String) throws -> AlertRule {
    try #require(try alerts(watchlist(rule: text)).rules.first)
}
