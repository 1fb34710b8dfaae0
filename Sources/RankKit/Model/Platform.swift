/// The device whose App Store is searched.
package enum Platform: String, Sendable, Hashable, CaseIterable, Codable {
    case iphone, ipad, mac

    /// The name as people write it.
    package var displayName: String {
        switch self {
        case .iphone: "iPhone"
        case .ipad: "iPad"
        case .mac: "Mac"
        }
    }
}

/// Where a position comes from. No source is "the" rank, so every stored position carries its own.
package enum Source: String, Sendable, Hashable, CaseIterable, Codable {
    /// Apple's documented iTunes Search API.
    case itunes
}
