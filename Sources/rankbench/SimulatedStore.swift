import Foundation

/// `appstore-sim` in a process of its own, which answers every query with a full list of 2 MB.
struct SimulatedStore {
    let origin: String
    /// Apps that its lists hold, and one that they do not.
    let bundles: [String]
    private let simulator: Child

    private static let recording = Workbench.corpus("search/fitness-kr-2023-08-25.json")

    /// Replays the recording for every term of `PassWork`; where it is not there, invents full-size lists.
    ///
    /// - Parameter inventing: whether lists are invented in any case: for other terms.
    init(on bench: Workbench, inventing: Bool = false) throws {
        var listed: [String] = []
        if !inventing, FileManager.default.fileExists(atPath: Self.recording) {
            listed = try Self.bundles(in: Self.recording)
            simulator = try bench.start("appstore-sim", ["--port", "0", "--replay", try Self.replay(on: bench)])
        } else {
            if !inventing { bench.say("no \(Self.recording): full-size lists are invented instead") }
            simulator = try bench.start("appstore-sim", ["--port", "0", "--seed", "1", "--full-size"])
        }
        bundles = listed + ["com.example.absent"]
        let announcement = "listening on "
        let said = try simulator.wait(for: "\n", in: simulator.output, seconds: 60)
        guard let range = said.range(of: announcement) else {
            throw BenchmarkFailure("appstore-sim said “\(said)”, not where it listens")
        }
        origin = said[range.upperBound...].trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func replay(on bench: Workbench) throws -> String {
        let folder = bench.file("replay")
        guard !FileManager.default.fileExists(atPath: folder) else { return folder }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: recording, toPath: "\(folder)/answer.json")
        let responses = (0..<PassWork.queries).map { query in
            """
            {"file": "answer.json", "endpoint": "search", "term": "\(PassWork.term(query))", "country": "us", \
            "entity": "software", "status": 200, "recordedOn": "2023-08-25"}
            """
        }
        _ = try bench.write(
            "{\"responses\": [\n" + responses.joined(separator: ",\n") + "\n]}\n", to: "replay/MANIFEST.json")
        return folder
    }

    /// The first few bundle identifiers, found without reading the whole list.
    private static func bundles(in path: String) throws -> [String] {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
        let mark = Data("\"bundleId\":".utf8)
        var found: [String] = []
        var start = bytes.startIndex
        while found.count < 4, let hit = bytes.range(of: mark, in: start..<bytes.endIndex) {
            let words = String(decoding: bytes[hit.upperBound...].prefix(300), as: UTF8.self).split(separator: "\"")
            if let bundle = words.first(where: { !$0.allSatisfy(\.isWhitespace) }) { found.append(String(bundle)) }
            start = hit.upperBound
        }
        return found
    }
}
