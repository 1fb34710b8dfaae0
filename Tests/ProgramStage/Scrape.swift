import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// What a server answers to a plain request.
package struct Scrape: Sendable {
    package let status: UInt
    package let type: String?
    package let body: String

    /// Asks `url`, 16 MB at most.
    package init(_ url: String) async throws {
        let response = try await HTTPClient.shared.execute(HTTPClientRequest(url: url), timeout: .minutes(20))
        status = response.status.code
        type = response.headers.first(name: "content-type")
        body = String(buffer: try await response.body.collect(upTo: 1 << 24))
    }

    package var lines: [Substring] { body.split(separator: "\n") }
}
