import CZlib

/// gzip (RFC 1952), by the system's zlib.
enum Gzip {
    /// A page packs to a fifth at this level, and a higher one takes twice as long for a few bytes in a hundred.
    private static let level: Int32 = 5
    /// With a header and a checksum: 16 beside the largest window.
    private static let windowBits: Int32 = 15 + 16
    /// In bytes: less fits a packet as it is.
    static let shortest = 1_000

    /// - Returns: `nil` if zlib has no memory, or it would not be shorter.
    static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        guard deflateInit2_(&stream, level, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size) == Z_OK
        else { return nil }
        defer { deflateEnd(&stream) }
        guard bytes.count < UInt32.max else { return nil }
        let output = [UInt8](unsafeUninitializedCapacity: bytes.count) { output, count in
            let code = bytes.withUnsafeBufferPointer { bytes in
                // zlib never writes through next_in, whose type only lacks a const.
                stream.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
                stream.avail_in = UInt32(bytes.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                return deflate(&stream, Z_FINISH)
            }
            count = code == Z_STREAM_END ? Int(stream.total_out) : 0
        }
        return output.isEmpty ? nil : output
    }

    /// Whether `Accept-Encoding` admits gzip (RFC 9110, 12.5.3, as far as clients use it).
    static func isAccepted(by field: String?) -> Bool {
        (field ?? "").lowercased().split(separator: ",").contains { coding in
            let parts = coding.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
            guard parts.first == "gzip" || parts.first == "*" else { return false }
            return !parts.dropFirst().contains { $0.hasPrefix("q=") && Double($0.dropFirst(2)) == 0 }
        }
    }
}
