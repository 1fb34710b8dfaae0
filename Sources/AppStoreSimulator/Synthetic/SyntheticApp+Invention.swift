import RankKit

extension SyntheticApp {
    /// Invents the apps of a store: the same seed and number, the same apps.
    static func invented(seed: UInt64, count: Int, planted: [PlantedApp]) -> [SyntheticApp] {
        var taken = Set(planted.map(\.bundleID))
        var apps: [SyntheticApp] = []
        apps.reserveCapacity(count + planted.count)
        for (index, app) in planted.enumerated() { apps.append(planting(app, index: index)) }
        for index in 0..<count {
            var generator = SeededGenerator(seed: SeededHash.mix(seed, Int64(index)))
            let genre = generator.pick(Vocabulary.genres)
            let name = inventedName(genre: genre, &generator)
            let developer = inventedDeveloper(&generator)
            let seller =
                generator.unit() < 0.25
                ? "\(generator.pick(Vocabulary.nouns)) \(generator.pick(Vocabulary.companyForms))" : developer
            // Ids lie between 284 million and 6.8 thousand million, each in a stretch of its own.
            let stretch = max(1, 6_500_000_000 / Int64(max(count, 1)))
            let trackID = 284_000_000 + Int64(index) * stretch + Int64(generator.next() % UInt64(stretch))
            guard
                let bundleID = inventedBundleID(name: name, developer: developer, index: index, &taken, &generator)
            else { continue }
            apps.append(
                SyntheticApp(
                    bundleID: bundleID, trackID: trackID, name: name, developer: developer, seller: seller,
                    genre: genre, traits: generator.next()))
        }
        return apps
    }

    private static func planting(_ app: PlantedApp, index: Int) -> SyntheticApp {
        let traits = SeededHash.of(app.bundleID.folded)
        return SyntheticApp(
            bundleID: app.bundleID, trackID: 6_800_000_000 + Int64(index) * 10_000 + Int64(traits % 10_000),
            name: app.name, developer: app.developer, seller: app.developer,
            genre: Vocabulary.genres[Int(traits % UInt64(Vocabulary.genres.count))], traits: traits, planted: app)
    }

    private static func inventedName(genre: Genre, _ generator: inout SeededGenerator) -> String {
        if generator.unit() < 0.03 { return generator.pick(Vocabulary.foreignNames) }
        let term = capitalised(generator.pick(genre.terms))
        let other = capitalised(generator.pick(genre.terms))
        let adjective = generator.pick(Vocabulary.adjectives)
        let noun = generator.pick(Vocabulary.nouns)
        switch generator.next() % 7 {
        case 0: return "\(noun) – \(term)"
        case 1: return "\(noun): \(term) & \(other)"
        case 2: return "\(adjective) \(term)"
        case 3: return "\(term) \(noun)"
        case 4: return "\(adjective)\(noun) - \(term)"
        case 5: return "\(noun) \(term) Pro"
        default: return "\(adjective) \(noun)"
        }
    }

    private static func inventedDeveloper(_ generator: inout SeededGenerator) -> String {
        generator.unit() < 0.4
            ? "\(generator.pick(Vocabulary.firstNames)) \(generator.pick(Vocabulary.surnames))"
            : "\(generator.pick(Vocabulary.adjectives)) \(generator.pick(Vocabulary.nouns)) "
                + generator.pick(Vocabulary.companyForms)
    }

    private static func inventedBundleID(
        name: String, developer: String, index: Int, _ taken: inout Set<BundleID>, _ generator: inout SeededGenerator
    ) -> BundleID? {
        let app = ascii(name).isEmpty ? "app\(index)" : ascii(name)
        let house = ascii(developer)
        let text =
            switch generator.next() % 8 {
            case 0: "\(house).\(app)"
            case 1: "io.\(house).\(app.lowercased())"
            case 2: "com.\(house.lowercased()).\(app.lowercased())-ios"
            case 3 where index % 3 == 0: "\(app)Pro"
            case 4: "com.\(house).\(app)"
            default: "com.\(house.lowercased()).\(app.lowercased())"
            }
        for candidate in [text, "\(text)\(index)", "\(text)-\(index)", "app.\(index).\(text)"] {
            guard let bundleID = BundleID(candidate), taken.insert(bundleID).inserted else { continue }
            return bundleID
        }
        return nil
    }

    private static func ascii(_ text: String) -> String {
        String(text.filter { $0.isASCII && ($0.isLetter || $0.isNumber) })
    }

    private static func capitalised(_ term: String) -> String {
        term.split(separator: " ").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
    }
}
