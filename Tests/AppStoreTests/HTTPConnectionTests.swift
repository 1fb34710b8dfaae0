import AppStore
import Foundation
import RankKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(30))) struct HTTPConnectionTests {
    /// How a search at `origin` fails; `nil` where it does not.
    private func failure(at origin: String) async throws -> Failure? {
        guard case .failed(let failure) = try await asking(origin, { try await $0.search(query("habits")) }) else {
            return nil
        }
        return failure
    }

    @Test func `a refused connection fails at once`() async throws {
        let failure = try await failure(at: "http://127.0.0.1:1")
        #expect(failure?.reason == .cannotConnect)
        // Not the end of the time for connecting.
        #expect(failure?.detail.localizedCaseInsensitiveContains("refused") == true, "\(failure?.detail ?? "")")
    }

    @Test func `a name that does not exist is told from a server that does not answer`() async throws {
        let failure = try await failure(at: "http://name.invalid")
        #expect(failure?.reason == .nameNotFound)
        #expect(failure?.detail.contains("name.invalid") == true)
    }

    @Test func `an end without an answer is a lost connection`() async throws {
        let server = try await ListeningServer.start(answer: "")
        let failure = try await failure(at: server.origin)
        #expect(failure?.reason == .connectionLost)
        try await server.stop()
    }

    @Test func `what is not HTTP is a lost connection`() async throws {
        let server = try await ListeningServer.start(answer: "SSH-2.0-OpenSSH_9.2\r\n")
        let failure = try await failure(at: server.origin)
        #expect(failure?.reason == .connectionLost)
        try await server.stop()
    }

    @Test func `a server that does not speak TLS is insecure`() async throws {
        let server = try await ListeningServer.start(answer: "HTTP/1.1 400 Bad Request\r\n\r\n")
        let origin = server.origin.replacing("http:", with: "https:")
        let failure = try await failure(at: origin)
        #expect(failure?.reason == .insecure, "\(failure?.detail ?? "")")
        try await server.stop()
    }

    @Test(.enabled(if: TestCertificate.openssl != nil, "needs the openssl program"))
    func `a certificate that nobody vouches for is insecure, and nothing is asked`() async throws {
        let tls = try TestCertificate.selfSigned()
        let server = try await ListeningServer.start(answer: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", tls: tls)
        let origin = server.origin.replacing("http:", with: "https:")
        let failure = try await failure(at: origin)
        #expect(failure?.reason == .insecure, "\(failure?.detail ?? "")")
        try await server.stop()
        #expect(await server.requestsLeft().isEmpty)
    }
}
