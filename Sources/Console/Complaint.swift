import ArgumentParser
import Foundation
import History
package import RankKit
import Reports

/// Says what went wrong, on stderr, and how the program ends because of it.
package enum Complaint {
    /// Runs `body`; an invalid watchlist prints every mistake, and any file that cannot be used says why.
    ///
    /// - Throws: `ExitCode` if `body` throws one of this project's errors, else what it throws.
    package static func exiting<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
    ) async throws -> Value {
        do { return try await body() } catch { throw exit(for: error) }
    }

    /// Prints `error` and says what to end with.
    package static func exit(for error: any Error) -> any Error {
        switch error {
        case let invalid as WatchlistError:
            for line in invalid.lines { Terminal.say(SafeText.escaped(line)) }
            return ExitStatus.configuration.code
        case let failure as WatchlistFile.Failure:
            let locations = FileLocations(environment: ProcessInfo.processInfo.environment) {
                FileManager.default.fileExists(atPath: $0)
            }
            Terminal.say(SafeText.escaped(Remedy.words(failure, locations)))
            return ExitStatus(failure).code
        case let failure as HistoryError:
            Terminal.say(SafeText.escaped(Remedy.words(failure)))
            return ExitStatus(failure).code
        case let refusal as FileRefusal:
            Terminal.say(SafeText.escaped(refusal.description))
            return ExitStatus(refusal).code
        case let damaged as DamagedCopy:
            Terminal.say(SafeText.escaped(damaged.words(naming: ReportAudience.command)))
            return ExitStatus.data.code
        case let unsound as UnsoundCopy:
            Terminal.say(SafeText.escaped(unsound.words(naming: ReportAudience.command)))
            return ExitStatus.data.code
        case let refusal as ImportRefusal:
            Terminal.say(SafeText.escaped(refusal.description))
            return ExitStatus.data.code
        case let missing as ImportMissing:
            Terminal.say(SafeText.escaped(missing.description))
            return ExitStatus.noInput.code
        case let refusal as ReportRefusal:
            if refusal.isUsage { return ValidationError(refusal.description) }
            // Its names are escaped already.
            Terminal.say(refusal.description)
            return ExitStatus.usage.code
        case let refusal as WatchlistEditor.Refusal:
            Terminal.say(SafeText.escaped(refusal.description))
            return ExitStatus(refusal).code
        case is CancellationError:
            // Ended by a signal, as shells report an end by SIGINT.
            return ExitCode(130)
        case let status as ExitStatus:
            return status.code
        default:
            return error
        }
    }

    package static func warn(_ warnings: [Warning]) {
        for warning in warnings { Terminal.say("warning: " + SafeText.escaped(warning.description)) }
    }
}
