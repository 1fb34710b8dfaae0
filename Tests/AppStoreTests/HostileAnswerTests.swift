import AppStore
import RankKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(30))) struct HostileAnswerTests {
    private func failure(after answer: [UInt8], isEarly: Bool = false) async throws -> Failure? {
        try await RawServer.running(answer, isEarly: isEarly) { server async throws in
            try await asking(server.origin) { store async throws in
                switch try await store.search(query("habits")) {
                case .failed(let failure): failure
                case .answered, .throttled: nil
                }
            }
        }
    }

    @Test(arguments: HostileAnswer.all) func `whatever a peer sends is a failure at most`(_ answer: HostileAnswer)
        async throws
    {
        #expect(try await failure(after: answer.bytes) != nil, "\(answer)")
    }

    @Test(arguments: HostileAnswer.all.filter { $0.bytes.count < 2_000 })
    func `so is what comes before anything is asked`(_ answer: HostileAnswer) async throws {
        #expect(try await failure(after: answer.bytes, isEarly: true) != nil, "\(answer)")
    }

    @Test func `no change of some bytes ends the process`() async throws {
        for answer in HostileAnswer.changed(400, seed: 26) { _ = try await failure(after: answer.bytes) }
    }

    @Test func `a status that HTTP does not have is said as such`() async throws {
        let failure = try await failure(after: Array("HTTP/1.1 000 X\r\ncontent-length: 0\r\n\r\n".utf8))
        #expect(failure?.reason == .status)
        #expect(failure?.detail == "status 0, which HTTP does not have")
    }
}
