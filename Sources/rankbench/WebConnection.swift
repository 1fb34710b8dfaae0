import Foundation

/// One connection to a web server that is kept open, by sockets alone: every byte that comes over it is counted.
final class WebConnection {
    /// What one request was answered with.
    struct Answer {
        var status: Int
        /// By their names in lower case.
        var fields: [String: String]
        var body: [UInt8]
        /// Head and body, as they came.
        var size: Int
    }

    private let descriptor: Int32
    private let host: String
    private var received: [UInt8] = []

    /// Seconds until an answer that does not come is an error.
    private static let patience = 60

    /// - Parameter origin: `http://127.0.0.1:8480`.
    init(_ origin: String) throws {
        let parts = origin.dropFirst("http://".count).split(separator: ":")
        guard parts.count == 2, let port = UInt16(parts[1]) else { throw BenchmarkFailure("no address: \(origin)") }
        host = parts.joined(separator: ":")
        #if canImport(Glibc)
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var limit = timeval(tv_sec: Self.patience, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_port = port.bigEndian
        place.sin_addr.s_addr = inet_addr(String(parts[0]))
        let outcome = withUnsafePointer(to: &place) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard outcome == 0 else { throw BenchmarkFailure("cannot connect to \(origin): errno \(errno)") }
    }

    deinit { close(descriptor) }

    /// - Parameter fields: whole lines beside `Host`.
    func get(_ path: String, _ fields: [String] = ["Accept-Encoding: gzip"]) throws -> Answer {
        try ask(path, fields)
        let head = try take(upTo: "\r\n\r\n")
        let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw BenchmarkFailure("no answer to \(path)")
        }
        var known: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            known[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
        }
        guard status != 304 else { return Answer(status: status, fields: known, body: [], size: head.count) }
        guard let length = known["content-length"].flatMap({ Int($0) }) else {
            throw BenchmarkFailure("\(path) does not say how long it is")
        }
        while received.count < length { try receive() }
        defer { received.removeFirst(length) }
        return Answer(
            status: status, fields: known, body: Array(received.prefix(length)), size: head.count + length)
    }

    /// Asks for events and waits for the first words.
    func listen() throws {
        try ask("/events", ["Accept: text/event-stream"])
        _ = try take(upTo: "retry:")
    }

    /// Waits for an event of that name.
    func waitForEvent(_ name: String) throws { _ = try take(upTo: "event: \(name)\n") }

    private func ask(_ path: String, _ fields: [String]) throws {
        let lines = ["GET \(path) HTTP/1.1", "Host: \(host)"] + fields
        let request = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
        guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
            throw BenchmarkFailure("cannot send a request: errno \(errno)")
        }
    }

    /// What has come and comes until `mark` has, with it.
    private func take(upTo mark: String) throws -> [UInt8] {
        let mark = Data(mark.utf8)
        while true {
            if let end = Data(received).range(of: mark)?.upperBound {
                defer { received.removeFirst(end) }
                return Array(received.prefix(end))
            }
            try receive()
        }
    }

    private func receive() throws {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { throw BenchmarkFailure("the connection ended: errno \(count < 0 ? errno : 0)") }
        received.append(contentsOf: buffer.prefix(count))
    }
}
