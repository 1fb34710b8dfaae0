package import RankKit

/// An app of the synthetic store: what never changes about it.
package struct SyntheticApp: Sendable {
    package let bundleID: BundleID
    /// 64 bits in Apple's answers; every second one is above 2^31.
    package let trackID: Int64
    package let name: String
    package let developer: String
    /// For a quarter of the apps somebody else than the developer.
    package let seller: String
    let genre: Genre
    /// All other traits are drawn from it.
    let traits: UInt64
    let releasedAt: Timestamp
    /// US dollars; 0 for most.
    let price: Double
    let isOnMac: Bool
    /// `nil` for invented apps, which are found by their names.
    let planted: PlantedApp?
    /// The words that a search can meet, in lower case.
    let words: Set<String>

    init(
        bundleID: BundleID, trackID: Int64, name: String, developer: String, seller: String, genre: Genre,
        traits: UInt64, planted: PlantedApp? = nil
    ) {
        self.bundleID = bundleID
        self.trackID = trackID
        self.name = name
        self.developer = developer
        self.seller = seller
        self.genre = genre
        self.traits = traits
        self.planted = planted
        let firstRelease: Int64 = 1_300_000_000
        let lastRelease: Int64 = 1_740_000_000
        releasedAt = Timestamp(
            secondsSinceEpoch: firstRelease
                + Int64(SeededHash.mix(traits, 1 as Int64) % UInt64(lastRelease - firstRelease)))
        let tier = SeededHash.mix(traits, 2 as Int64).unit
        price = tier < 0.88 ? 0 : tier < 0.93 ? 0.99 : tier < 0.97 ? 2.99 : tier < 0.99 ? 4.99 : 19.99
        isOnMac = planted?.platforms.contains(.mac) ?? (SeededHash.mix(traits, 3 as Int64).unit < 0.3)
        words = Set(Query.fold(name).split { !$0.isLetter && !$0.isNumber }.map(String.init))
    }

    func trait(_ number: Int64) -> Double { SeededHash.mix(traits, number).unit }

    func isSold(in country: String) -> Bool {
        planted != nil || SeededHash.mix(traits, SeededHash.of(country)).unit >= 0.03
    }
}

/// What changes about an app: its version, its ratings and, of a planted one, its looks.
struct Edition: Sendable, Hashable {
    let release: Int64
    /// How many of its edits are done.
    let edits: Int
    /// Counts the moments at which the shown ratings are renewed.
    let ratingStep: Int64
}

extension SyntheticApp {
    /// Seconds between releases: 9 to 60 days.
    private var releaseInterval: Int64 { Int64(9 + trait(10) * 51) * Timestamp.secondsPerDay }
    private static let ratingInterval: Int64 = 3 * Timestamp.secondsPerDay

    func edition(at moment: Timestamp) -> Edition {
        let age = max(0, moment - releasedAt)
        let phase = Int64(trait(11) * Double(Self.ratingInterval))
        return Edition(
            release: release(at: moment), edits: planted?.edits.count { $0.at <= moment } ?? 0,
            ratingStep: (age + phase) / Self.ratingInterval)
    }

    private func release(at moment: Timestamp) -> Int64 {
        if let releases = planted?.releases, !releases.isEmpty {
            return Int64(releases.lastIndex { $0.at <= moment } ?? 0)
        }
        let release = max(0, moment - releasedAt) / releaseInterval
        return moment >= releaseMoment(release) ? release : max(0, release - 1)
    }

    /// What is yet to be done to a planted app.
    func edits(after edition: Edition) -> ArraySlice<PlantedEdit> { planted?.edits.dropFirst(edition.edits) ?? [] }

    /// The planted release with that number, from 0.
    private func planted(_ release: Int64) -> PlantedRelease? {
        guard let releases = planted?.releases, releases.indices.contains(Int(release)) else { return nil }
        return releases[Int(release)]
    }

    /// When a release came out: at its interval, late by up to half of one.
    func releaseMoment(_ release: Int64) -> Timestamp {
        if let planted = planted(release) { return planted.at }
        guard release > 0 else { return releasedAt }
        let delay = SeededHash.mix(traits, 1_000 + release).unit * Double(releaseInterval) / 2
        return releasedAt + (release * releaseInterval + Int64(delay))
    }

    /// The version of the app at a moment, such as `4.2.1`.
    package func version(at moment: Timestamp) -> String { versionText(edition(at: moment).release) }

    func versionText(_ release: Int64) -> String {
        if let planted = planted(release) { return planted.version }
        let (major, minor) = (release / 12 + 1, release % 12)
        return switch trait(12) {
        case ..<0.03: "v\(major).\(minor).\(release % 5)"
        case ..<0.4: "\(major).\(minor)"
        default: "\(major).\(minor / 3).\(minor % 3)"
        }
    }

    /// Ratings at a step: the average (1–5) and how many; both 0 for the apps that nobody has rated.
    func ratings(step: Int64) -> (average: Double, count: Int64) {
        guard trait(13) >= 0.06 else { return (0, 0) }
        // Log-uniform from a few to some millions over the life of an app.
        var perStep = 0.02
        for _ in 0..<Int(trait(14) * 18) { perStep *= 2 }
        let count = Int64(Double(step + 20) * perStep) + 1
        let drift = (SeededHash.mix(traits, 5_000 + step / 10).unit - 0.5) * 0.04
        let average = min(5, max(1, 3.2 + trait(15) * 1.75 + drift))
        return ((average * 100_000).rounded() / 100_000, count)
    }
}
