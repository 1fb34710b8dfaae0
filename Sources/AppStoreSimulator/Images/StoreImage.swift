import Foundation
import NIOCore

/// A picture that the simulator serves in place of Apple's image hosts.
///
/// Its address is that of Apple's without the host: `/image/thumb/…/512x512bb.jpg`. Everything but the last part
/// decides how it looks, so the sizes of one picture look alike.
struct StoreImage {
    /// All image addresses begin so.
    static let root = "/image/"

    let width: Int
    let height: Int
    private let seed: UInt64

    /// `nil` unless the last part of the address says a size of at most 2,000 points.
    init?(path: String) {
        guard path.hasPrefix(Self.root), let slash = path.lastIndex(of: "/") else { return nil }
        let sides = path[path.index(after: slash)...].prefix { $0.isNumber || $0 == "x" }.split(separator: "x")
        guard sides.count == 2, let width = Int(sides[0]), let height = Int(sides[1]),
            (1...2_000).contains(width), (1...2_000).contains(height)
        else { return nil }
        // The size is that of a box (“bb”), which a screenshot fills in its height.
        self.width = width > height ? max(1, height * 9 / 16) : width
        self.height = height
        seed = SeededHash.of(String(path[..<slash]))
    }

    /// An icon is a pattern that is the same on both sides; anything higher than wide looks like a screen with text.
    var png: [UInt8] {
        var generator = SeededGenerator(seed: seed)
        let palette = (0..<4).map { shade in
            (0..<3).map { _ in UInt8(40 + shade * 45 + Int(generator.next() % 40)) }
        }
        let cells = (0..<64).map { _ in UInt8(truncatingIfNeeded: generator.next() & 3) }
        let writer = PNGWriter(width: width, height: height, palette: palette)
        if width == height {
            return writer.picture { x, y in
                let column = x * 8 / width
                return cells[y * 8 / height * 8 + min(column, 7 - column)]
            }
        }
        return writer.picture { x, y in
            let (row, column) = (y * 32 / height, x * 16 / width)
            if row < 6 { return 1 }
            return row % 2 == 0 && column > 1 && column < 6 + Int(cells[row]) * 3 ? 0 : 3
        }
    }

    var answer: StoreAnswer { StoreAnswer(contentType: "image/png", body: ByteBuffer(bytes: png)) }

    /// Eight points wide and high, grey (ITU T.81): tables in which the only code says “nothing more”, and a scan of
    /// two such codes.
    static let jpeg: [UInt8] =
        [0xFF, 0xD8, 0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 1, count: 64)
        + [0xFF, 0xC0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0]
        + [0xFF, 0xC4, 0, 20, 0x00, 1] + [UInt8](repeating: 0, count: 16)
        + [0xFF, 0xC4, 0, 20, 0x10, 1] + [UInt8](repeating: 0, count: 16)
        + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0b0011_1111, 0xFF, 0xD9]

    /// One point, without loss.
    static let webP = Array(Data(base64Encoded: "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==") ?? Data())
}
