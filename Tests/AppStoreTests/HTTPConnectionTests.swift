import AppStore
import Foundation
import NIOSSL
import RankKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct HTTPConnectionTests {
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

    @Test(.enabled(if: Certificate.openssl != nil, "needs the openssl program"))
    func `a certificate that nobody vouches for is insecure, and nothing is asked`() async throws {
        let tls = try Certificate.selfSigned()
        let server = try await ListeningServer.start(answer: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", tls: tls)
        let origin = server.origin.replacing("http:", with: "https:")
        let failure = try await failure(at: origin)
        #expect(failure?.reason == .insecure, "\(failure?.detail ?? "")")
        try await server.stop()
        #expect(await server.requestsLeft().isEmpty)
    }
}

/// A certificate of the tests' own making.
private enum Certificate {
    static let openssl = ["/usr/bin/openssl", "/usr/local/bin/openssl", "/opt/homebrew/bin/openssl"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    static func selfSigned() throws -> NIOSSLContext {
        let folder = try TemporaryFolder()
        let (key, certificate) = (folder.file("key.pem"), folder.file("certificate.pem"))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(openssl))
        process.arguments = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate,
        ]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) },
                privateKey: .privateKey(NIOSSLPrivateKey(file: key, format: .pem))))
    }
}
