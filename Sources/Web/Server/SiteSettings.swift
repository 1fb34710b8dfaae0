package import AppStore
package import Foundation
import RankKit

/// What the site is told when it starts.
package struct SiteSettings: Sendable {
    /// The history's file.
    package var database: String
    /// The watchlist's file, into which visitors are told to paste what they want tracked.
    package var watchlist: String?
    package var listening: Listening
    /// The addresses by which people open the site, beside those that follow from where it listens.
    package var origins: [WebOrigin] = []
    /// Who may come in; `nil` lets everybody in, which is for one's own machine.
    package var credentials: Credentials?
    /// Where images and the key of the sessions are kept; in memory alone where it is `nil`.
    package var cacheFolder: String?
    /// Requests a minute from one client, above 0; a third of them at once.
    package var requestsPerMinute = 600
    /// Connections at the same time, from 1: as many as the process may have open, and no more than the site's own limit.
    package var mostConnections = Int.max
    /// The time that one page or report may take.
    var longestAnswer = Duration.seconds(AnswerCache.longest)
    /// Who is asked by Search.
    package var store: Origin = .apple
    /// The machine's, for a watchlist that names none.
    package var zone: TimeZone = .gmt
    /// Gives memory that is free back to the system; called now and then when pages were made.
    package var giveBack: @Sendable () -> Void = {}

    package init(database: String, listening: Listening) {
        self.database = database
        self.listening = listening
    }
}

/// Where the site accepts connections.
package enum Listening: Sendable, Hashable {
    /// A socket in the file system: whoever may write to it gets in.
    case unix(String)
    /// A port from 0, which takes a free one, to 65535.
    case tcp(host: String, port: Int)

    /// Reads `unix:PATH` or `HOST:PORT`, an IPv6 address in brackets; `nil` if it is neither.
    package init?(_ text: String) {
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst(5))
            // As much as a socket's address holds.
            guard !path.isEmpty, path.utf8.count < 108, !path.utf8.contains(0) else { return nil }
            self = .unix(path)
            return
        }
        guard let place = HostPort(text) else { return nil }
        self = .tcp(host: place.host, port: place.port)
    }

    /// Why it cannot be listened on.
    func failure(_ cause: ListeningFailure.Cause) -> ListeningFailure {
        switch self {
        case .unix(let path): ListeningFailure(socket: path, option: "--listen", cause)
        case .tcp(let host, let port):
            ListeningFailure(HostPort(host: host, port: port), option: "--listen", cause)
        }
    }

    /// Whether it is a socket in the file system.
    var isSocket: Bool { if case .unix = self { true } else { false } }

    /// Whether nobody but this machine can connect.
    package var isLocal: Bool {
        switch self {
        case .unix: true
        case .tcp(let host, _): host == "localhost" || IPAddress(host)?.isLoopback == true
        }
    }

    /// What browsers on this machine call it, once it listens on `port`.
    func origins(port: Int) -> [WebOrigin] {
        switch self {
        // For curl, and for a browser at the near end of ssh -L 8480:SOCKET.
        case .unix: return ["http://localhost", "http://localhost:8480"].compactMap(WebOrigin.init)
        case .tcp(let host, _):
            let isAny = host == "0.0.0.0" || host == "::"
            let names =
                isLocal || isAny ? ["127.0.0.1", "localhost", "[::1]"] : [host.contains(":") ? "[\(host)]" : host]
            return names.compactMap { WebOrigin("http://\($0):\(port)") }
        }
    }
}

/// A scheme, a host and a port, by what browsers tell sites apart, and the path under which the site is there.
///
/// Source: RFC 6454, "The Web Origin Concept".
package struct WebOrigin: Sendable, Hashable, CustomStringConvertible {
    package let isSecure: Bool
    /// As the `Host` field has it: in lower case, with the port where it is not the scheme's own.
    package let authority: String
    /// What stands before every path of the site, such as `/ranks`; nothing where it has the host to itself.
    package let base: String

    /// What the site's own paths begin with: under such a base nobody could tell which is meant.
    private static let own: Set<Substring> = [
        "api", "apps", "assets", "events", "images", "links", "login", "logout", "metrics", "queries", "reports",
        "search", "shared",
    ]

    /// Reads `https://ranks.example.com`, `http://127.0.0.1:8480` or `https://example.com/ranks`; `nil` if there is
    /// anything more to it, or the path begins as one of the site's own does.
    package init?(_ text: String) {
        let lowered = text.lowercased()
        let isSecure = lowered.hasPrefix("https://")
        guard isSecure || lowered.hasPrefix("http://") else { return nil }
        let rest = text.dropFirst(isSecure ? 8 : 7)
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        guard let authority = Self.authority(rest[..<slash], isSecure: isSecure),
            let base = Self.base(rest[slash...])
        else { return nil }
        self.isSecure = isSecure
        self.authority = authority
        self.base = base
    }

    /// Without the base: as browsers send it in `Origin`.
    package var origin: String { (isSecure ? "https://" : "http://") + authority }

    package var description: String { origin + base }

    /// The host, with the port where it is not that of the scheme.
    func isOfTheSameHost(as origin: String) -> Bool {
        let lowered = origin.lowercased()
        let isSecure = lowered.hasPrefix("https://")
        guard isSecure || lowered.hasPrefix("http://") else { return false }
        return Self.authority(lowered.dropFirst(isSecure ? 8 : 7), isSecure: isSecure) == authority
    }

    /// The path that a request means, which a web server in front may have passed on with the base or without.
    func pathWithinBase(_ path: String) -> String {
        guard !base.isEmpty, path.hasPrefix(base) else { return path }
        let rest = path.dropFirst(base.count)
        return rest.isEmpty || rest.hasPrefix("?") ? "/" + rest : rest.hasPrefix("/") ? String(rest) : path
    }

    private static func base(_ path: Substring) -> String? {
        var path = path
        while path.hasSuffix("/") { path.removeLast() }
        guard !path.isEmpty else { return "" }
        let steps = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        let isPlain = steps.allSatisfy { step in
            !step.isEmpty && step != "." && step != ".."
                && step.utf8.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
                        UInt8(ascii: "_"), UInt8(ascii: "~"):
                        true
                    default: false
                    }
                }
        }
        return isPlain && path.utf8.count <= 200 && !own.contains(steps[0]) ? String(path) : nil
    }

    /// A host with its port as it is compared: without the scheme's own port, and without the dot that may end a host's
    /// full name. `nil` if it is none.
    static func authority(_ text: Substring, isSecure: Bool) -> String? {
        var text = text.lowercased()
        let own = isSecure ? ":443" : ":80"
        if text.hasSuffix(own) { text.removeLast(own.count) }
        let port = text.lastIndex(of: ":").flatMap { text[$0...].contains("]") ? nil : $0 } ?? text.endIndex
        if port > text.startIndex, text[text.index(before: port)] == "." { text.remove(at: text.index(before: port)) }
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
                UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        return !text.isEmpty && text.utf8.count <= 262 && isPlain ? text : nil
    }
}
