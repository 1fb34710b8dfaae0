import RankKit

/// A picture of Apple's by its link, without what differs between links to the same one: the host, the store of pictures
/// that it lies in, and the size that it is asked for in.
///
/// `https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/7c/2a/9b/7c2a9b…/AppIcon.png/512x512bb.jpg`
struct Picture: Hashable {
    private let path: [Substring]

    init(_ link: some StringProtocol) {
        let address = Substring(link).prefix { $0 != "?" && $0 != "#" }
        let afterScheme = address.firstRange(of: "://").map { address[$0.upperBound...] } ?? address
        var path = afterScheme.split(separator: "/").dropFirst()
        if let version = path.firstIndex(of: "v4") { path = path[(version + 1)...] }
        if path.count > 1, let last = path.last, Self.isSize(last) { path.removeLast() }
        self.path = Array(path)
    }

    /// `512x512bb.jpg`, `392x696bb-75.png`: digits, `x`, digits.
    private static func isSize(_ name: Substring) -> Bool {
        let width = name.prefix { $0.isASCII && $0.isNumber }
        let rest = name.dropFirst(width.count)
        return !width.isEmpty && rest.first == "x" && rest.dropFirst().first?.isNumber ?? false
    }

    /// Of one link a line.
    static func all(_ links: String) -> [Picture] { links.split(separator: "\n").map { Picture($0) } }
}

/// What became of an app's pictures.
struct PictureChange: Sendable, Hashable {
    /// How many there were, and are.
    var before: Int
    var after: Int
    /// Of those that there are, how many were not there before.
    var new: Int
    /// Of those that there were, how many are no longer there.
    var gone: Int
}

extension PictureChange {
    /// - Parameters: links, one a line.
    init(from before: String, to after: String) {
        let (old, now) = (Picture.all(before), Picture.all(after))
        self.init(
            before: old.count, after: now.count, new: Set(now).subtracting(old).count,
            gone: Set(old).subtracting(now).count)
    }
}
