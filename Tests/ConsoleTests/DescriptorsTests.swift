import Foundation
import Testing

@testable import Console

@Suite struct DescriptorsTests {
    @Test func `what is open is counted where nothing more can be opened`() async {
        await #expect(processExitsWith: .success) {
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            limit.rlim_cur = 64
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            var taken = 0
            while dup(0) >= 0 { taken += 1 }
            #expect(taken > 0 && open("/dev/fd", O_RDONLY) == -1 && errno == EMFILE)
            // What the program opened by itself meanwhile is among them.
            #expect(Descriptors.open == 64 - 3)
        }
    }

    @Test func `where all that may be open is taken, a program says how many are`() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var limit = rlimit()
            (limit.rlim_cur, limit.rlim_max) = (64, 64)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            while dup(0) >= 0 {}
            try Descriptors.require(16)
        }
        let said = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(said.contains("too few files may be open: 64, 61 are open already"), "\(said)")
    }
}
