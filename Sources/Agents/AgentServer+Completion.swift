import Algorithms
import History
import RankKit
import Reports

extension AgentServer {
    /// The most values of a completion, as the protocol has it.
    private static let mostCompleted = 100

    /// Words of the watchlist that begin with what is typed.
    func completion(_ params: JSONValue) throws(ProtocolError) -> JSONValue {
        guard let kind = params["ref"]?["type"]?.text, ["ref/prompt", "ref/resource"].contains(kind) else {
            throw .parameters("ref is neither ref/prompt nor ref/resource")
        }
        guard let name = params["argument"]?["name"]?.text, let begun = params["argument"]?["value"]?.text else {
            throw .parameters("the argument's name and value are missing")
        }
        let words: [String]
        do { words = try self.words(for: name) } catch { throw .failure(Self.words(for: error) ?? "no completion") }
        let fitting = words.filter { $0.lowercased().hasPrefix(begun.lowercased()) }
        return [
            "completion": [
                "values": .array(fitting.prefix(Self.mostCompleted).map { .string(ForeignText.bounded($0)) }),
                "total": .number(String(fitting.count)), "hasMore": .bool(fitting.count > Self.mostCompleted),
            ]
        ]
    }

    private func words(for argument: String) throws(HistoryError) -> [String] {
        let reader = try HistoryReader(path: database).snapshot()
        switch argument {
        case "app", "rival": return try reader.watchedApps().map { $0.alias ?? $0.bundleID.text }
        case "query": return Array(try reader.trackedPairs().map(\.query.text).uniqued())
        case "country": return Array(try reader.trackedPairs().map(\.query.country.code).uniqued())
        case "platform": return Platform.allCases.map(\.rawValue)
        case "language": return Array(try reader.trackedPairs().compactMap(\.query.language).uniqued())
        case "tool": return ReportTool.all.map { $0.about.name }
        default: return []
        }
    }
}
