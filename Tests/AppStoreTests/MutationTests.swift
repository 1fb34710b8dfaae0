import AppStore
import Foundation
import RankKit
import Testing

/// Bodies that went wrong on their way, by chance and by the thousand. `RANKD_MUTATIONS` sets how many are tried.
@Suite struct MutationTests {
    private static let count = ProcessInfo.processInfo.environment["RANKD_MUTATIONS"].flatMap(Int.init) ?? 2_000

    @Test func `no mutated body crashes the reader, and none that is not a whole answer is read as one`() throws {
        var random = SplitMix(state: 20_261_121)
        let bodies = SimulatedBodies.few()
        var read = 0
        for number in 0..<Self.count {
            var body = bodies[Int(random.next() % UInt64(bodies.count))]
            for _ in 0...(random.next() % 3) { mutate(&body, &random) }
            guard let list = try? AnswerReader.list(from: body) else { continue }
            read += 1
            // The second opinion: another reader must find the same number of results in it.
            // It refuses half a surrogate pair, which JSON's grammar allows and a text cut short by Apple may hold, and
            // numbers that no Double holds.
            let text = String(decoding: body, as: UTF8.self).replacing(/\\u[dD][89a-fA-F][0-9a-fA-F]{2}/, with: "?")
                .replacing(/[eE][+-]?[0-9]+/, with: "")
            let object = try #require(
                [Data(body), Data(text.utf8)].lazy
                    .compactMap { try? JSONSerialization.jsonObject(with: $0) as? [String: Any] }.first,
                "mutation \(number): \(text)")
            let results = try #require(object["results"] as? [Any], "mutation \(number)")
            #expect(results.count == list.count, "mutation \(number)")
            #expect("\(object["resultCount"] ?? "")" == "\(list.count)", "mutation \(number)")
            for case let app? in list.places { _ = app.details() }
        }
        // Mutations inside of texts leave answers whole: were none read, nothing would have been compared.
        #expect(read > Self.count / 20)
    }

    private func mutate(_ body: inout [UInt8], _ random: inout SplitMix) {
        guard !body.isEmpty else { return }
        let at = Int(random.next() % UInt64(body.count))
        switch random.next() % 8 {
        case 0: body[at] ^= 1 << UInt8(random.next() % 8)
        case 1: body[at] = UInt8(truncatingIfNeeded: random.next())
        case 2: body.removeSubrange(at...)
        case 3: body.removeSubrange(at..<min(body.count, at + Int(random.next() % 64)))
        case 4: body.insert(contentsOf: body[at..<min(body.count, at + Int(random.next() % 64))], at: at)
        case 5:
            let pieces = ["null", "[", "]", "{", "}", "\"", ",", ":", "\\", "1e40", "-1", "\u{0}", "\\ud800", "[]"]
            body.insert(contentsOf: pieces[Int(random.next() % UInt64(pieces.count))].utf8, at: at)
        case 6:
            let other = Int(random.next() % UInt64(body.count))
            body.swapAt(at, other)
        default:
            let digits = body.indices.filter { $0 >= at && (0x30...0x39).contains(body[$0]) }
            if let digit = digits.first { body[digit] = 0x30 + UInt8(random.next() % 10) }
        }
    }
}

/// SplitMix64 (Steele, Lea and Flood 2014): the same seed gives the same mutations on every machine.
private struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
