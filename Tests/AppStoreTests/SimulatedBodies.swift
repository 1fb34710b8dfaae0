import AppStoreSimulator
import NIOCore
import TestSupport

/// Whole answers of a few entries, as Apple sends them: lean and full, some, many or no results.
enum SimulatedBodies {
    static func few() -> [[UInt8]] {
        var bodies: [[UInt8]] = []
        for isFullSize in [false, true] {
            let store = SyntheticStore(seed: 7, options: .init(appCount: 400, isFullSize: isFullSize))
            for term in ["habit tracker", "피트니스", "zzqx"] {
                let parameters = ["term": term, "country": "us", "entity": "software", "limit": "3"]
                let answer = store.answer(ReceivedRequest(.search, parameters), at: time("2026-11-01T00:00:00Z"))
                bodies.append(Array(answer.body.readableBytesView))
            }
        }
        return bodies
    }
}
