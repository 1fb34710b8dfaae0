import AppStore
import AppStoreSimulator
import Foundation
import NIOCore
import RankKit
import TestSupport
import Testing

/// The web store's page over HTTP, as the simulator serves it.
@Suite(.timeLimit(.minutes(30))) struct WebStoreTests {
    private let now = Timestamp(secondsSinceEpoch: 1_790_000_000)

    private func query(_ text: String, _ country: String = "us", _ platform: Platform = .iphone) -> Query {
        Query(text: text, country: Country(code: country)!, platform: platform, source: .web)
    }

    private func reply(_ fault: Fault?, _ query: Query) async throws -> AppStore.Reply {
        try await asking(simulator([fault])) { try await $0.search(query) }
    }

    @Test(arguments: Platform.allCases) func `the page's order arrives whole, for each platform`(
        _ platform: Platform
    ) async throws {
        let store = SyntheticStore(seed: 5, options: .init(appCount: 800))
        for text in ["habit tracker", "c++ & é", "chess", "photo editor", "피트니스"] {
            for country in ["us", "de"] {
                let asked = query(text, country, platform)
                guard case .answered(let list) = try await reply(nil, asked) else {
                    Issue.record("\(text) in \(country) has no answer")
                    continue
                }
                let ranking = store.pageRanking(text, country: asked.country, platform: platform, at: now)
                #expect(list.numbers == ranking.map(\.trackID))
                #expect(list.places.prefix(12).allSatisfy { $0?.details().name != nil || $0 == nil })
            }
        }
    }

    private static let failures: [(Fault, Failure.Reason)] = [
        (.consentPage, .otherPage), (.html, .otherPage), (.emptyBody, .otherPage), (.null, .otherPage),
        (.wrongStorefront, .wrongStorefront), (.changedPage, .changedPage), (.cutPage, .cutList),
        (.hugePage, .tooLarge), (.big, .tooLarge), (.endless, .tooLarge), (.bomb, .tooLarge),
        (.serverError, .status), (.redirect, .status), (.short, .connectionLost), (.truncatedGzip, .badEncoding),
        (.truncatedJSON, .notJSON),
    ]

    @Test(arguments: failures) func `a fault is a failure with its reason, and never a list`(
        _ fault: Fault, _ reason: Failure.Reason
    ) async throws {
        guard case .failed(let failure) = try await reply(fault, query("habit tracker")) else {
            Issue.record("\(fault) passed for something else than a failure")
            return
        }
        #expect(failure.reason == reason, "\(failure.detail)")
        #expect(!failure.detail.isEmpty)
    }

    @Test(arguments: [(Fault.forbidden, 403), (.tooManyRequests, 429)]) func `the throttle is the throttle`(
        _ fault: Fault, _ status: Int
    ) async throws {
        guard case .throttled(status, _) = try await reply(fault, query("habit tracker")) else {
            Issue.record("\(fault) passed for something else than the throttle")
            return
        }
    }

    @Test func `the two orders have about 8 of the first 10 and 30 of the first 50 in common`() throws {
        let store = SyntheticStore(seed: 5)
        let us = Country(code: "us")!
        var (tens, fifties, lists) = (0, 0, 0)
        for text in ["habit tracker", "chess", "photo editor", "budget", "sleep sounds", "weather", "music", "notes"] {
            let api = store.ranking(text, country: us, platform: .iphone, at: now).map(\.trackID)
            let page = store.pageRanking(text, country: us, platform: .iphone, at: now).map(\.trackID)
            guard api.count >= 60 else { continue }
            lists += 1
            tens += Set(api.prefix(10)).intersection(page.prefix(10)).count
            fifties += Set(api.prefix(50)).intersection(page.prefix(50)).count
            #expect(Set(page).count == page.count)
        }
        try #require(lists >= 3)
        let (ten, fifty) = (Double(tens) / Double(lists), Double(fifties) / Double(lists))
        #expect((6.5...9.3).contains(ten) && (25...36).contains(fifty), "\(ten) of 10, \(fifty) of 50")
    }

    @Test func `the pages together have everything that a page can hold`() throws {
        let store = SyntheticStore(seed: 5, options: .init(appCount: 800))
        var (ads, others, whole, rest) = (0, 0, 0, 0)
        var html = ""
        for number in 0..<30 {
            let text = "habit tracker \(number)"
            let request = ReceivedRequest(.web, ["term": text, "country": "us", "platform": "iphone"])
            let body = Array(store.answer(request, at: now).body.readableBytesView)
            let list = try WebStorePage.list(from: body, for: query(text))
            ads += list.beside.advertisements.count
            others += list.beside.others
            let page = String(decoding: body, as: UTF8.self)
            html += page
            guard let first = list.places.first, let id = first?.id ?? list.unnamed[0], list.count > 12 else {
                continue
            }
            if page.contains(#"{"results":[{"id":"\#(id)""#) { whole += 1 } else { rest += 1 }
        }
        #expect(ads > 0 && others > 0 && whole > 0 && rest > 0)
        #expect(html.contains("AppEventSearchResult") && html.contains("AppBundleSearchResult"))
    }

    /// A product page as Apple sent it; `nil` where the recordings are not there.
    private static let recorded: Data? = {
        let beside = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("shared/corpus").path
        let folders = [ProcessInfo.processInfo.environment["RANKD_CORPUS"], beside].compactMap(\.self)
        let files = folders.map { $0 + "/page/product-headspace-us-2026-05-28.html" }
        return files.lazy.compactMap { FileManager.default.contents(atPath: $0) }.first
    }()

    @Test(.enabled(if: recorded != nil, "the recordings are not there"))
    func `the envelope of a recorded page of another kind is read, and is a changed page`() throws {
        let data = try #require(Self.recorded)
        do {
            _ = try WebStorePage.list(from: Array(data), for: query("headspace"))
            Issue.record("a product page passed for a page of results")
        } catch {
            #expect(error.reason == .changedPage && error.detail.hasPrefix("0 pages of results"), "\(error)")
        }
    }
}
