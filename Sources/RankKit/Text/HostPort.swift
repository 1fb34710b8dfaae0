/// A host and a port, as people write where a program is to listen: `127.0.0.1:9483`, `[::1]:9483`, `name:0`.
package struct HostPort: Sendable, Hashable, CustomStringConvertible {
    /// An IPv6 address without its brackets.
    package let host: String
    /// From 0, which takes a free one, to 65535.
    package let port: Int

    /// Reads `HOST:PORT`, an IPv6 address in brackets; `nil` if it is none.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (0...65_535).contains(port)
        else { return nil }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty, host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") }) else {
            return nil
        }
        self.init(host: host, port: port)
    }

    package init(host: String, port: Int) { (self.host, self.port) = (host, port) }

    /// As an address of HTTP has it (RFC 3986, 3.2).
    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
