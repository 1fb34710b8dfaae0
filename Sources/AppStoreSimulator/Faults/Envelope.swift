import NIOCore

/// The frame that Apple puts around its entries: three newlines, the count, the list, three newlines.
enum Envelope {
    static func body(_ entries: [some Collection<UInt8>], resultCount: Int? = nil) -> ByteBuffer {
        var body = ByteBuffer()
        body.reserveCapacity(entries.reduce(64) { $0 + $1.count + 3 })
        body.writeString("\n\n\n{\n \"resultCount\":\(resultCount ?? entries.count),\n \"results\": [")
        for (index, entry) in entries.enumerated() {
            body.writeString(index == 0 ? "\n" : ", \n")
            body.writeBytes(entry)
        }
        body.writeString("]\n}\n\n\n")
        return body
    }

    /// The bytes of each element of `results`; none where there is no such list.
    static func entries(of body: [UInt8]) -> [ArraySlice<UInt8>] {
        guard let key = body.firstRange(of: Array(#""results""#.utf8)) else { return [] }
        var entries: [ArraySlice<UInt8>] = []
        var depth = 0
        var start = key.upperBound
        var isInString = false
        var isEscaped = false
        for index in key.upperBound..<body.endIndex {
            if isEscaped {
                isEscaped = false
                continue
            }
            switch body[index] {
            case UInt8(ascii: "\\"): isEscaped = isInString
            case UInt8(ascii: "\""): isInString.toggle()
            case _ where isInString: break
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                if depth == 2 { start = index }
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
                if depth == 1 { entries.append(body[start...index]) }
                if depth <= 0 { return entries }
            default: break
            }
        }
        return entries
    }
}
