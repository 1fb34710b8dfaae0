/// Something did not come about in time.
package struct OutOfPatience: Error, CustomStringConvertible {
    package let description: String
}

/// Far more than anything takes, on a machine that is busy with other things and whose disk stalls: what needs it would
/// never come.
package let patience: Duration = .seconds(600)

/// Looks again and again until `condition` gives a value.
@discardableResult
package func eventually<Value>(
    _ what: @autoclosure () -> String, within limit: Duration = patience,
    _ condition: () async throws -> Value?
) async throws -> Value {
    let deadline = ContinuousClock.now + limit
    while true {
        if let value = try await condition() { return value }
        guard ContinuousClock.now < deadline else { throw OutOfPatience(description: "not in \(limit): \(what())") }
        try await Task.sleep(for: .milliseconds(2))
    }
}

extension Program {
    /// The first line on stderr that holds `text`, once it is there.
    @discardableResult
    package func says(_ text: String) async throws -> String {
        try await eventually("“\(text)” on stderr, which has: \(errors)") { Self.line(with: text, in: errors) }
    }

    /// The first line on stdout that holds `text`, once it is there.
    @discardableResult
    package func prints(_ text: String) async throws -> String {
        try await eventually("“\(text)” on stdout, which has: \(output); stderr: \(errors)") {
            Self.line(with: text, in: output)
        }
    }

    /// How the process ends, once it has.
    package func ends(within limit: Duration = patience) async throws -> Ending {
        try await eventually("the end of process \(pid), which said: \(errors)", within: limit) { ending }
    }

    /// The lines that are whole: a process that is killed may leave the beginning of one.
    package var printedLines: [Substring] {
        output.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).dropLast()
    }

    private static func line(with text: String, in all: String) -> String? {
        all.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .first { $0.contains(text) }.map(String.init)
    }
}
