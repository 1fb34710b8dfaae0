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
