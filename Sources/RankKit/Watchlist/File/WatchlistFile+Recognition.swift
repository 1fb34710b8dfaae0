extension WatchlistFile {
    /// How much of a file tells whether it is a watchlist, in bytes.
    package static let tellingSize = 64 << 10

    /// Whether a file looks like a watchlist, sound or with slips in it: whoever writes one by hand can't make it again.
    ///
    /// - Parameter beginning: its first `tellingSize` bytes, or all.
    package static func isLikely(_ beginning: [UInt8]) -> Bool {
        let text = String(decoding: beginning, as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        // What reports write as JSON begins with its version and when it was made, which no watchlist says.
        guard let first = text.first, "{[/".contains(first), !text.prefix(100).contains("\"generatedAt\"") else {
            return false
        }
        // Every watchlist has one of these; lines of other JSON seldom do.
        return text.firstMatch(of: /[\s{,\["'](?:watch|apps|bundleIds?)["']?\s*:/) != nil
    }
}
