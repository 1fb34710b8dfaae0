import RankKit
import Testing

/// 2026-11-20T12:00:00Z.
let noon = Timestamp(secondsSinceEpoch: 1_795_176_000)
let hour: Int64 = 3600
let day = Timestamp.secondsPerDay

func country(_ code: String) throws -> Country { try #require(Country(code: code)) }

func reading(_ position: Int?, within: Int = 180, secondsAgo: Int64 = 2 * hour) -> Reading {
    Reading(position: position.flatMap(Position.init), within: within, checkedAt: noon - secondsAgo)
}
