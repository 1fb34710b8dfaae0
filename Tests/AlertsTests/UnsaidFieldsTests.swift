import AppStore
import Foundation
import GRDB
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Alerts
@testable import History
@testable import Reports

/// What an answer does not say, or says wrongly, is not known, and what is not known changes nothing: for each field, for
/// each way in which it can be wrong, from the reader through the history, its export and import, to timelines and alerts.
@Suite struct UnsaidFieldsTests {
    private static let page = "https://apps.apple.com/us/app/me/id1"
    private static let pictures = "https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/7c/2a"

    /// An entry as Apple sends it, in JSON.
    private static let whole: [String: String] = [
        "trackId": "1", "bundleId": #""com.me""#, "trackName": #""Me""#, "artistName": #""Maker""#,
        "sellerName": #""Seller""#, "version": #""1.0""#, "releaseDate": #""2020-01-01T00:00:00Z""#,
        "currentVersionReleaseDate": #""2026-01-01T00:00:00Z""#, "price": "2.99", "currency": #""USD""#,
        "averageUserRating": "4.5", "userRatingCount": "100", "primaryGenreName": #""Utilities""#,
        "artworkUrl512": "\"\(pictures)/a/a.png/512x512bb.jpg\"", "trackViewUrl": "\"\(page)\"",
        "screenshotUrls": "[\"\(pictures)/s/s.png/392x696bb.jpg\"]",
    ]

    /// `nil` is a field that is not there. Some of them are of another type for one field and impossible for another.
    private static let wrongs: [String?] = [
        nil, "null", #""""#, #"" ""#, #""\u00A0\u200B""#, "{}", "[]", "true", #"[7, "", null]"#, "-1", "1e300",
    ]

    private static let impossible: [String: [String]] = [
        "version": ["2"], "trackName": ["7"], "currency": [#""EURO""#, #""123""#], "price": [#""NaN""#, "-0.01"],
        "averageUserRating": ["99", "5.01"], "userRatingCount": ["-5", "1.5", #""many""#],
        "releaseDate": [#""soon""#, #""99999-01-01T00:00:00Z""#],
        "currentVersionReleaseDate": [#""yesterday""#, "20260101"], "artworkUrl512": [#""nothing""#, #""file:///x""#],
        "trackViewUrl": [#""nothing""#], "screenshotUrls": [#""one""#, #"["nothing"]"#],
    ]

    static let fields = whole.keys.filter { !["trackId", "bundleId"].contains($0) }.sorted()

    private func answer(_ changes: [String: String?] = [:]) throws -> ResultList {
        let entry = Self.whole.merging(changes.mapValues { $0 ?? "" }) { $1 }.filter { !$0.value.isEmpty }
            .map { "\"\($0)\": \($1)" }.joined(separator: ", ")
        let other = #"{"trackId": 2, "bundleId": "com.other", "trackName": "Other"}"#
        return try AnswerReader.list(
            from: Array(#"{"resultCount": 2, "results": [{\#(entry)}, \#(other)]}"#.utf8))
    }

    @Test(arguments: fields) func `a field that is not said changes nothing, wherever it goes`(field: String)
        async throws
    {
        let history = try AlertHistory()
        try await history.adopt(apps: ["com.me"])
        let wrongs = Self.wrongs + (Self.impossible[field] ?? [])
        // Each stays for three days, which is longer than what changes back.
        let span = Int64(wrongs.count) * 6 + 12
        for (index, wrong) in wrongs.enumerated() {
            let at = noon - (span - Int64(index) * 6) * day
            try await record(answer(), in: history.store, days: 0..<3, from: at)
            let odd = try answer([field: wrong])
            try await record(odd, in: history.store, days: 3..<6, from: at)
            let (known, read) = (try answer().places[0]?.details(), try #require(odd.places[0]?.details()))
            #expect(read == read.plausible && read != known, "\(wrong ?? "missing")")
        }
        try await record(answer(), in: history.store, days: 0..<3, from: noon - 12 * day)
        try expectSilence(in: history.store, since: span)

        // What was exported is read by the same rule, by whatever version it was kept.
        try await spoil(field, in: history.store)
        let copy = try HistoryStore(path: history.folder.file("copy.sqlite"))
        _ = try await copy.importExport(try await history.export())
        try await record(answer(), in: copy, days: 0..<3, from: noon - 8 * day)
        try expectSilence(in: copy, since: span)

        // All of it can be told: a change that stays is.
        let changed = try answer(["trackName": #""You""#, "version": #""2.0""#, "price": "0"])
        try await record(changed, in: copy, days: 0..<4, from: noon - 4 * day)
        let kinds = try events(in: copy, since: span).map(\.kind)
        #expect(Set(kinds) == [.name, .release, .price] && kinds.count == 3, "\(kinds)")
        #expect(Set(try timeline(of: copy, since: span).map(\.kind.rawValue)).isSuperset(of: ["name", "price"]))
    }

    private func record(_ list: ResultList, in store: HistoryStore, days: Range<Int64>, from start: Timestamp)
        async throws
    {
        for number in days {
            try await store.record(
                Check(query: query("timer"), at: start + number * day, outcome: .answered(list)))
        }
    }

    private func expectSilence(in store: HistoryStore, since days: Int64) throws {
        #expect(try timeline(of: store, since: days).map { "\($0.kind.rawValue) \($0.text)" } == [])
        #expect(try events(in: store, since: days).map { AlertWords.sentence(of: $0) } == [])
    }

    private func timeline(of store: HistoryStore, since days: Int64) throws -> [Timeline.Event] {
        try Timeline(
            of: bundle("com.me"), withCompetitors: false, on: [query("timer")], since: noon - (days - 1) * day,
            until: noon, from: HistoryReader(path: store.path), zone: .gmt, now: noon
        ).events
    }

    private func events(in store: HistoryStore, since days: Int64) throws -> [AlertEvent] {
        let rules = [AlertRule(when: [.release, .price, .name], whose: .all)]
        return try AlertEvents.read(
            settings(rules), days: noon.day - days + 1...noon.day, after: nil, until: noon, now: noon, zone: .gmt,
            told: [], from: HistoryReader(path: store.path))
    }

    /// Leaves in the history what a version before this rule would have kept of the field.
    private func spoil(_ field: String, in store: HistoryStore) async throws {
        let columns = [
            "trackName": "name", "artistName": "developer", "sellerName": "seller", "primaryGenreName": "genre",
            "currency": "currency", "price": "price", "version": "version",
        ]
        guard let column = columns[field] else { return }
        try await store.write { database in
            try database.execute(
                sql: "UPDATE listing SET \(column) = ? WHERE app = (SELECT id FROM app WHERE bundle_key = 'com.me')",
                arguments: [column == "price" ? -1 : " "])
            // It came with an answer of its own.
            try database.execute(sql: "UPDATE sighting SET fingerprint = fingerprint + 1")
        }
    }
}
