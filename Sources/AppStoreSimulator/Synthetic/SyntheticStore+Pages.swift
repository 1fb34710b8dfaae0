import NIOCore
package import RankKit

// The page on which the web store shows the results of a search: what its readers in public expect of it. No recording of
// one is stored anywhere.

extension SyntheticStore {
    /// How many items a page shows; of the places behind them it tells the numbers alone.
    static let shownItems = 12

    func page(_ request: ReceivedRequest, at moment: Timestamp) -> StoreAnswer {
        guard let platform = Platform(rawValue: request["platform"] ?? "") else {
            return .html(status: 404, title: "Page Not Found")
        }
        // Of a country that it does not know the store shows the page of the United States.
        let country = Country(code: request.country) == nil ? "us" : request.country
        let term = request["term"] ?? ""
        let numbers = pageOrder(term, country: country, platform: platform, at: moment)
        let page = WebPage(
            term: term, storefront: country, platform: platform, apps: numbers.map { apps[$0] },
            hash: pageHash(term, country: country, platform: platform), moment: moment)
        return StoreAnswer(contentType: "text/html; charset=utf-8", body: ByteBuffer(bytes: page.html))
    }

    /// The apps that the page has in its order, for a comparison: 0–200.
    package func pageRanking(
        _ text: String, country: Country, platform: Platform, at moment: Timestamp
    ) -> [SyntheticApp] {
        pageOrder(text, country: country.code, platform: platform, at: moment).map { apps[$0] }
    }

    private func pageHash(_ text: String, country: String, platform: Platform) -> UInt64 {
        SeededHash.mix(
            SeededHash.mix(seed, SeededHash.of(Query.fold(text))), SeededHash.of(country + platform.rawValue))
    }

    /// The API's order with other apps in many of its places, and neighbours changed about. About 8 of
    /// the first 10 and 30 of the first 50 are in both, as one tool has recorded of two of Apple's searches.
    private func pageOrder(_ text: String, country: String, platform: Platform, at moment: Timestamp) -> [Int] {
        let usual = order(text, country: country, platform: platform, at: moment)
        guard !usual.isEmpty else { return [] }
        let hash = pageHash(text, country: country, platform: platform)
        let known = Set(usual)
        var others = apps.indices.lazy.map { (Int(hash % UInt64(apps.count)) + $0) % apps.count }.filter { [self] in
            apps[$0].planted == nil && !known.contains($0) && apps[$0].isSold(in: country)
                && (platform != .mac || apps[$0].isOnMac)
        }.makeIterator()
        let places = usual.enumerated().map { index, number -> (score: Double, app: Int) in
            let own = SeededHash.mix(hash, apps[number].traits)
            let isKept = apps[number].planted != nil || own.unit < (index < 10 ? 0.82 : 0.56)
            let spread = 0.6 + Double(index) * 0.05
            let score = Double(index) + (SeededHash.mix(own, 3 as Int64).unit - 0.5) * 2 * spread
            return (score, isKept ? number : others.next() ?? number)
        }
        return places.sorted { ($0.score, $0.app) < ($1.score, $1.app) }.map(\.app)
    }
}
