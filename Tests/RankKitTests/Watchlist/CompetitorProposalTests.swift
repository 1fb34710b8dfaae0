import RankKit
import Testing

@Suite struct CompetitorProposalTests {
    private func list(_ names: [String]) -> ResultList {
        ResultList(
            places: names.map { name in
                SeenApp(id: nil, bundleID: bundle("com.\(name)"), fingerprint: nil) {
                    AppDetails(name: name, developer: name.hasPrefix("me") ? "Me" : "They")
                }
            })
    }

    private func proposals(_ lists: [[String]], by developer: String? = nil) -> [String] {
        CompetitorProposal.list(for: bundle("com.me"), by: developer, in: lists.map(list))
            .map { "\($0.app.bundleID.text) \($0.lists) \($0.ahead)" }
    }

    @Test func `who stands in most lists comes first, then who stands higher`() {
        #expect(
            proposals([["a", "me", "b"], ["b", "a", "me"], ["c", "a", "b"]])
                == ["com.a 3 3", "com.b 3 2"])
    }

    @Test func `one list alone proposes whom it has`() {
        #expect(proposals([["a", "me", "b"]]) == ["com.a 1 1", "com.b 1 0"])
        #expect(proposals([]).isEmpty && proposals([[], ["me"]]).isEmpty)
    }

    @Test func `an app counts only among the first places, and once in a list`() {
        let long = (1...CompetitorProposal.depth).map { "x\($0)" } + ["far"]
        #expect(!proposals([long, long]).contains { $0.hasPrefix("com.far") })
        #expect(proposals([["a", "a", "me"]]) == ["com.a 1 1"])
    }

    @Test func `others of the same developer are no competitors`() {
        #expect(proposals([["me2", "a", "me"]], by: "Me") == ["com.a 1 1"])
        #expect(proposals([["me2", "a", "me"]]) == ["com.me2 1 1", "com.a 1 1"])
    }

    @Test func `no more are proposed than somebody reads`() {
        #expect(proposals([(1...15).map { "x\($0)" }]).count == CompetitorProposal.most)
    }
}
