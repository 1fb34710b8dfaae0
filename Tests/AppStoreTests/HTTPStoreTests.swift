import AppStore
import AppStoreSimulator
import RankKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(30))) struct HTTPStoreTests {
    private static let habits = query("habit tracker")

    /// What one search comes to that goes wrong in this way.
    private func reply(_ fault: Fault?) async throws -> AppStore.Reply {
        try await asking(simulator([fault])) { try await $0.search(Self.habits) }
    }

    /// What each fault that ends by itself is. The slow ones end by the deadline and have tests of their own.
    private static let failures: [(Fault, Failure.Reason)] = [
        (.serverError, .status), (.unavailable, .status), (.redirect, .status), (.badRequest, .rejected),
        (.reset, .connectionLost), (.short, .connectionLost),
        (.endless, .tooLarge), (.big, .tooLarge), (.bomb, .tooLarge),
        (.truncatedGzip, .badEncoding), (.wrongEncoding, .badEncoding),
        (.html, .notJSON), (.emptyBody, .notJSON), (.truncatedJSON, .notJSON), (.deep, .notJSON), (.badUTF8, .notJSON),
        (.consentPage, .notJSON),
        (.null, .noResults), (.noResults, .noResults), (.countMismatch, .countMismatch),
    ]
    private static let throttles: [(Fault, Int)] = [(.forbidden, 403), (.tooManyRequests, 429)]
    private static let slow: Set<Fault> = [.slowHead, .slowBody]
    private static let wellFormed: Set<Fault> = [.badEntry, .emptyList, .shortList]

    /// Faults of the web store's page, which have their tests in `WebStoreTests`.
    private static let ofPages: Set<Fault> = [.wrongStorefront, .changedPage, .cutPage, .hugePage]

    @Test func `every fault there is has its test here`() {
        let tested =
            Self.failures.map(\.0) + Self.throttles.map(\.0) + Self.slow + Self.wellFormed + Self.ofPages
        #expect(Set(tested) == Set(Fault.allCases))
        #expect(tested.count == Fault.allCases.count)
    }

    @Test(arguments: failures) func `a fault is a failure with its reason`(
        _ fault: Fault, _ reason: Failure.Reason
    ) async throws {
        guard case .failed(let failure) = try await reply(fault) else {
            Issue.record("\(fault) passed for something else than a failure")
            return
        }
        #expect(failure.reason == reason, "\(failure.detail)")
        #expect(!failure.detail.isEmpty)
    }

    @Test(arguments: throttles) func `403 and 429 are the throttle and prove nothing`(
        _ fault: Fault, _ status: Int
    ) async throws {
        guard case .throttled(status, _) = try await reply(fault) else {
            Issue.record("\(fault) passed for something else than the throttle")
            return
        }
    }

    @Test func `a refusal carries Apple's own words`() async throws {
        guard case .failed(let failure) = try await reply(.badRequest) else {
            Issue.record("a refusal passed for something else than a failure")
            return
        }
        #expect(failure.detail == "Invalid value(s) for key(s): [country]")
    }

    @Test func `a redirect is not followed`() async throws {
        let store = simulator([.redirect])
        try await asking(store) { _ = try await $0.search(Self.habits) }
        #expect(store.counts.search == 1)
        #expect(store.counts.other == 0)
    }

    @Test(arguments: [false, true]) func `an answer is read, plain or compressed`(_ gzip: Bool) async throws {
        let whole = try list(from: await reply(nil))
        let read = try list(
            from: await asking(simulator(gzip: gzip, isFullSize: true)) { try await $0.search(Self.habits) })
        #expect(whole.count > 10)
        #expect(read.places.map { $0?.bundleID } == whole.places.map { $0?.bundleID })
    }

    @Test func `an unreadable entry keeps its place`() async throws {
        let whole = try list(from: await reply(nil))
        let spoiled = try list(from: await reply(.badEntry))
        var expected = whole.places.map { $0?.bundleID }
        expected[whole.count / 2] = nil
        #expect(spoiled.places.map { $0?.bundleID } == expected)
    }

    @Test func `an empty list is an answer`() async throws {
        #expect(try list(from: await reply(.emptyList)).count == 0)
    }

    @Test func `a short list is an answer`() async throws {
        let whole = try list(from: await reply(nil)).places.map { $0?.bundleID }
        let short = try list(from: await reply(.shortList)).places.map { $0?.bundleID }
        #expect(short == Array(whole.prefix((whole.count + 9) / 10)))
    }

    @Test func `one client asks on after a fault`() async throws {
        try await asking(simulator([.reset, .bomb, .short, nil])) { store async throws in
            for _ in 1...3 { _ = try await store.search(Self.habits) }
            #expect(try list(from: await store.search(Self.habits)).count > 10)
        }
    }

    @Test func `a look-up finds an app by its id`() async throws {
        try await asking(simulator()) { store async throws in
            let app = try #require(try list(from: await store.search(Self.habits)).places[0])
            let found = try list(from: await store.lookup(.ids([try #require(app.id)], Country(code: "us")!)))
            #expect(found.places.map { $0?.bundleID } == [app.bundleID])
        }
    }
}

/// The list of an answer; any other reply ends the test.
func list(from reply: AppStore.Reply) throws -> ResultList {
    guard case .answered(let list) = reply else {
        throw Unanswered(reply: "\(reply)")
    }
    return list
}

struct Unanswered: Error {
    let reply: String
}
