import Foundation

/// What must hold after every fault, whatever it was.
extension Stage {
    /// What is wrong with what the programs left; nothing where
    ///
    /// - every check that a `rankd` of this stage told of is in the history,
    /// - no check is partly there, none is there twice, and the file is sound,
    /// - a reader opens it and finds the schema of its own version,
    /// - no program showed a secret, or anything that a terminal would obey.
    ///
    /// - Parameter database: the history; the stage's own unless given.
    package func flaws(in database: String? = nil) async throws -> [String] {
        let database = database ?? self.database
        let told = self.told
        guard FileManager.default.fileExists(atPath: database) else {
            return (told.isEmpty ? [] : ["\(told.count) checks were told and there is no history"]) + shown
        }
        let status = try await rankctl(["status", "--database", database])
        var flaws: [String] = []
        switch status.ending {
        case .code(0), .code(1), .code(2): break
        case .code(66) where told.isEmpty:
            // Made, and not yet begun.
            return shown
        // Older, and not yet brought up to date.
        case .code(65) where told.isEmpty && status.errors.contains(" has schema "): break
        default: flaws.append("rankctl status ended with \(String(describing: status.ending)): \(status.errors)")
        }
        let history = try RecordedHistory(database)
        let lost = told.subtracting(try history.checks)
        if !lost.isEmpty { flaws.append("lost though told: \(lost.sorted())") }
        return flaws + (try history.flaws) + (try kept(database)) + shown
    }

    /// The checks that were told: by `rankd --once` a line each, by the service in its log. Either comes after the
    /// commit.
    package var told: Set<Int> {
        Set(
            started.flatMap { $0.wholeLines }.flatMap { line in
                line.split(separator: " ").compactMap { word in
                    word.hasPrefix("check=") ? Int(word.dropFirst("check=".count)) : nil
                }
            })
    }

    /// What was shown that must never be.
    private var shown: [String] {
        started.flatMap { program -> [String] in
            // A CSV's lines end with both.
            let text = (program.output + program.errors).replacing("\r\n", with: "\n")
            let isRaw = text.unicodeScalars.contains { scalar in
                scalar.value < 0x20 && scalar != "\n" || (0x7F...0x9F).contains(scalar.value)
                    || (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
            }
            return (text.contains(Self.secret) ? ["process \(program.pid) showed a secret"] : [])
                + (isRaw ? ["process \(program.pid) showed a control character: \(text)"] : [])
        }
    }

    /// What is in the files of the history that must not be.
    private func kept(_ database: String) throws -> [String] {
        let secret = Data(Self.secret.utf8)
        return [database, database + "-wal"].filter {
            FileManager.default.contents(atPath: $0)?.range(of: secret) != nil
        }.map { "\($0) holds a secret" }
    }
}

extension Program {
    /// The lines of both streams that are whole: a process that is killed may leave the beginning of one.
    fileprivate var wholeLines: [Substring] {
        [output, errors].flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false).dropLast() }
    }
}

extension Program {
    /// Descriptors that a service may open once and keep after the first look at it, such as the reader of its first upkeep.
    /// Whatever may leave one is done more often than that.
    package static let openedOnce = 4
}

#if os(Linux)
    extension Program {
        /// What the process holds, to be compared with later.
        package struct Holdings: Sendable {
            package let descriptors: Int
            package let memory: Int
        }

        package var holdings: Holdings? {
            guard let descriptors, let residentMemory else { return nil }
            return Holdings(descriptors: descriptors, memory: residentMemory)
        }

        /// Waits until the process holds what it held: connections that are kept for the next request end after half a
        /// minute. Of descriptors it may hold `openedOnce` more.
        ///
        /// - Parameter slack: in bytes; what an allocator keeps and a debug build takes varies.
        package func holdsAgain(_ before: Holdings, slack: Int = 32 << 20) async throws {
            try await eventually("what it held, \(before); it holds \(String(describing: holdings))") {
                guard let now = holdings else { throw OutOfPatience(description: "it has ended: \(errors)") }
                return now.descriptors <= before.descriptors + Self.openedOnce
                    && now.memory <= before.memory + slack ? true : nil
            }
        }
    }
#endif
