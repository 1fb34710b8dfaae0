package import Foundation
import NIOCore
package import RankKit

/// Answers with recordings, byte for byte.
///
/// A search is matched by term (its exact characters), country and entity; a look-up by country and id or bundleId;
/// `limit` counts for nothing. Of several recordings of one request the newest is served. A look-up of bundleIds that is
/// not recorded as such is put together from the entries that any recording of the country holds: of what none holds,
/// the store of that day is taken not to have sold it.
package struct Replay: StoreBackend {
    private struct Key: Hashable {
        var endpoint: ReceivedRequest.Endpoint
        var country: String
        var entity = ""
        /// Bytes, because strings compare by canonical equivalence and terms must not.
        var term: [UInt8] = []
        var id = ""
        var bundleID = ""
    }

    private let answers: [Key: StoreAnswer]
    private let entries: RecordedEntries

    /// Reads the manifest and every recording that it serves.
    ///
    /// - Throws: `ReplayError` if there is no manifest, where it cannot be read, or where a recording is missing
    ///   or lies outside the folder.
    package init(folder: URL) throws(ReplayError) {
        let manifestFile = folder.appending(path: "MANIFEST.json")
        guard let data = FileManager.default.contents(atPath: manifestFile.path) else {
            throw ReplayError(
                description: "no MANIFEST.json can be read in \(folder.path); name a folder of recordings that has one")
        }
        let manifest: ReplayManifest
        do {
            manifest = try JSONDecoder().decode(ReplayManifest.self, from: data)
        } catch {
            throw ReplayError(
                description: "\(manifestFile.path) is not a manifest of recordings: \(error); it needs `responses`, "
                    + "each with `file` and `endpoint`")
        }
        var answers: [Key: StoreAnswer] = [:]
        var recordedOn: [Key: String] = [:]
        for response in manifest.responses {
            let keys = Self.keys(of: response)
            let date = response.recordedOn ?? ""
            let wanted = keys.filter { recordedOn[$0].map { $0 <= date } ?? true }
            guard !wanted.isEmpty else { continue }
            let answer = try Self.load(response, folder: folder)
            for key in wanted {
                answers[key] = answer
                recordedOn[key] = date
            }
        }
        self.answers = answers
        let oldestFirst = answers.sorted { (recordedOn[$0.key] ?? "") < (recordedOn[$1.key] ?? "") }
        entries = RecordedEntries(
            Dictionary(grouping: oldestFirst.filter { $0.value.status == 200 }, by: \.key.country)
                .mapValues { $0.map(\.value.body) })
    }

    /// What a recording answers: a look-up may be found by its id and by its bundleId.
    private static func keys(of response: ReplayManifest.Response) -> [Key] {
        let country = (response.country ?? "us").lowercased()
        switch ReceivedRequest.Endpoint(rawValue: response.endpoint) {
        case .search:
            guard let term = response.term else { return [] }
            let entity = response.entity ?? "software"
            return [Key(endpoint: .search, country: country, entity: entity, term: Array(term.utf8))]
        case .lookup:
            let byID = response.id.map { Key(endpoint: .lookup, country: country, id: $0.text) }
            let byBundleID = response.bundleId.map {
                Key(endpoint: .lookup, country: country, bundleID: $0.lowercased())
            }
            return [byID, byBundleID].compactMap { $0 }
        case .web, nil: return []
        }
    }

    private static func load(_ response: ReplayManifest.Response, folder: URL) throws(ReplayError) -> StoreAnswer {
        let root = folder.resolvingSymlinksInPath().path
        let file = folder.appending(path: response.file).resolvingSymlinksInPath().path
        guard !response.file.hasPrefix("/"), file.hasPrefix(root + "/") else {
            throw ReplayError(
                description: "the manifest in \(folder.path) names \(response.file), which lies outside the folder; "
                    + "recordings must lie inside it")
        }
        guard let data = FileManager.default.contents(atPath: file) else {
            throw ReplayError(
                description: "the manifest in \(folder.path) names \(response.file), which cannot be read; "
                    + "add the file or remove the entry")
        }
        if response.file.hasSuffix(".http") {
            guard let message = RecordedMessage(Array(data)) else {
                throw ReplayError(
                    description: "\(response.file) in \(folder.path) is not an HTTP message: "
                        + "it needs a status line, header lines and an empty line")
            }
            return StoreAnswer(
                status: response.status ?? message.status,
                contentType: message.contentType ?? StoreAnswer.appleContentType,
                body: ByteBuffer(bytes: message.body), identity: response.file)
        }
        return StoreAnswer(
            status: response.status ?? 200, body: ByteBuffer(bytes: data), identity: response.file)
    }

    package func answer(_ request: ReceivedRequest, at moment: Timestamp) -> StoreAnswer {
        var key = Key(endpoint: request.endpoint, country: request.country)
        let wanted: String
        switch request.endpoint {
        case .search:
            let term = request["term"] ?? ""
            key.entity = request.entity
            key.term = Array(term.utf8)
            wanted = "search for term “\(term)” with entity \(request.entity)"
        case .web: return Self.notRecorded("no page of results is recorded")
        case .lookup:
            key.id = request["id"] ?? ""
            key.bundleID = request["bundleId"]?.lowercased() ?? ""
            wanted = "look-up of \(request["id"].map { "id \($0)" } ?? "bundleId \(request["bundleId"] ?? "")")"
        }
        if let answer = answers[key] { return answer }
        if request.endpoint == .lookup, let entries = entries.entries(of: request.country),
            request["id"] == nil || RecordedEntries.haveNumbers(entries)
        {
            let asked =
                request["id"].map { $0.split(separator: ",").map { RecordedEntries.key(ofNumber: $0) } }
                ?? (request["bundleId"] ?? "").lowercased().split(separator: ",").map(String.init)
            return StoreAnswer(body: Envelope.body(asked.compactMap { entries[$0] }))
        }
        return Self.notRecorded("no \(wanted) in country \(request.country) is recorded")
    }

    package func truth(_ request: ReceivedRequest, at moment: Timestamp) -> StoreTruth? { nil }

    private static func notRecorded(_ reason: String) -> StoreAnswer {
        var json = JSONText()
        json.open()
        json.field("error", reason)
        json.close()
        return StoreAnswer(
            status: 404, contentType: StoreAnswer.jsonContentType, body: ByteBuffer(bytes: json.bytes))
    }
}
