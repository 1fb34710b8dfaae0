import TestSupport
import Testing

@testable import RankKit

@Suite struct WatchlistEditorPopularityTests {
    private func setting(_ figures: [String: [String: Double]], in text: String) throws -> String {
        try edited(text) { editor throws(WatchlistEditor.Refusal) in
            try editor.setPopularity(
                figures.mapValues { values in
                    Dictionary(uniqueKeysWithValues: values.map { (Country(code: $0)!, $1) })
                })
        }
    }

    @Test(arguments: [
        // A line of one query.
        (
            "[{ query: 'q', bundleId: 'com.a' }, // mine\n]",
            "[{ query: 'q', bundleId: 'com.a', \"popularity\": 46 }, // mine\n]"
        ),
        ("[{ query: 'q', popularity: 7, bundleId: 'com.a' }]", "[{ query: 'q', popularity: 46, bundleId: 'com.a' }]"),
        (
            "[\n  {\n    query: 'q',\n    bundleId: 'com.a', // mine\n  },\n]",
            "[\n  {\n    query: 'q',\n    bundleId: 'com.a', // mine\n    \"popularity\": 46,\n  },\n]"
        ),
        // An element of a list.
        (
            "[{ queries: ['a', 'q' /* it */, 'b'], bundleId: 'com.a' }]",
            "[{ queries: ['a', { \"query\": 'q', \"popularity\": 46 } /* it */, 'b'], bundleId: 'com.a' }]"
        ),
        (
            "[{ queries: ['a', { query: 'Q', every: '1h' }], bundleId: 'com.a' }]",
            "[{ queries: ['a', { query: 'Q', every: '1h', \"popularity\": 46 }], bundleId: 'com.a' }]"
        ),
        // What the line says of all of its queries stays for the others.
        (
            "[{ queries: ['a', 'q'], popularity: 3, bundleId: 'com.a' }]",
            "[{ queries: ['a', { \"query\": 'q', \"popularity\": 46 }], popularity: 3, bundleId: 'com.a' }]"
        ),
        // Several lines of one query have one popularity.
        (
            "[{ query: 'q', bundleId: 'com.a' }, { query: 'q', bundleId: 'com.b', popularity: 46 }]",
            "[{ query: 'q', bundleId: 'com.a', \"popularity\": 46 }, { query: 'q', bundleId: 'com.b', popularity: 46 }]"
        ),
        // Nothing to change.
        ("[{ query: 'q', bundleId: 'c', popularity: 46.0 }]", "[{ query: 'q', bundleId: 'c', popularity: 46.0 }]"),
        ("[{ query: 'other', bundleId: 'com.a' }]", "[{ query: 'other', bundleId: 'com.a' }]"),
        ("[{ query: 'q', country: 'de', bundleId: 'com.a' }]", "[{ query: 'q', country: 'de', bundleId: 'com.a' }]"),
    ])
    func `a figure is written where the query stands, and nowhere else`(before: String, after: String) throws {
        #expect(try setting(["q": ["us": 46], "nothing of mine": ["us": 1]], in: before) == after)
    }

    @Test func `countries that differ have a figure each, and those that agree one`() throws {
        let line = "[{ query: 'q', bundleId: 'com.a', countries: ['us', 'gb', 'de'] }]"
        #expect(
            try setting(["q": ["us": 46, "gb": 31, "fr": 9]], in: line)
                == line.replacing(" }]", with: ", \"popularity\": { \"us\": 46, \"gb\": 31 } }]"))
        #expect(
            try setting(["q": ["us": 46, "gb": 46, "de": 46]], in: line)
                == line.replacing(" }]", with: ", \"popularity\": 46 }]"))
    }

    @Test func `a country without a new figure keeps the one that it has`() throws {
        let line = "[{ query: 'q', bundleId: 'com.a', countries: ['us', 'gb'], popularity: 20 }]"
        let text = try setting(["q": ["gb": 31.5]], in: line)
        #expect(text == line.replacing("20", with: "{ \"us\": 20, \"gb\": 31.5 }"))
        let plan = try WatchlistEditor(Array(text.utf8)).watchlist
        #expect(plan.queries.map(\.popularity) == [20, 31.5])
        #expect(try setting(["q": ["us": 31.5]], in: text) == line.replacing("20", with: "31.5"))
    }

    @Test func `it says how many queries have another figure now`() throws {
        var editor = try WatchlistEditor(
            Array("[{ queries: ['a', 'b', 'c'], countries: ['us', 'gb'], bundleId: 'com.a', popularity: 5 }]".utf8))
        let us = try #require(Country(code: "us"))
        #expect(try editor.setPopularity(["a": [us: 9], "b": [us: 5], "x": [us: 1]]) == 1)
        #expect(try editor.setPopularity(["a": [us: 9]]) == 0)
    }

    @Test func `popularity by country is that of each, and of no other`() throws {
        let text = "[{ query: 'q', bundleId: 'com.a', countries: ['us', 'gb'], popularity: { US: 46, fr: 3 } }]"
        let plan = try Watchlist.decode(Array(text.utf8)).watchlist
        #expect(plan.queries.map(\.popularity) == [46, nil])
    }
}
