import History
import RankKit

/// Which pairs a release touched, and which may stand beside them.
struct ReleaseRoles {
    private let added: Set<String>
    private let removed: Set<String>
    private let app: BundleID

    init(_ release: AppRelease) {
        added = Set(release.added.map(Query.fold))
        removed = Set(release.removed.map(Query.fold))
        app = release.bundleID
    }

    /// Whether the note says which queries the release is about.
    var namesQueries: Bool { !added.isEmpty || !removed.isEmpty }

    /// Of the app's own pair on a query; `nil` if what the release did to it is unclear: the note both adds and
    /// removes it, or it holds all words of one that the note names, or some of them alone.
    func role(of query: Query) -> ReleaseEffect.Role? {
        guard namesQueries else { return .every }
        switch (added.contains(query.folded), removed.contains(query.folded)) {
        case (true, false): return .added
        case (false, true): return .removed
        case (true, true): return nil
        case (false, false):
            let words = Self.words(query.folded)
            let isNear = added.union(removed).map(Self.words).contains {
                $0.isSubset(of: words) || words.isSubset(of: $0)
            }
            return isNear ? nil : .untouched
        }
    }

    private static func words(_ folded: String) -> Set<Substring> { Set(folded.split(separator: " ")) }
}
