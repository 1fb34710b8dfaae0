import Foundation
import History
import ProgramStage
import RankKit
import TestSupport
import Testing

/// A history with something in it that is worth a message and that nobody was told of.
extension Stage {
    static let mover = "com.example.app1"
    /// The query on which it moved.
    static let movedOn = "timer"

    /// Leaves a history of a check a day: the app stood around 40, and stands around 12 since three days. rankd has
    /// looked at it five days ago for the last time.
    func rememberMove() async throws {
        let (day, now) = (Timestamp.secondsPerDay, Timestamp(Date()))
        let history = try HistoryStore(path: database)
        try await history.adopt(
            TestSupport.watchlist([(query(Self.movedOn), [Self.mover])], every: day), now: now - 90 * day)
        let places = (0..<40).map { [40, 41, 40, 39, 40, 42, 38, 40][$0 % 8] } + [12, 11, 12]
        for (index, place) in places.enumerated() {
            let moment = now - Int64(places.count - 1 - index) * day - 60
            try await history.record(
                Check(query: query(Self.movedOn), at: moment, outcome: .answered(list(Self.names(place)))))
        }
        let mark = AlertMark(since: now - 6 * day, check: 1, judgedAt: now - 5 * day)
        #expect(try await history.decide(OutboxDecision(mark: mark), from: nil))
        try await history.close()
    }

    /// A hundred apps, with the one that moves at this place.
    private static func names(_ place: Int) -> [String] {
        (1...100).map { $0 == place ? mover : "com.example.other\($0)" }
    }

    /// A store in which the app stays where it is, on the query of the history and on one more.
    func storeAfterMove() async throws -> Simulator {
        var recordings = try Recordings("recordings", on: self)
        try recordings.add(Recordings.list(Self.names(12)), as: "list.json", for: [Self.movedOn, "clock"])
        return try await simulator(["--replay", recordings.folder])
    }

    /// Writes a watchlist with these channels, all of which get every message.
    ///
    /// - Parameters:
    ///   - channels: by their names, each as the watchlist has it.
    ///   - asks: whether one more query is asked every second.
    func watchMove(telling channels: [String: String], asks: Bool = false) throws {
        let lines = channels.sorted { $0.key < $1.key }.map { #"      "\#($0.key)": \#($0.value),"# }
        let names = channels.keys.sorted().map { "\"\($0)\"" }.joined(separator: ", ")
        let more = asks ? #"{ "query": "clock", "bundleId": "\#(Self.mover)", "every": "1s" }"# : ""
        try watch(
            """
            {
              "watch": [
                { "query": "\(Self.movedOn)", "bundleId": "\(Self.mover)", "every": "1d" },
                \(more)
              ],
              "service": { "requestsPerMinute": 100000 },
              "alerts": {
                "channels": {
            \(lines.joined(separator: "\n"))
                },
                "to": [\(names)],
              },
            }

            """)
    }

    /// How many messages are in which state, by channel.
    func deliveries() throws -> [String: String] {
        let rows = try RecordedHistory(database).table("SELECT channel, state FROM alert_delivery")
        return Dictionary(
            rows.map { ($0[0] ?? "", $0[1] ?? "") }, uniquingKeysWith: { "\($0), \($1)" })
    }
}
