import NIOCore

/// A gzip body of about 1 MB that expands to 1 GiB of zero bytes.
///
/// It is 1,024 times the same piece of a DEFLATE stream: a block with a Huffman table of its own (RFC 1951, 3.2.7)
/// that codes one zero and 4,064 copies of the longest match, each in two zero bits, up to 1 MiB; then an empty
/// stored block, which brings the next piece back to a whole byte.
enum GzipBomb {
    static let expandedSize = 1 << 30

    static var answer: StoreAnswer {
        var body = ByteBuffer()
        body.reserveCapacity(fileHeader.count + pieces * (pieceHead.count + pieceZeros + pieceTail.count) + 10)
        body.writeBytes(fileHeader)
        for _ in 0..<pieces {
            body.writeBytes(pieceHead)
            body.writeRepeatingByte(0, count: pieceZeros)
            body.writeBytes(pieceTail)
        }
        body.writeBytes([0x03, 0x00])
        body.writeInteger(checksum, endianness: .little)
        body.writeInteger(UInt32(expandedSize), endianness: .little)
        return StoreAnswer(contentEncoding: "gzip", body: body)
    }

    private static let fileHeader: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
    private static let pieces = 1_024
    private static let pieceHead: [UInt8] = [
        0xEC, 0xC1, 0x31, 0x01, 0x00, 0x00, 0x00, 0xC2, 0xA0, 0xF5, 0x4F, 0x6D, 0x08, 0x5F, 0xA0,
    ]
    private static let pieceZeros = 1_016
    private static let pieceTail: [UInt8] = [0x3E, 0x03, 0x00, 0x00, 0xFF, 0xFF]
    /// The CRC-32 of 2^30 zero bytes.
    private static let checksum: UInt32 = 0x5B64_C2B0
}
