/// An image as the page names it: an address with blanks for the size, the crop and the format.
struct WebStoreArtwork {
    /// Such as `https://…/{w}x{h}{c}.{f}`.
    var template: String?
    var crop: String?
    /// In pixels, as large as there is one.
    var width: Int64?
    var height: Int64?

    /// - Parameter height: in pixels; `nil` keeps the image's proportions, as far as they are known.
    /// - Returns: `nil` if the page names no address.
    func url(width: Int64, height: Int64? = nil, format: String) -> String? {
        let scaled: Int64 =
            if let own = self.width, let tall = self.height, (1...100_000).contains(own), (1...100_000).contains(tall) {
                max(1, width * tall / own)
            } else {
                width * 16 / 9
            }
        return template.map {
            $0.replacing("{w}", with: String(width)).replacing("{h}", with: String(height ?? scaled))
                .replacing("{c}", with: crop ?? "bb").replacing("{f}", with: format)
        }
    }

    static func read(_ scanner: inout JSONScanner) throws(JSONScanner.Malformed) -> WebStoreArtwork {
        var artwork = WebStoreArtwork()
        try WebStorePage.members(&scanner) { (scanner: inout JSONScanner, key) throws(JSONScanner.Malformed) in
            if scanner.isKey(key, "template") {
                artwork.template = try scanner.optionalText()
            } else if scanner.isKey(key, "crop") {
                artwork.crop = try scanner.optionalText()
            } else if scanner.isKey(key, "width") {
                artwork.width = try scanner.optionalInteger()
            } else if scanner.isKey(key, "height") {
                artwork.height = try scanner.optionalInteger()
            } else {
                try scanner.skipValue(depth: 10)
            }
        }
        return artwork
    }
}

/// The screenshots of one kind of device.
struct WebStoreScreenshots {
    /// Such as `phone` or `pad`.
    var platform: String?
    var artworks: [WebStoreArtwork] = []

    static func read(_ scanner: inout JSONScanner) throws(JSONScanner.Malformed) -> WebStoreScreenshots {
        var screenshots = WebStoreScreenshots()
        try WebStorePage.members(&scanner) { (scanner: inout JSONScanner, key) throws(JSONScanner.Malformed) in
            if scanner.isKey(key, "mediaPlatform") {
                try WebStorePage.members(&scanner) { (scanner: inout JSONScanner, key) throws(JSONScanner.Malformed) in
                    if scanner.isKey(key, "appPlatform") {
                        screenshots.platform = try scanner.optionalText()
                    } else {
                        try scanner.skipValue(depth: 10)
                    }
                }
            } else if scanner.isKey(key, "artwork") {
                // One image, or a list of them.
                screenshots.artworks =
                    scanner.peek() == UInt8(ascii: "[")
                    ? try WebStorePage.list(&scanner, most: 20, WebStoreArtwork.read) ?? []
                    : [try WebStoreArtwork.read(&scanner)]
            } else {
                try scanner.skipValue(depth: 10)
            }
        }
        return screenshots
    }
}
