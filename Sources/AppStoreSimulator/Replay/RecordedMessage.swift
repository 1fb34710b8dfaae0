/// A raw HTTP response, as a recorder keeps it in a file: CRLF or bare LF.
struct RecordedMessage {
    let status: Int
    let contentType: String?
    /// As long as `Content-Length` says, or what there is where the file holds less.
    let body: [UInt8]

    /// `nil` where `bytes` do not begin with a status line, or no empty line ends the head.
    init?(_ bytes: [UInt8]) {
        let ends = ["\r\n\r\n", "\n\n"].compactMap { bytes.firstRange(of: Array($0.utf8)) }
        guard let end = ends.min(by: { $0.lowerBound < $1.lowerBound }),
            let head = String(validating: bytes[..<end.lowerBound], as: UTF8.self)
        else { return nil }
        let lines = head.split(whereSeparator: \.isNewline)
        let statusLine = (lines.first ?? "").split(separator: " ")
        guard statusLine.count >= 2, statusLine[0].hasPrefix("HTTP/"), let status = Int(statusLine[1]),
            (100...599).contains(status)
        else { return nil }
        self.status = status
        let fields = lines.dropFirst().compactMap { line -> (name: String, value: String)? in
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            return (parts[0].lowercased(), String(parts[1].drop(while: \.isWhitespace)))
        }
        contentType = fields.first { $0.name == "content-type" }?.value
        let length = fields.first { $0.name == "content-length" }.flatMap { Int($0.value) }
        body = Array(bytes[end.upperBound...].prefix(length ?? .max))
    }
}
