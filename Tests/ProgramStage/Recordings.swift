package import Foundation

/// A folder of recordings for the simulator to replay.
package struct Recordings {
    private struct Manifest: Encodable {
        struct Response: Encodable {
            let file: String
            let endpoint = "search"
            let term: String
            let country: String
            let entity: String
            let status: Int?
        }
        var responses: [Response] = []
    }

    package let folder: String
    private var manifest = Manifest()

    /// - Parameter name: the folder's, in the stage's.
    package init(_ name: String, on stage: Stage) throws {
        folder = stage.file(name)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    /// Records `body` as the answer to these terms.
    package mutating func add(
        _ body: Data, as name: String, for terms: [String], country: String = "us", entity: String = "software",
        status: Int? = nil
    ) throws {
        try body.write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
        manifest.responses += terms.map {
            .init(file: name, term: $0, country: country, entity: entity, status: status)
        }
        try JSONEncoder().encode(manifest).write(to: URL(fileURLWithPath: "\(folder)/MANIFEST.json"))
    }

    /// An answer that lists these apps in this order, and others behind them up to ten places: a new query's list is
    /// believed then. No apps are an empty list.
    package static func list(_ bundleIDs: [String]) -> Data {
        let others = bundleIDs.isEmpty ? [] : (bundleIDs.count..<max(bundleIDs.count, 10)).map { "org.other.app\($0)" }
        let entries = (bundleIDs + others).enumerated().map { index, bundleID in
            #"{"trackId": \#(6_000_000_000 + index), "bundleId": "\#(bundleID)", "trackName": "App \#(index + 1)"}"#
        }
        let list = entries.joined(separator: ",\n")
        return Data("\n\n\n{\n \"resultCount\":\(entries.count),\n \"results\": [\n\(list)]\n}\n\n\n".utf8)
    }

    /// Answers every one of `terms` with the same five apps, `com.example.app1` to `com.example.app5`, and others.
    package static func ofFiveApps(for terms: [String], name: String = "recordings", on stage: Stage) throws
        -> Recordings
    {
        var recordings = try Recordings(name, on: stage)
        try recordings.add(list((1...5).map { "com.example.app\($0)" }), as: "five.json", for: terms)
        return recordings
    }
}

/// Names of queries that read well in a list.
package func terms(_ count: Int) -> [String] { (1...count).map { "query \($0)" } }

/// A watchlist of `terms`, each with all of `bundleIDs`, asked at a pace that nobody has to wait for.
package func watchlist(
    _ terms: [String], _ bundleIDs: [String], every: String = "4w", parallelism: Int = 4, timeZone: String? = nil
) -> String {
    let list = { (texts: [String]) in "[" + texts.map { "\"\($0)\"" }.joined(separator: ", ") + "]" }
    let zone = timeZone.map { ", \"timeZone\": \"\($0)\"" } ?? ""
    return """
        {
          "defaults": { "every": "\(every)"\(zone) },
          "watch": [ { "queries": \(list(terms)), "bundleIds": \(list(bundleIDs)) } ],
          "service": { "requestsPerMinute": 100000, "parallelism": \(parallelism) },
        }
        """
}
