package import RankKit

/// 2026-11-20T12:00:00Z.
package let noon = Timestamp(secondsSinceEpoch: 1_795_176_000)
package let hour: Int64 = 3600
package let day = Timestamp.secondsPerDay

package func country(_ code: String) throws -> Country { try known(Country(code: code)) }

package func reading(_ position: Int?, within: Int = 180, secondsAgo: Int64 = 2 * hour) -> Reading {
    Reading(position: position.flatMap(Position.init), within: within, checkedAt: noon - secondsAgo)
}

/// Something that a test takes for granted is not there.
private struct Missing: Error {}

/// What `#require` is in a test.
func known<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw Missing() }
    return value
}
