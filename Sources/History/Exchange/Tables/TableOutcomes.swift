import Foundation

/// The columns in which another tool says how a row's check ended.
///
/// Its words are its own, and a tool may have the state of a query, or of a country, there. What says that a check failed
/// leaves its row out; what nobody knows is told to whoever imports, where the row would be an absence.
struct TableOutcomes {
    /// Columns with the state of something.
    private var states: [Int] = []
    /// Those of them whose numbers are results, and no status of HTTP.
    private var results: Set<Int> = []
    /// Columns that are empty unless something went wrong.
    private var errors: [Int] = []

    init() {}

    /// In a table with a column for each query or each day, only columns that are called nothing else.
    init(_ header: TableHeader) {
        let others = header.known.union(header.queries)
        for (column, name) in header.fields.enumerated() where !others.contains(column) {
            let isLong = header.has(.rank)
            if header.isState(column) || (isLong && !Self.words.isDisjoint(with: name.words)) {
                states.append(column)
                if TableColumn.plain(name) == "result" { results.insert(column) }
            } else if isLong, !Self.errorWords.isDisjoint(with: name.words),
                Self.figureWords.isDisjoint(with: name.words)
            {
                errors.append(column)
            }
        }
    }

    static let names: Set<String> = ["state", "status", "outcome", "checkstate", "checkstatus", "result"]
    private static let words: Set<String> = ["state", "status", "outcome"]
    private static let errorWords: Set<String> = ["error", "errors", "failure", "exception"]

    /// With these an error is a figure of a measurement: `Standard Error`, `Error Margin`.
    private static let figureWords: Set<String> = ["standard", "std", "margin", "rate", "bar", "bars"]

    /// What says that the check failed; `nil` if nothing does.
    ///
    /// - Parameter hasPlace: whether the row has a place. Beside one, `412 → 5` is a move, and `412` a result.
    func failure(of record: TableRecord, hasPlace: Bool) -> String? {
        for column in states {
            guard let text = TableHeader.cell(column, record), Self.isFailure(text) else { continue }
            if hasPlace, Self.isMove(text) || (results.contains(column) && Int(text) != nil) { continue }
            return text
        }
        return errors.lazy.compactMap { TableHeader.cell($0, record) }.first { !Self.isNoError($0) }
    }

    /// What cannot be told to be a failure or none; `nil` if all can.
    func doubt(of record: TableRecord) -> String? {
        states.lazy.compactMap { TableHeader.cell($0, record) }.first { !Self.isFailure($0) && !Self.isAnswer($0) }
    }

    // MARK: Words

    /// Whether `text` is several numbers, and says no more than how they belong together: `412 → 5`, `412 of 500`.
    private static func isMove(_ text: String) -> Bool {
        let words = text.words
        return words.count { Int($0) != nil } > 1 && words.allSatisfy { Int($0) != nil || moveWords.contains($0) }
    }

    private static let moveWords: Set<String> = [
        "from", "to", "of", "up", "down", "was", "now", "place", "places", "rank",
    ]

    /// Whether `text` has the words for a failure in it, or is a status of HTTP that is one.
    static func isFailure(_ text: String) -> Bool {
        guard !answers.contains(TableColumn.plain(text)) else { return false }
        let words = text.words
        if hasFailingStatus(text, words) { return true }
        return failures.contains { failure in
            words.indices.contains { start in
                words[start...].starts(with: failure) && !(start > 0 && negations.contains(words[start - 1]))
            }
        }
    }

    /// `403` and `HTTP 403`, but not `not in the first 500`.
    private static func hasFailingStatus(_ text: String, _ words: [String]) -> Bool {
        let startsWithDigit = text.first.map { $0.isASCII && $0.isNumber } ?? false
        return words.indices.contains { index in
            let isFailing = (Int(words[index]).map { (400...599).contains($0) } ?? false) || isClass(words, index)
            return isFailing
                && ((index == 0 && startsWithDigit) || !statusWords.isDisjoint(with: words[..<index]))
        }
    }

    /// `4xx`, `5xx`.
    private static func isClass(_ words: [String], _ index: Int) -> Bool {
        ["4", "5"].contains(words[index]) && index + 1 < words.count && words[index + 1] == "xx"
    }

    private static let statusWords: Set<String> = ["http", "https", "status", "code"]
    private static let negations: Set<String> = ["no", "0", "not", "never", "without"]

    private static let failures: [[String]] = [
        "failed", "fail", "fails", "failing", "failure", "failures", "error", "errors", "errored", "err", "exception",
        "timeout", "timeouts", "timedout", "timed out", "time out", "suspect", "suspected", "pending", "queued",
        "processing", "in progress", "retry", "retrying", "skipped", "skip",
        "unknown", "undetermined", "unchecked", "notchecked", "not checked", "not yet checked", "never checked",
        "untracked", "nottracked", "not tracked", "not yet tracked", "blocked",
        "throttled", "throttling", "throttle", "ratelimited", "ratelimit", "rate limited", "rate limit",
        "too many requests", "quota", "denied", "forbidden", "unauthorized", "refused", "canceled",
        "cancelled", "aborted", "interrupted", "crashed", "captcha", "unreachable", "disconnected", "incomplete",
        "no data", "nodata", "no response", "noresponse", "no answer", "bad gateway", "could not", "unable",
    ].map { $0.split(separator: " ").map(String.init) }

    /// Whether `text` says that there was an answer, whatever was in it.
    private static func isAnswer(_ text: String) -> Bool {
        let plain = TableColumn.plain(text)
        return plain.isEmpty || answers.contains(plain) || Int(plain) != nil
    }

    private static let answers: Set<String> = [
        "ok", "okay", "success", "successful", "succeeded", "good", "fine", "done", "complete", "completed", "finished",
        "checked", "answered", "active", "enabled", "live", "tracked", "tracking", "valid", "ranked", "found", "absent",
        "notfound", "unranked", "notranked", "notinlist", "notinresults", "notindexed", "true", "yes", "noerror",
        "noerrors", "lost", "dropped", "droppedout", "out", "na", "none", "null",
        // What App Store Connect says of a version of an app.
        "pendingdeveloperrelease", "pendingapplerelease", "pendingreview", "pendingappreview", "pendingcontract",
        "waitingforreview", "inreview", "readyforsale", "readyfordistribution", "processingforappstore",
        "processingfordistribution", "metadatarejected", "developerrejected", "rejected", "removedfromsale",
        "developerremovedfromsale",
    ]

    private static func isNoError(_ text: String) -> Bool {
        let plain = TableColumn.plain(text)
        return plain.isEmpty || noErrors.contains(plain)
    }

    private static let noErrors: Set<String> = [
        "0", "no", "none", "null", "nil", "na", "false", "ok", "200", "noerror", "noerrors", "success",
    ]
}
