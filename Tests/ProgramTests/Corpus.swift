import Foundation

/// The recordings of Apple's answers that lie beside the project, where they do.
enum Corpus {
    static let folder: String? = {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let beside = root.deletingLastPathComponent().appendingPathComponent("shared/corpus").path
        return [ProcessInfo.processInfo.environment["RANKD_CORPUS"], beside].compactMap(\.self).first {
            FileManager.default.fileExists(atPath: $0 + "/MANIFEST.json")
        }
    }()

    struct Manifest: Decodable {
        struct Response: Decodable {
            let file: String
            let endpoint: String
            let term: String?
            let country: String?
            let entity: String?
            let recordedOn: String?
        }
        let responses: [Response]
    }

    /// A recorded search: what was asked, and the bundle identifiers of its answer; `nil` for an entry without one.
    struct Search {
        let term: String
        let country: String
        let entity: String
        let bundleIDs: [String?]

        var platform: String { ["software": "iphone", "iPadSoftware": "ipad", "macSoftware": "mac"][entity]! }
    }

    static func contents(_ file: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: "\(folder!)/\(file)"))
    }

    static func manifest() throws -> Manifest {
        try JSONDecoder().decode(Manifest.self, from: contents("MANIFEST.json"))
    }

    /// The newest recording of each search.
    static func searches() throws -> [Search] {
        let recorded = try manifest().responses.filter { $0.endpoint == "search" }
        let newest = Dictionary(grouping: recorded) { [$0.term!, $0.country!, $0.entity!] }
            .values.map { $0.max { $0.recordedOn! < $1.recordedOn! }! }
        return try newest.sorted { $0.file < $1.file }.map { response in
            let json = try JSONSerialization.jsonObject(with: contents(response.file)) as! [String: Any]
            let results = json["results"] as! [[String: Any]]
            return Search(
                term: response.term!, country: response.country!, entity: response.entity!,
                bundleIDs: results.map { $0["bundleId"] as? String })
        }
    }

    /// The files under `bad`, which are no answers that could be believed.
    static func badFiles() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder! + "/bad").sorted()
    }
}
