import Foundation
package import NIOSSL

/// A certificate of the tests' own making.
package struct TestCertificate {
    package static let openssl = ["/usr/bin/openssl", "/usr/local/bin/openssl", "/opt/homebrew/bin/openssl"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    package static func selfSigned() throws -> NIOSSLContext {
        try TestCertificate(subject: "127.0.0.1", alternative: "IP:127.0.0.1").context
    }

    /// Of a server.
    package let context: NIOSSLContext
    /// For those who are to believe it.
    package let roots: [NIOSSLCertificate]

    /// That of a host of this name.
    package init(for host: String) throws { try self.init(subject: host, alternative: "DNS:\(host)") }

    private init(subject: String, alternative: String) throws {
        let folder = try TemporaryFolder()
        let (key, certificate) = (folder.file("key.pem"), folder.file("certificate.pem"))
        guard let openssl = Self.openssl else { throw CocoaError(.fileNoSuchFile) }
        _ = try ShellCommand.output([
            openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
            "2", "-subj", "/CN=\(subject)", "-addext", "subjectAltName=\(alternative)", "-keyout", key, "-out",
            certificate,
        ])
        roots = try NIOSSLCertificate.fromPEMFile(certificate)
        context = try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: roots.map { .certificate($0) },
                privateKey: .privateKey(NIOSSLPrivateKey(file: key, format: .pem))))
    }
}
