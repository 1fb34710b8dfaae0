import GRDB
import RankKit

/// How a check ended, as `check_log.outcome` says it. This file is the one place where the words of columns become what
/// they mean, and the other way round; an unknown word is an error that says where it stands.
enum CheckWord: String {
    case good, suspect, failed

    init(_ outcome: CheckOutcome) {
        self =
            switch outcome {
            case .good: .good
            case .suspect: .suspect
            case .failed: .failed
            }
    }

    init(_ outcome: StoredList.Outcome) {
        self =
            switch outcome {
            case .good: .good
            case .suspect: .suspect
            }
    }

    init(_ row: Row, at index: Int, ofCheck id: Int64) throws {
        self = try UnknownWord.located("check_log \(id)") {
            try .read(row[index], "outcome")
        }
    }
}

extension CheckOutcome {
    /// Reads `outcome`, `within` and `reason`, which start at the row's column `first`, of the check `id`.
    init(_ row: Row, at first: Int, ofCheck id: Int64) throws {
        self = try UnknownWord.located("check_log \(id)") {
            try CheckOutcome(outcome: row[first], within: row[first + 1], reason: row[first + 2])
        }
    }

    init(outcome: String?, within: Int?, reason: String?) throws(UnknownWord) {
        func places() throws(UnknownWord) -> Int {
            guard let within, (0...Row.deepest).contains(within) else { throw UnknownWord(column: "within", word: nil) }
            return within
        }
        self =
            switch try CheckWord.read(outcome, "outcome") {
            case .good: .good(of: try places(), isWhole: try !Self.isPartlyRead(reason))
            case .suspect: .suspect(try .read(reason, "reason"), of: try places())
            case .failed: .failed(try .read(reason, "reason"))
            }
    }

    /// Reads from a good check's reason whether it is not known of every place who held it.
    static func isPartlyRead(_ row: Row, reason: Int, ofCheck id: Int64) throws -> Bool {
        try UnknownWord.located("check_log \(id)") { try isPartlyRead(row[reason]) }
    }

    private static func isPartlyRead(_ reason: String?) throws(UnknownWord) -> Bool {
        guard let reason else { return false }
        guard reason == Gap.unreadPlaces else { throw UnknownWord(column: "reason", word: reason) }
        return true
    }

    /// As `check_log` holds it.
    var columns: (outcome: String, within: Int?, reason: String?) { (CheckWord(self).rawValue, within, gap?.reason) }
}

extension Gap {
    /// Reads `outcome` and `reason`, which start at the row's column `first`, of checks of a query without a reading.
    ///
    /// - Parameter check: one of them; `nil` where these are counted in `failure_day`.
    init(_ row: Row, at first: Int, ofCheck check: Int64?, orOfQuery query: Int64) throws {
        let place = check.map { "check_log \($0)" } ?? "failure_day of query \(query)"
        self = try UnknownWord.located(place) {
            let word: String? = try row[first]
            switch try CheckWord.read(word, "outcome") {
            case .suspect: return .suspect(try .read(row[first + 1], "reason"))
            case .failed: return try Gap(failure: row[first + 1])
            case .good: throw UnknownWord(column: "outcome", word: word)
            }
        }
    }

    /// Reads why a check failed.
    init(failure reason: String?) throws(UnknownWord) { self = .failed(.check(try .read(reason, "reason"))) }
}

extension Outcome {
    /// Reads where a pair stands by its newest check.
    ///
    /// - Parameters:
    ///   - state: the row's column of `standing.state`; NULL before the first check.
    ///   - good: the last good reading, which is the newest check's where that is good.
    init(_ row: Row, state: Int, reason: Int, good: Reading?, ofPair id: Int64) throws {
        let word: String? = try row[state]
        guard word != nil else {
            self = .pending
            return
        }
        self = try UnknownWord.located("standing \(id)") {
            switch (try State.read(word, "state"), good) {
            case (.ranked, let good?) where good.position != nil: return Outcome(good)
            case (.absent, let good?) where good.position == nil: return Outcome(good)
            case (.suspect, _): return .suspect(try .read(row[reason], "reason"))
            case (.failed, _):
                let reason: String? = try row[reason]
                return .failed(reason == Gap.unreadPlaces ? .unreadPlaces : .check(try .read(reason, "reason")))
            // Not without a good reading that says the same.
            case (.ranked, _), (.absent, _), (.pending, _): throw UnknownWord(column: "state", word: word)
            }
        }
    }
}

/// A word in a column that this rankd does not know, or none where there has to be one.
struct UnknownWord: Error {
    let column: String
    let word: String?

    var description: String {
        guard let word else { return "\(column) is missing" }
        return "\(column) “\(word.cut(toBytes: 100))” is no word that this rankd knows"
    }

    /// Runs `body`, saying of an unknown word which row of which table has it.
    static func located<Value>(
        _ place: @autoclosure () -> String, _ body: () throws -> Value
    ) throws -> Value {
        do { return try body() } catch let error as UnknownWord {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "\(place()): \(error.description)")
        }
    }
}

extension RawRepresentable<String> {
    fileprivate static func read(_ word: String?, _ column: String) throws(UnknownWord) -> Self {
        guard let word, let value = Self(rawValue: word) else { throw UnknownWord(column: column, word: word) }
        return value
    }
}

extension Source {
    /// Reads a source as the history has it.
    static func stored(_ word: String) throws -> Source {
        guard let source = Source(rawValue: word) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a source that no rankd writes")
        }
        return source
    }
}
