import GRDB
import RankKit

/// What members the lines of an export have. One that no export has is refused: a letter may have changed in the name of
/// another, whose value would be lost without a word. So is a number that no report could read once it is in a history.
enum ExchangeMembers {
    /// By the type of the line, and within it by the path of the object.
    private static let known: [String: [String: Set<String>]] = [
        "header": [
            "": [
                "format", "version", "exportedAt", "since", "listsSince", "countryDaysZone", "tableZones",
                "countedUntil", "firstCheck", "lastCheck",
            ], "tableZones": ["source", "zones"],
        ],
        "plan": [
            "": ["adoptedAt", "timeZone", "sensitivity", "requestsPerMinute", "parallelism", "apps", "notes"],
            "apps": ["bundleId", "alias", "mine", "competitors"],
            "notes": ["on", "bundleId", "version", "text", "added", "removed"],
        ],
        "storefront": ["": ["n", "country", "language"]],
        "app": [
            "": ["n", "appId", "bundleId", "firstSeenAt", "lastSeenDay", "names", "newNames"],
            "names": ["bundleId", "from", "stayed"], "newNames": ["bundleId", "from", "until"],
        ],
        "listing": [
            "": [
                "app", "storefront", "fingerprint", "rating", "ratingCount", "name", "developer", "seller", "version",
                "releasedAt", "versionReleasedAt", "price", "currency", "genre", "iconUrl", "storeUrl",
                "screenshotUrls", "ratings",
            ], "ratings": ["at", "ratings", "average"],
        ],
        "listing-change": ["": ["app", "storefront", "at", "field", "was"]],
        "presence": [
            "": [
                "country", "bundleId", "foundAt", "emptySince", "emptyAt", "emptyAnswers", "failedAt",
                "failuresInARow",
            ]
        ],
        "query": [
            "": [
                "n", "text", "country", "platform", "source", "language", "cadences", "cadenceSeconds", "popularity",
                "ordinal", "retiredAt", "baselineFrom", "isCut",
            ]
        ],
        "pair": [
            "": ["n", "query", "bundleId", "tags", "retiredAt", "periods", "prunedBefore"],
            "periods": ["from", "until"],
        ],
        "check": [
            "": ["n", "query", "at", "outcome", "within", "reason", "detail", "list", "unnumbered", "positions"],
            "unnumbered": ["position", "bundleId"], "positions": ["pair", "position", "within"],
        ],
        "failures": ["": ["query", "day", "reason", "failed"]],
        "pass": [
            "": [
                "source", "startedAt", "finishedAt", "due", "succeeded", "failed", "throttled", "requests", "suspect",
                "badDay",
            ]
        ],
        "best-place": ["": ["query", "app", "best", "at"]],
        "country-day": [
            "": [
                "source", "country", "day", "queries", "good", "suspect", "failed", "compared", "apps", "entered",
                "left", "lowerQuartile", "median", "upperQuartile", "ninthDecile",
            ]
        ],
        "end": ["": ["lines", "checksum"]],
    ]

    private struct Container {
        let isObject: Bool
        let path: String
        var seen: Set<String> = []
    }

    /// What is wrong with the members of a line, which is JSON; `nil` if nothing is.
    static func problem(with line: [UInt8], ofType type: String) -> String? {
        let known = known[type] ?? [:]
        var stack: [Container] = []
        var member = ""
        func path(of container: Container?) -> String {
            guard let container, container.isObject else { return container?.path ?? "" }
            return container.path.isEmpty ? member : "\(container.path).\(member)"
        }
        var index = line.startIndex
        while index < line.endIndex {
            switch line[index] {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                let isObject = line[index] == UInt8(ascii: "{")
                stack.append(Container(isObject: isObject, path: path(of: stack.last)))
            case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = stack.popLast()
            case UInt8(ascii: "\""):
                let start = index + 1
                index = start
                while index < line.endIndex, line[index] != UInt8(ascii: "\"") {
                    index += line[index] == UInt8(ascii: "\\") ? 2 : 1
                }
                guard index < line.endIndex, isName(endingAt: index, in: line), stack.last?.isObject == true else {
                    break
                }
                member = String(decoding: line[start..<index], as: UTF8.self)
                let top = stack.count - 1
                let isKnown = top == 0 && member == "type" || known[stack[top].path]?.contains(member) == true
                guard isKnown else { return "has “\(member)”, which no export has" }
                guard stack[top].seen.insert(member).inserted else { return "has “\(member)” twice" }
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                let number = line[index...].prefix(while: isOfNumber)
                // The numbers of a list name apps of the file.
                if stack.last?.isObject == true, !isPermitted(number, as: member) {
                    return "has \(String(decoding: number, as: UTF8.self)) as “\(member)”, which cannot be"
                }
                index += number.count - 1
            default: break
            }
            index += 1
        }
        return nil
    }

    private static func isOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    private static let moments: Set<String> = [
        "exportedAt", "since", "listsSince", "countedUntil", "adoptedAt", "firstSeenAt", "from", "stayed", "until",
        "prunedBefore",
        "releasedAt", "versionReleasedAt", "at", "foundAt", "emptySince", "emptyAt", "failedAt", "retiredAt",
        "startedAt",
        "finishedAt",
    ]
    private static let days: Set<String> = ["day", "lastSeenDay"]
    private static let counts: Set<String> = [
        "emptyAnswers", "failuresInARow", "failed", "due", "succeeded", "throttled", "requests", "suspect", "queries",
        "good", "compared", "entered", "left", "lowerQuartile", "median", "upperQuartile", "ninthDecile",
    ]
    private static let positive: Set<String> = ["requestsPerMinute", "parallelism", "position", "best"]
    /// What may fill 64 bits.
    private static let wide: Set<String> = ["appId", "fingerprint"]

    /// Whether a history whose columns are read with `Row` can hold the number as what `member` names.
    private static func isPermitted(_ number: ArraySlice<UInt8>, as member: String) -> Bool {
        let text = String(decoding: number, as: UTF8.self)
        // A number with a fraction, or one that is none, is for whoever reads the member as what it is.
        guard let whole = Int64(text) else { return Double(text).map { $0.magnitude <= 1e15 } ?? true }
        if wide.contains(member) { return true }
        guard Int64(stored: .int64(whole)) != nil else { return false }
        if moments.contains(member) { return Timestamp(stored: .int64(whole)) != nil }
        if days.contains(member) { return Row.days.contains(whole) }
        if counts.contains(member) { return whole >= 0 }
        if positive.contains(member) { return whole >= 1 }
        switch member {
        case "cadenceSeconds": return Row.cadences.contains(whole)
        case "within": return (0...Int64(Row.deepest)).contains(whole)
        default: return true
        }
    }

    /// Whether a colon follows the text that ends there.
    private static func isName(endingAt index: Int, in line: [UInt8]) -> Bool {
        line[(index + 1)...].first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: ":")
    }
}
