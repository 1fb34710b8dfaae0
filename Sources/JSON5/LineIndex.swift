/// Turns byte offsets into lines and columns.
package struct LineIndex: Sendable {
    private let bytes: [UInt8]
    private let starts: [Int]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var starts = [0]
        for (offset, byte) in bytes.enumerated() {
            let endsLine = byte == 0x0A || (byte == 0x0D && (offset + 1 == bytes.count || bytes[offset + 1] != 0x0A))
            if endsLine { starts.append(offset + 1) }
        }
        self.starts = starts
    }

    /// The line and, in characters, the column of a byte; both begin at 1. A byte-order mark is not counted.
    package func place(of offset: Int) -> (line: Int, column: Int) {
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        var characters = 0
        for byte in bytes[starts[low]..<min(offset, bytes.count)] where byte & 0xC0 != 0x80 { characters += 1 }
        if low == 0, offset >= 3, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { characters -= 1 }
        return (low + 1, characters + 1)
    }
}
