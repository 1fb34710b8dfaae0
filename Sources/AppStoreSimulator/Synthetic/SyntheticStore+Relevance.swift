import RankKit

extension SyntheticStore {
    /// Works out who contends for the places of a query. The costly part of an answer, done once.
    func makeSheet(_ text: String, country: String, isMac: Bool) -> QuerySheet {
        let folded = Query.fold(text)
        let queryHash = SeededHash.mix(SeededHash.mix(seed, SeededHash.of(folded)), UInt64(isMac ? 1 : 0))
        let hash = SeededHash.mix(queryHash, SeededHash.of(country))
        let words = folded.split { !$0.isLetter && !$0.isNumber }.map(String.init)
        let count = Self.listLength(words: words, hash: hash, isMac: isMac)

        var scored: [(score: Double, app: Int)] = []
        for (index, app) in apps.enumerated() where app.planted == nil {
            guard app.isOnMac || !isMac, app.isSold(in: country) else { continue }
            let general = SeededHash.mix(queryHash, app.traits).unit
            let local = SeededHash.mix(hash, app.traits).unit
            scored.append((Self.overlap(words, app.words) * 2 + app.trait(40) * 0.5 + general + local * 0.3, index))
        }
        scored.sort { ($0.score, $1.app) > ($1.score, $0.app) }
        // Some more than there are places, so that apps enter and leave at the lower end.
        var contenders = scored.prefix(count + 30).enumerated().map { place, contender in
            QuerySheet.Contender(
                app: contender.app, place: Double(place + 1),
                hash: SeededHash.mix(hash, apps[contender.app].traits), planted: nil)
        }
        for (index, app) in apps.enumerated() {
            guard app.planted != nil, app.isOnMac || !isMac, let place = plantedPlaces[index]?[folded] else { continue }
            let own = SeededHash.mix(hash, app.traits)
            // The United States are as planted; elsewhere an app stands somewhat better or worse.
            let factor = country == "us" ? 1 : 0.7 + own.unit
            contenders.append(
                QuerySheet.Contender(app: index, place: 1, hash: own, planted: (place: place, factor: factor)))
        }
        return QuerySheet(
            hash: hash, contenders: contenders, count: count,
            hasOwnIPadOrder: SeededHash.mix(queryHash, 9 as Int64).unit < 0.4)
    }

    /// 0–200: full for nearly half of the queries, some dozens to 195 for as many, and next to nothing for
    /// letters that make no word.
    private static func listLength(words: [String], hash: UInt64, isMac: Bool) -> Int {
        let kind = SeededHash.mix(hash, 5 as Int64).unit
        let size = SeededHash.mix(hash, 6 as Int64).unit
        guard words.contains(where: isPronounceable) else { return kind < 0.5 ? 0 : Int(size * 5) }
        let count = kind < 0.45 ? 200 : kind < 0.9 ? 40 + Int(size * 156) : 5 + Int(size * 35)
        return isMac ? max(3, count * 2 / 5) : count
    }

    /// Whether letters could be a word: other scripts always, Latin ones with vowels in reasonable places.
    private static func isPronounceable(_ word: String) -> Bool {
        guard word.utf8.allSatisfy({ $0 < 0x80 }) else { return true }
        if word.utf8.count <= 3 { return true }
        let vowels = Set("aeiouy0123456789".utf8)
        var run = 0
        var longestRun = 0
        for byte in word.utf8 {
            run = vowels.contains(byte) ? 0 : run + 1
            longestRun = max(longestRun, run)
        }
        return longestRun <= 4 && word.utf8.contains(where: vowels.contains)
    }

    /// The share of the query's words that a name holds, or holds the beginning of; 0–1.
    private static func overlap(_ words: [String], _ name: Set<String>) -> Double {
        guard !words.isEmpty else { return 0 }
        let met = words.reduce(0.0) { sum, word in
            if name.contains(word) { return sum + 1 }
            let isNear =
                word.utf8.count >= 4
                && name.contains { $0.hasPrefix(word) || $0.utf8.count >= 4 && word.hasPrefix($0) }
            return sum + (isNear ? 0.6 : 0)
        }
        return met / Double(words.count)
    }
}
