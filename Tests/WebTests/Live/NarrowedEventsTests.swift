import Foundation
import History
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Web

/// When others' queries are asked is not told to whoever sees some tags alone: by no event, and by no tag of an answer.
@Suite struct NarrowedEventsTests {
    private static let client = Visitor(name: "acme", tags: [TwoClients.ownTag])

    private func check(_ text: String, _ country: String, in clients: TwoClients, after seconds: Int64) async throws {
        try await clients.store.record(
            Check(
                query: query(text, country), at: noon + seconds,
                outcome: .answered(list((1...40).map { "com.x\($0)" }))))
    }

    @Test func `the version of a part stays while others' queries are checked, and changes with its own`() async throws
    {
        let clients = try await TwoClients()
        let history = HistoryAccess(path: clients.store.path, zone: .gmt)
        let (whole, part) = (try history.version(), try history.version(for: Self.client))
        try await check("zebra stripes", "us", in: clients, after: 1)
        #expect(try history.version() != whole)
        #expect(try history.version(for: Self.client) == part)
        try await check("timer", "us", in: clients, after: 2)
        let later = try history.version(for: Self.client)
        #expect(later != part)
        // Nor does it say how many checks there are.
        let told = try history.toldVersion(for: Self.client)
        #expect(!told.contains(later))
        let nobody = try history.version(for: Visitor(name: "", tags: []))
        try await check("timer", "us", in: clients, after: 3)
        #expect(try history.version(for: Visitor(name: "", tags: [])) == nobody)
    }

    @Test func `a page of a part is told of its own checks alone`() async throws {
        let clients = try await TwoClients()
        let history = HistoryAccess(path: clients.store.path, zone: .gmt)
        let events = EventStream(hub: LiveHub { try history.look(now: noon) }, clock: ContinuousClock()) { visitor in
            try? history.toldVersion(for: visitor)
        }
        var (told, owners): (String?, String?) = (nil, nil)
        func tell(_ visitor: Visitor, _ told: inout String?) throws -> String? {
            events.text(of: .changed(try history.look(now: noon).version), for: visitor, told: &told)
        }
        let first = try #require(try tell(Self.client, &told))
        #expect(first.hasPrefix("event: changed\n"))
        try await check("zebra stripes", "us", in: clients, after: 1)
        let others = try tell(Self.client, &told)
        let own = try tell(.owner, &owners)
        #expect(others == nil && own != nil)
        try await check("clock", "us", in: clients, after: 2)
        let second = try #require(try tell(Self.client, &told))
        #expect(second != first)
        let progress = events.text(of: .progress(nil), for: Self.client, told: &told)
        let beat = events.text(of: nil, for: Self.client, told: &told)
        #expect(progress == nil && beat == ":\n\n")
    }
}
