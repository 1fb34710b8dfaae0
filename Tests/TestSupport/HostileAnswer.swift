/// What a peer can send in place of an answer of HTTP. None of it is an answer to anything.
package struct HostileAnswer: Sendable, CustomStringConvertible {
    package let description: String
    package let bytes: [UInt8]

    private init(_ name: String, _ text: String) { (description, bytes) = (name, Array(text.utf8)) }

    private init(_ name: String, bytes: [UInt8]) { (description, self.bytes) = (name, bytes) }

    package static let all = statuses + heads + lengths + chunks + interim + bodies

    /// First lines with numbers that are no status, before what a good answer of the App Store would be.
    private static let statuses: [HostileAnswer] = {
        let list = #"{"resultCount":0,"results":[]}"#
        let rest = "content-length: \(list.utf8.count)\r\n\r\n\(list)"
        let codes = [
            "000", "001", "042", "99", "099", "199", "600", "999", "1000", "1200", "65535", "65536", "4294967496", "-1",
            "+200", "2e2", "0x1", "", "20", "٢٠٠",
        ]
        let lines = codes.flatMap { ["HTTP/1.1 \($0) X", "HTTP/1.1 \($0)"] }
        let others = [
            "HTTP/9.9 200 OK", "HTTP/0.9 200 OK", "HTTP/1.1\t200 OK", "ICY 200 OK", "HTTP/1.1  200 OK", "200",
        ]
        let bare = ["000", "099", "101", "199"].map {
            HostileAnswer("HTTP/1.1 \($0), bare", "HTTP/1.1 \($0) X\r\n\r\n")
        }
        let chunked = ["000", "001", "101"].map {
            HostileAnswer(
                "HTTP/1.1 \($0), chunked", "HTTP/1.1 \($0) X\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n")
        }
        return (lines + others).map { HostileAnswer($0, "\($0)\r\n\(rest)") } + bare + chunked
    }()

    private static let heads: [HostileAnswer] = {
        func head(_ name: String, _ lines: String) -> HostileAnswer {
            HostileAnswer(name, "HTTP/1.1 200 OK\r\n\(lines)\r\n\r\nnothing")
        }
        let first = Array("HTTP/1.1 200 ".utf8)
        return [
            head("a header without a name", ": x"), head("a header without a colon", "x"),
            head("a blank before the colon", "a : b"), head("a folded header", "a: b\r\n c"), head("NUL", "a: \u{0}"),
            head("a thousand headers", (1...1_000).map { "h\($0): x" }.joined(separator: "\r\n")),
            head("a long name", String(repeating: "n", count: 200_000) + ": x"),
            head("a long value", "x: " + String(repeating: "v", count: 200_000)),
            head(
                "many long values",
                (1...200).map { "h\($0): \(String(repeating: "v", count: 40_000))" }
                    .joined(separator: "\r\n")),
            head("a bare line feed", "a: b\nc: d"), head("an upgrade", "connection: upgrade\r\nupgrade: websocket"),
            head("a retry of ages", "retry-after: 99999999999999999999"),
            head("a date of nonsense", "date: Sun, 99 Nov"),
            HostileAnswer("a long reason", "HTTP/1.1 200 \(String(repeating: "r", count: 200_000))\r\n\r\nnothing"),
            HostileAnswer(
                "a reason that is no UTF-8", bytes: first + [0xFF, 0xC0, 0x80] + Array("\r\n\r\nnothing".utf8)),
            HostileAnswer(
                "headers that are no UTF-8",
                bytes: first + Array("OK\r\nx: ".utf8) + [0xFF, 0xED, 0xA0, 0x80]
                    + Array("\r\n\r\nnothing".utf8)),
            HostileAnswer(
                "names that are no UTF-8",
                bytes: first + Array("OK\r\n".utf8) + [0xFF, 0xFE]
                    + Array(": x\r\n\r\nnothing".utf8)),
            HostileAnswer("no head", ""), HostileAnswer("half a head", "HTTP/1.1 200 OK\r\nx: "),
            HostileAnswer("empty lines alone", String(repeating: "\r\n", count: 1_000)),
            HostileAnswer("a request", "GET / HTTP/1.1\r\nhost: x\r\n\r\n"),
            HostileAnswer("bytes", bytes: (0..<4_096).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 13) }),
        ]
    }()

    private static let lengths: [HostileAnswer] =
        [
            "-1", "+7", "0x7", "7 7", "7, 7", "7, 8", "", "9223372036854775807", "9223372036854775808",
            "18446744073709551615", "18446744073709551616", "1e3", "7\r\ncontent-length: 8", "16777216", "3",
            "7\r\ntransfer-encoding: chunked",
        ].map { HostileAnswer("content-length: \($0)", "HTTP/1.1 200 OK\r\ncontent-length: \($0)\r\n\r\nnothing") }
        + [204, 205, 304].map {
            HostileAnswer("a body of \($0)", "HTTP/1.1 \($0) X\r\ncontent-length: 7\r\n\r\nnothing")
        }

    private static let chunks: [HostileAnswer] =
        [
            "g\r\nx\r\n0\r\n\r\n", "-1\r\nx\r\n0\r\n\r\n", "FFFFFFFFFFFFFFFF\r\nx", "FFFFFFFFFFFFFFFFF\r\nx",
            "7FFFFFFFFFFFFFFF\r\nx", "1\r\nxx\r\n0\r\n\r\n", "1\r\nx", "1\r\nx\r\n", "\r\n", "1;a=b\r\nx\r\n0\r\n\r\n",
            "1;\(String(repeating: "e", count: 200_000))\r\nx\r\n0\r\n\r\n", "1\r\nx\r\n0\r\na: b\r\n\r\n",
            "1\r\nx\r\n0\r\n" + (1...1_000).map { "t\($0): x\r\n" }.joined() + "\r\n", "1\r\nx\r\n0\r\n: x\r\n\r\n",
            "1\r\nx\r\n0\r\ncontent-length: 9\r\n\r\n", "0\r\n\r\nHTTP/1.1 000 X\r\n\r\n",
            "000000000000000000000\r\n\r\n",
        ].enumerated().map {
            HostileAnswer("chunks \($0.offset)", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n\($0.element)")
        }
        + ["identity", "gzip", "gzip, chunked", "chunked, gzip", "chunked, chunked", "x"].map {
            HostileAnswer(
                "transfer-encoding: \($0)", "HTTP/1.1 200 OK\r\ntransfer-encoding: \($0)\r\n\r\n1\r\nx\r\n0\r\n\r\n")
        }

    private static let interim: [HostileAnswer] = [
        HostileAnswer("an interim answer alone", "HTTP/1.1 100 Continue\r\n\r\n"),
        HostileAnswer(
            "ten thousand interim answers",
            String(repeating: "HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n", count: 10_000)),
        HostileAnswer("an interim answer with a body", "HTTP/1.1 100 X\r\ncontent-length: 7\r\n\r\nnothing"),
        HostileAnswer("an interim answer, then none", "HTTP/1.1 102 X\r\n\r\nHTTP/1.1 000 X\r\n\r\n"),
        HostileAnswer("another protocol", "HTTP/1.1 101 X\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n\u{1}\u{2}\u{3}"),
        HostileAnswer(
            "two answers", String(repeating: "HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\nnothing", count: 2)),
        HostileAnswer(
            "a good answer, then one of no status",
            "HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\nnothingHTTP/1.1 000 X\r\ncontent-length: 0\r\n\r\n"),
    ]

    private static let bodies: [HostileAnswer] =
        ["gzip", "deflate", "gzip, gzip", "br", "identity", ""].map {
            HostileAnswer(
                "content-encoding: \($0)",
                "HTTP/1.1 200 OK\r\ncontent-encoding: \($0)\r\ncontent-length: 7\r\n\r\nnothing")
        }
        + [
            HostileAnswer(
                "a status of none with an encoding",
                "HTTP/1.1 000 X\r\ncontent-encoding: gzip\r\ncontent-length: 7\r\n\r\nnothing"),
            HostileAnswer("deep JSON", "HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "[", count: 500_000)),
            HostileAnswer("deep objects", "HTTP/1.1 500 X\r\n\r\n" + String(repeating: #"{"a":"#, count: 3_000)),
            HostileAnswer(
                "a body that is no UTF-8", bytes: Array("HTTP/1.1 200 OK\r\n\r\n".utf8) + [0xFF, 0xFE, 0x80]),
        ]

    /// The same with some bytes changed, dropped or doubled.
    package static func changed(_ count: Int, seed: UInt64) -> [HostileAnswer] {
        var random = SplitMix(seed: seed)
        let short = all.filter { $0.bytes.count < 2_000 }
        return (0..<count).map { number in
            let before = short[Int.random(in: 0..<short.count, using: &random)]
            var bytes = before.bytes
            for _ in 0...Int.random(in: 0..<4, using: &random) where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                default: bytes.insert(bytes[place], at: place)
                }
            }
            return HostileAnswer("\(before.description), changed (\(number))", bytes: bytes)
        }
    }
}
