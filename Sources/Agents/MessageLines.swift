/// Cuts what arrives into lines: one message a line, as the protocol's stdio transport has it.
///
/// Source: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports
package struct MessageLines: Sendable {
    package enum Line: Sendable, Hashable {
        /// Without its line break; never empty.
        case whole([UInt8])
        /// One that was longer than `longest` bytes: it has been dropped.
        case tooLong
    }

    /// In bytes: far beyond any request, and what bounds the memory that a client can cost.
    package static let longest = 1 << 20

    private let longest: Int
    private var begun: [UInt8] = []
    private var isDropping = false

    package init(longest: Int = Self.longest) { self.longest = longest }

    /// The lines that end in `bytes`, the one that was begun before them included.
    package mutating func lines(in bytes: some Sequence<UInt8>) -> [Line] {
        var lines: [Line] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                if isDropping {
                    lines.append(.tooLong)
                } else if !isBlank {
                    lines.append(.whole(begun))
                }
                begun.removeAll(keepingCapacity: begun.capacity < 1 << 16)
                isDropping = false
            } else if begun.count < longest {
                if !isDropping { begun.append(byte) }
            } else {
                isDropping = true
                begun = []
            }
        }
        return lines
    }

    private var isBlank: Bool { begun.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } }
}
