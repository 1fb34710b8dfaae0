import AppStoreSimulator
import Foundation
import NIOCore
import RankKit
import TestSupport
import Testing

@testable import AppStore

/// Pages that went wrong on their way, by chance. `RANKD_PAGE_MUTATIONS` sets how many are tried.
@Suite struct PageMutationTests {
    private static let count =
        ProcessInfo.processInfo.environment["RANKD_PAGE_MUTATIONS"].flatMap(Int.init) ?? 400

    private static func pages() -> [(body: [UInt8], query: Query)] {
        let more = PageOfResults.more([1, 2, 3, 4, 5])
        let byHand = PageOfResults(
            items: [
                PageOfResults.item("AppSearchResult", "ad", 7), PageOfResults.app(1), PageOfResults.app(2),
                PageOfResults.item("EditorialSearchResult", "content", 8),
            ], nextPage: more)
        var pages = [(byHand.html, PageOfResults.query)]
        let store = SyntheticStore(seed: 7, options: .init(appCount: 300))
        for (term, platform) in [("habit tracker", Platform.iphone), ("피트니스", .mac), ("chess", .ipad)] {
            let answer = store.answer(
                ReceivedRequest(.web, ["term": term, "country": "us", "platform": platform.rawValue]),
                at: time("2026-11-01T00:00:00Z"))
            let query = Query(text: term, country: Country(code: "us")!, platform: platform, source: .web)
            pages.append((Array(answer.body.readableBytesView), query))
        }
        return pages
    }

    @Test func `no mutated page crashes the reader, or yields a list without an app that another reader sees`() throws {
        var random = SplitMix(seed: 20_261_128)
        let pages = Self.pages()
        var read = 0
        for number in 0..<Self.count {
            let page = pages[Int(random.next() % UInt64(pages.count))]
            var body = page.body
            for _ in 0...(random.next() % 3) { mutate(&body, &random) }
            guard let list = try? WebStorePage.list(from: body, for: page.query) else { continue }
            read += 1
            let seen = try #require(Self.numbers(in: body), "mutation \(number)")
            #expect(list.numbers == seen, "mutation \(number)")
            for case let app? in list.places { _ = app.details() }
        }
        // Mutations inside of texts leave pages whole: were none read, nothing would have been compared.
        #expect(read > Self.count / 20)
    }

    /// The second opinion: the numbers of a page in their order, by Foundation's parser and the plainest reading.
    private static func numbers(in body: [UInt8]) -> [Int64]? {
        let text = String(decoding: body, as: UTF8.self)
        guard let name = text.range(of: "serialized-server-data"),
            let start = text[name.upperBound...].firstIndex(of: ">"),
            let end = text[start...].range(of: "</script", options: .caseInsensitive)
        else { return nil }
        // Foundation refuses half a surrogate pair and numbers that no Double holds, which JSON's grammar allows.
        let json = String(text[text.index(after: start)..<end.lowerBound])
        let tame = json.replacing(/\\u[dD][89a-fA-F][0-9a-fA-F]{2}/, with: "?").replacing(/[eE][+-]?[0-9]+/, with: "")
        let root = [json, tame].lazy.compactMap {
            try? JSONSerialization.jsonObject(with: Data($0.utf8), options: .fragmentsAllowed)
        }.first
        let elements = (root as? [String: Any])?["data"] as? [Any] ?? root as? [Any] ?? []
        var numbers: [Int64] = []
        func add(_ id: Any?) {
            let number = (id as? String).flatMap { Int64($0) } ?? (id as? NSNumber)?.int64Value
            if let number, !numbers.contains(number) { numbers.append(number) }
        }
        for case let element as [String: Any] in elements {
            guard let page = element["data"] as? [String: Any] else { continue }
            for case let shelf as [String: Any] in page["shelves"] as? [Any] ?? []
            where shelf["id"] as? String == "SearchResults.shelfId" {
                for case let item as [String: Any] in shelf["items"] as? [Any] ?? [] {
                    let isApp = ["AppSearchResult", "AppEventSearchResult"].contains(item["$kind"] as? String ?? "")
                    if isApp, item["resultType"] as? String != "ad" {
                        add((item["lockup"] as? [String: Any])?["adamId"])
                    }
                }
            }
            for case let entry as [String: Any] in (page["nextPage"] as? [String: Any])?["results"] as? [Any] ?? []
            where entry["type"] as? String == "apps" {
                add(entry["id"])
            }
        }
        return numbers
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
            let pieces = [
                "null", "[", "]", "{", "}", "\"", ",", ":", "\\", "1e40", "-1", "\\ud800", "[]", "<", "</script",
            ]
            body.insert(contentsOf: pieces[Int(random.next() % UInt64(pieces.count))].utf8, at: at)
        case 6: body.swapAt(at, Int(random.next() % UInt64(body.count)))
        default:
            if let digit = body.indices.first(where: { $0 >= at && (0x30...0x39).contains(body[$0]) }) {
                body[digit] = 0x30 + UInt8(random.next() % 10)
            }
        }
    }
}
