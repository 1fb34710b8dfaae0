import CZlib

/// Raw deflate (RFC 1951) and its checksum, by the system's zlib.
enum Deflate {
    /// Streams shorter than this, in bytes, share their codes with the next: codes of their own would cost more.
    private static let shortest = 64
    private static let windowBits: Int32 = -15

    /// Higher levels search far longer for repetitions, of which pages have few, and gain less than one byte in a
    /// hundred.
    private static let level: Int32 = 6

    /// `parts` one after the other, each with codes of its own, by whichever of zlib's strategies does best: good codes
    /// matter more to a page than repetitions do.
    ///
    /// - Returns: `nil` if no strategy comes to fewer than `limit` bytes.
    static func compress(_ parts: [[UInt8]], below limit: Int) -> [UInt8]? {
        var best: [UInt8]?
        for strategy in [Z_HUFFMAN_ONLY, Z_FILTERED] {
            best = compress(parts, strategy: strategy, below: best?.count ?? limit) ?? best
        }
        return best
    }

    private static func compress(_ parts: [[UInt8]], strategy: Int32, below limit: Int) -> [UInt8]? {
        guard limit > 1 else { return nil }
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        guard deflateInit2_(&stream, level, Z_DEFLATED, windowBits, 9, strategy, ZLIB_VERSION, size) == Z_OK else {
            return nil
        }
        defer { deflateEnd(&stream) }
        var output = [UInt8](repeating: 0, count: limit - 1)
        let isWhole = output.withUnsafeMutableBufferPointer { output in
            stream.next_out = output.baseAddress
            stream.avail_out = UInt32(output.count)
            for (index, part) in parts.enumerated() {
                let isLast = index == parts.count - 1
                let flush = isLast ? Z_FINISH : part.count < shortest ? Z_NO_FLUSH : Z_BLOCK
                // zlib never writes through next_in, whose type only lacks a const.
                let code = part.withUnsafeBufferPointer { part in
                    stream.next_in = UnsafeMutablePointer(mutating: part.baseAddress)
                    stream.avail_in = UInt32(part.count)
                    return deflate(&stream, flush)
                }
                if isLast { return code == Z_STREAM_END }
                // Z_BUF_ERROR says that there was nothing to do.
                guard code == Z_OK || code == Z_BUF_ERROR, stream.avail_in == 0, stream.avail_out > 0 else {
                    return false
                }
            }
            return false
        }
        guard isWhole else { return nil }
        return Array(output.prefix(Int(stream.total_out)))
    }

    /// The `size` bytes that `bytes` stand for; `nil` if they stand for anything else.
    static func inflated(_ bytes: ArraySlice<UInt8>, size: Int) -> [UInt8]? {
        var stream = z_stream()
        guard inflateInit2_(&stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            return nil
        }
        defer { inflateEnd(&stream) }
        let output = [UInt8](unsafeUninitializedCapacity: size) { output, count in
            let code = bytes.withUnsafeBufferPointer { bytes in
                stream.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
                stream.avail_in = UInt32(bytes.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(size)
                return inflate(&stream, Z_FINISH)
            }
            count = code == Z_STREAM_END && stream.avail_in == 0 ? size - Int(stream.avail_out) : 0
        }
        return output.count == size ? output : nil
    }

    /// CRC-32, as gzip has it.
    static func checksum(_ bytes: ArraySlice<UInt8>, after before: UInt32 = 0) -> UInt32 {
        bytes.withUnsafeBufferPointer { UInt32(crc32(UInt(before), $0.baseAddress, UInt32($0.count))) }
    }
}
