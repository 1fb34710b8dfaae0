import Foundation

/// What lines of an export are, each by itself.
extension Importer {
    /// - Throws: `ImportRefusal` for a line that is none, or not at this place.
    static func decode(
        _ text: [UInt8], number: Int, of file: String, _ decoder: JSONDecoder = JSONDecoder()
    ) throws -> ExchangeLine {
        func refusal(_ problem: String, _ remedy: String) -> ImportRefusal {
            ImportRefusal(file: file, line: number, problem: problem, remedy: remedy)
        }
        let line: ExchangeLine
        do { line = try decoder.decode(ExchangeLine.self, from: Data(text)) } catch {
            throw number == 1
                ? refusal(
                    "is not an export of rankctl",
                    "name a file made by rankctl export, or add --csv for another tool's table")
                : refusal("is not a line of an export (\(reason(error)))", "export again, or correct the line")
        }
        if let problem = ExchangeMembers.problem(with: text, ofType: line.type) {
            throw refusal(problem, "export again, or install the version of rankd that wrote it")
        }
        guard case .header(let header) = line else {
            if number == 1 { throw refusal("there is no header", "name a complete file made by rankctl export") }
            return line
        }
        guard number == 1, header.format == ExchangeLine.format else {
            throw refusal("is not the header of an export", "name a file made by rankctl export")
        }
        guard ExchangeLine.readable.contains(header.version) else {
            throw refusal(
                "has version \(header.version) of the format, this rankctl reads 1 to \(ExchangeLine.version)",
                "install the version of rankd that wrote it, or a newer one")
        }
        return line
    }

    static func isEmpty(_ file: String) -> ImportRefusal {
        ImportRefusal(file: file, line: nil, problem: "the file is empty", remedy: "name a file made by rankctl export")
    }

    private static func reason(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return "\(error)" }
        switch error {
        case .keyNotFound(let key, _): return "“\(key.stringValue)” is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            return "“\(context.codingPath.map(\.stringValue).joined(separator: "."))” has the wrong type"
        case .dataCorrupted: return "it is not complete JSON, or has a value that no export has"
        @unknown default: return "it is not understood"
        }
    }
}
