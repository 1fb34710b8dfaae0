import Console
import Foundation
import RankKit

/// Questions to somebody at a terminal: they go to stderr, and the answers come from stdin.
actor InitQuestions {
    private let input: InterruptibleInput
    private var rest: [UInt8] = []

    init() throws { input = try InterruptibleInput(STDIN_FILENO) }

    /// What is typed behind `prompt`, without white space around it.
    ///
    /// - Throws: `CancellationError` if a signal ends it; `ExitStatus` at the end of the input, after saying so.
    func answer(_ prompt: String) async throws -> String {
        Terminal.ask(Terminal.broken(prompt) + " ")
        while true {
            try Task.checkCancellation()
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let line = rest[..<end]
                rest.removeSubrange(...end)
                return String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            }
            guard let piece = await input.next() else {
                try Task.checkCancellation()
                Terminal.say("\nthe input has ended: nothing was written")
                throw ExitStatus.usage
            }
            rest += piece
        }
    }
}
