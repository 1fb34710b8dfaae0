import Foundation
import RankKit
import TestSupport
import Testing

@testable import Web

/// What a page shows of a pair is what the JSON of the same moment says of it, for each of a thousand pairs.
@Suite struct SameFigureTests {
    @Test func `Today has the place and the changes of each pair`() async throws {
        let stage = try await ManyPairsStage.shared.value
        let pairs = try await Pair.all(of: stage)
        var rows: [String: [String: String]] = [:]
        for number in 1...6 {
            let page = try await stage.page("/?competitors=true&page=\(number)")
            for row in page.matches(of: /<tr>(<th.*?)<\/tr>/) {
                let address = row.1.firstMatch(of: /data-of="now"><a href="(.*?)"/).map { String($0.1) }
                guard let address else { continue }
                #expect(rows[address] == nil, "\(address) is shown twice")
                let cells = row.1.matches(of: /<td[^>]*data-of="(.*?)">(.*?)<\/td>/)
                rows[address] = Dictionary(
                    cells.map { (String($0.1), words(of: $0.2)) }, uniquingKeysWith: { first, _ in first })
            }
        }
        #expect(pairs.count == 1080 && rows.count == pairs.count, "\(rows.count)")
        for pair in pairs {
            let row = try #require(rows[pair.address], "\(pair.address)")
            #expect(row["now"] == pair.place, "\(pair.address)")
            for span in ["1d", "7d", "30d"] {
                #expect(row[span] == pair.change[span]??.text ?? "", "\(pair.address), \(span)")
            }
        }
    }

    @Test func `Today of a thousand pairs takes at most 90 kB over the wire, with its style and its script`()
        async throws
    {
        let page = try await ManyPairsStage.shared.value.page("/")
        let sent = [Array(page.utf8), SiteAssets.style.body, SiteAssets.script.body].map { Gzip.compressed($0)?.count }
        #expect(sent.allSatisfy { $0 != nil } && sent.compactMap(\.self).reduce(0, +) <= 90_000, "\(sent)")
    }

    @Test func `an app's grid has the place and the move of each of its pairs`() async throws {
        let stage = try await ManyPairsStage.shared.value
        let pairs = try await Pair.all(of: stage)
        var found = 0
        var moves: [Character: Int] = [:]
        for (app, own) in Dictionary(grouping: pairs, by: \.bundleId) {
            let page = try await stage.page("/apps/\(app)")
            let cells = page.matches(
                of: /<a href="([^"]*)"><span class="quiet">[^<]*<\/span>.*?<b>(.*?)<\/b><span>(.*?)<\/span><\/a>/)
            let shown = Dictionary(
                cells.map { (String($0.1), (place: words(of: $0.2), move: words(of: $0.3))) },
                uniquingKeysWith: { first, _ in first })
            found += shown.count
            for pair in own {
                let cell = try #require(shown[pair.address], "\(pair.address)")
                // A place that was not checked lately has its age beside it.
                #expect(cell.place == pair.place || cell.place == "\(pair.place) 7d", "\(pair.address): \(cell)")
                #expect(
                    pair.marks.contains(cell.move.trimmingPrefix(/[○●~?]/).trimmingCharacters(in: .whitespaces)),
                    "\(pair.address): \(cell)")
                let kind: Character? = cell.move.hasSuffix("new") ? "n" : cell.move.hasSuffix("out") ? "o" : nil
                if let kind = kind ?? cell.move.first(where: { "▲▼".contains($0) }) { moves[kind, default: 0] += 1 }
            }
        }
        #expect(found == pairs.count)
        #expect("▲▼no".allSatisfy { moves[$0, default: 0] > 5 }, "\(moves)")
    }

    @Test func `each pair's page has its place and tells its move from where, to where and since when`() async throws {
        let stage = try await ManyPairsStage.shared.value
        var told: [String: Int] = [:]
        for pair in try await Pair.all(of: stage) {
            let page = try await stage.page(pair.address.replacing("&amp;", with: "&"))
            let verdict = words(of: page.components(between: "<section id=\"verdict\">", "</section>").first ?? "")
            #expect(pair.isTold(in: verdict), "\(pair.address): \(pair.told): \(verdict)")
            #expect(pair.isPlaced(in: verdict, after: "Newest check: "), "\(pair.address): \(verdict)")
            told[pair.told.verdict, default: 0] += 1
        }
        #expect(told["real", default: 0] > 50 && told["left", default: 0] > 5, "\(told)")
    }

    @Test func `a figure that is wrong by one, or by a day, is found on a pair's page`() async throws {
        let stage = try await ManyPairsStage.shared.value
        let pairs = try await Pair.all(of: stage)
        var right = try #require(
            pairs.first { $0.state == "ranked" && $0.month == nil && $0.judgement.verdict == "real" })
        let page = try await stage.page(right.address.replacing("&amp;", with: "&"))
        let verdict = words(of: page.components(between: "<section id=\"verdict\">", "</section>").first ?? "")
        #expect(right.isTold(in: verdict) && right.isPlaced(in: verdict, after: "Newest check: "))
        let told = right.judgement
        right.judgement.to = told.to.map { $0 + 1 }
        #expect(!right.isTold(in: verdict))
        right.judgement = told
        right.judgement.since = "2026-01-01"
        #expect(!right.isTold(in: verdict))
        right.position = right.position.map { $0 / 10 }
        #expect(!right.isPlaced(in: verdict, after: "Newest check: "))
    }

    @Test func `each query's page has the places of my apps and their verdicts`() async throws {
        let stage = try await ManyPairsStage.shared.value
        let mine = try await Pair.all(of: stage).filter(\.mine)
        for (address, pairs) in Dictionary(grouping: mine, by: \.queryAddress) {
            let page = try await stage.page(address)
            let own = page.components(between: "<section id=\"own\">", "</section>").first ?? ""
            let lines = own.components(between: "<li>", "</li>")
            #expect(lines.count == pairs.count, "\(address)")
            for pair in pairs {
                let line = try #require(lines.first { $0.contains("href=\"\(pair.address)\"") }, "\(pair.address)")
                let text = words(of: line)
                #expect(pair.isPlaced(in: text, after: ": "), "\(pair.address): \(text)")
                let isStale = try pair.isStale(at: stage.now)
                #expect(isStale || pair.isTold(in: text), "\(pair.address): \(text)")
                #expect(text.contains("It was not checked since.") == isStale, "\(pair.address): \(text)")
            }
        }
    }
}

/// What is read on a page, without its tags.
private func words(of html: some StringProtocol) -> String {
    String(html).replacing(/<span class="brief">.*?<\/span>/, with: "").replacing(/<[^>]*>/, with: "")
        .replacing("&gt;", with: ">").replacing("\n", with: " ").trimmingCharacters(in: .whitespaces)
}

/// A pair as the JSON of the standings has it, and what a page must say of it.
private struct Pair: Decodable {
    let query: String
    let country: String
    let bundleId: String
    let mine: Bool
    let state: String
    var position: Int?
    let within: Int?
    let lastGood: Good?
    let change: [String: Change?]
    var judgement: Told
    let month: Told?

    struct Good: Decodable {
        let position: Int?
        let within: Int
        let checkedAt: String
    }

    struct Told: Decodable {
        let verdict: String
        let from: Int?
        var to: Int?
        var since: String?
    }

    /// Places up, or `entered` and `left`.
    enum Change: Decodable {
        case places(Int)
        case word(String)

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            self = try (try? .places(value.decode(Int.self))) ?? .word(value.decode(String.self))
        }

        var text: String {
            switch self {
            case .places(0): "="
            case .places(let places): places > 0 ? "▲\(places)" : "▼\(-places)"
            case .word(let word): word == "entered" ? "▲ new" : "▼ out"
            }
        }
    }

    private struct Standings: Decodable { let standings: [Pair] }

    static func all(of stage: ManyPairsStage) async throws -> [Pair] {
        let json = try await stage.json("/api/v1/reports/standings?competitors=true&all=true")
        return try JSONDecoder().decode(Standings.self, from: json).standings
    }

    private var question: String {
        "query=\(query.replacing(" ", with: "%20"))&country=\(country)&platform=iphone&language=none"
    }

    /// As a page's link has it.
    var address: String { "/pairs?app=\(bundleId)&\(question)".replacing("&", with: "&amp;") }
    var queryAddress: String { "/queries?\(question)" }

    var place: String {
        func place(_ position: Int?, _ within: Int) -> String { position.map { "#\($0)" } ?? ">\(within)" }
        if state == "ranked" || state == "absent" { return place(position, within ?? 0) }
        return lastGood.map { "○ " + place($0.position, $0.within) } ?? "–"
    }

    /// Whether a sentence has the place of the newest check behind those words. After one that failed it has that of the
    /// last good one, as in “said that it is not among 104”.
    func isPlaced(in text: String, after words: String) -> Bool {
        let place =
            place.hasPrefix("○")
            ? place.replacing("○ >", with: "said that it is not among ").replacing("○ ", with: "said ") : words + place
        return text.ranges(of: place).contains { text[$0.upperBound...].first?.isNumber != true }
    }

    /// Whether nobody asked for two days: the lists are asked for each day.
    func isStale(at now: Timestamp) throws -> Bool {
        let checkedAt = try #require(lastGood.flatMap { Timestamp(iso8601: $0.checkedAt) })
        return now - checkedAt > 2 * Timestamp.secondsPerDay
    }

    /// The newest move of the month.
    var told: Told { month ?? judgement }

    /// What a grid shows of the move; of one that went back, nothing.
    var marks: [String] {
        switch told.verdict {
        case "entered": return ["▲ new", ""]
        case "left": return ["▼ out", ""]
        default:
            guard let from = told.from, let to = told.to else { return [""] }
            return [from > to ? "▲\(from - to)" : "▼\(to - from)"]
        }
    }

    func isTold(in text: String) -> Bool {
        let way = told.from.flatMap { from in told.to.map { "from #\(from) to #\($0)" } } ?? ""
        let day = told.since.map(Self.spelt) ?? ""
        switch told.verdict {
        case "real": return text.contains(way) && text.contains(day)
        case "drift": return text.contains(way) && text.contains("slowly")
        case "unconfirmed": return text.contains(way) && text.contains(day) && text.contains("ikely")
        case "entered":
            return text.contains("Entered the list on \(day), and usually stands at #\(told.to ?? 0)")
                || text.contains("Came into the list, and is out of it again.")
        case "left":
            return text.contains("Left the list on \(day), where it usually stood at #\(told.from ?? 0)")
                || text.contains("Left the list, and is back in it.")
        case "noise": return text.contains("No move")
        default: return text.contains("No verdict")
        }
    }

    /// `9 Nov`, from `2026-11-09`.
    private static func spelt(_ day: String) -> String {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let parts = day.split(separator: "-").compactMap { Int($0) }
        return "\(parts[2]) \(months[parts[1] - 1])"
    }
}
