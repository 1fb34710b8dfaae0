import AppStoreSimulator
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import RankKit

/// What came back over the wire, undecoded.
struct Received {
    let status: Int
    let headers: HTTPHeaders
    let bytes: [UInt8]

    var text: String { String(decoding: bytes, as: UTF8.self) }

    func json() throws -> Any { try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed) }

    /// `results` of a list, in its order.
    func entries() throws -> [[String: Any]] {
        let envelope = try json() as? [String: Any]
        return envelope?["results"] as? [[String: Any]] ?? []
    }

    func bundleIDs() throws -> [String] { try entries().compactMap { $0["bundleId"] as? String } }
}

/// A simulator that runs, and a client that neither decodes nor follows anything.
struct Served {
    let origin: String
    let client: HTTPClient

    func get(
        _ path: String, _ parameters: [String: String] = [:], headers: HTTPHeaders = [:], upTo limit: Int = 64 << 20
    ) async throws -> Received {
        let response = try await open(path, parameters, headers: headers)
        let body = try await response.body.collect(upTo: limit)
        return Received(
            status: Int(response.status.code), headers: response.headers, bytes: Array(body.readableBytesView))
    }

    /// The head alone; the body waits to be read.
    func open(
        _ path: String, _ parameters: [String: String] = [:], headers: HTTPHeaders = [:]
    ) async throws -> HTTPClientResponse {
        let fields = parameters.sorted { $0.key < $1.key }.map { "\(Self.escape($0.key))=\(Self.escape($0.value))" }
        var request = HTTPClientRequest(
            url: origin + path + (fields.isEmpty ? "" : "?" + fields.joined(separator: "&")))
        request.headers = headers
        return try await client.execute(request, timeout: .minutes(20))
    }

    func search(_ term: String, _ more: [String: String] = ["limit": "200"]) async throws -> Received {
        try await get("/search", ["term": term, "country": "us"].merging(more) { $1 })
    }

    func stats() async throws -> [String: Int] {
        try await get("/_stats").json() as? [String: Int] ?? [:]
    }

    static func escape(_ text: String) -> String {
        text.utf8.map { byte in
            let isPlain =
                byte < 0x80 && (Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber)
            return isPlain ? String(UnicodeScalar(byte)) : "%" + String(format: "%02X", byte)
        }.joined()
    }
}

let noon = Timestamp(secondsSinceEpoch: 1_790_000_000)

func serving<Result: Sendable>(
    _ backend: any StoreBackend, _ options: SimulatorOptions = SimulatorOptions(),
    clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Timestamp = { noon },
    _ body: (Served) async throws -> Result
) async throws -> Result {
    var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow, decompression: .disabled)
    configuration.timeout.connect = .seconds(5)
    let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    do {
        let result = try await withRunning(
            AppStoreSimulator(backend, options: options, clock: clock, now: now)
        ) { origin in
            try await body(Served(origin: origin, client: client))
        }
        try await client.shutdown()
        return result
    } catch {
        try await client.shutdown()
        throw error
    }
}

/// A folder of its own, gone after use.
func withFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "replay-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}
