internal import ArgumentParser
import RankKit
import Web

extension Rankweb {
    /// Where it listens unless it is told otherwise: as a service on a socket in its run folder, else on loopback.
    static func usualListening(_ environment: [String: String]) -> Listening {
        if let folder = environment["RUNTIME_DIRECTORY"]?.split(separator: ":").first {
            return .unix("\(folder)/web.sock")
        }
        return .tcp(host: "127.0.0.1", port: 8480)
    }

    @Sendable static func listening(_ text: String) throws -> Listening {
        guard let listening = Listening(text) else {
            throw ValidationError(
                "“\(SafeText.escaped(text))” is not an address to listen on: write unix:PATH or HOST:PORT")
        }
        return listening
    }

    @Sendable static func origin(_ text: String) throws -> WebOrigin {
        guard let origin = WebOrigin(text) else {
            throw ValidationError(
                "“\(SafeText.escaped(text))” is not the address of a site: write one such as https://ranks.example.com, or "
                    + "https://example.com/ranks with a path that is not one of the site's own pages")
        }
        return origin
    }
}
