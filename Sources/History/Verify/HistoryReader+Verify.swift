import GRDB
import RankKit

/// What a verification looked at.
package struct VerifiedParts: Sendable, Hashable {
    package var queries = 0
    package var checks = 0
    package var positions = 0
}

extension HistoryReader {
    /// Looks through the whole history, each query as of one moment and some together, in memory that does not grow with it.
    ///
    /// - Parameters:
    ///   - progress: told how many of how many checks have been looked at; 0 of 0 while the file's structure is.
    ///   - found: told of each finding as it comes.
    /// - Throws: `HistoryError` if the file cannot be read at all, or `CancellationError`.
    package func verify(
        progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in },
        found: @escaping @Sendable (Finding) -> Void
    ) async throws -> VerifiedParts {
        try await BlockingWork.run { work in
            progress(0, 0)
            try lookAtStructure(work, found)
            var parts = VerifiedParts()
            let batches = try read { database in
                try Self.goOn("references", found) { try lookForOrphans(in: database, found) }
                try lookForContradictions(in: database, found)
                return try CheckBatch.all(in: database)
            }
            let total = batches.reduce(0) { $0 + $1.checks }
            var apps = KnownApps()
            var hasAllLists = true
            for batch in batches {
                do {
                    try source.read { database in
                        try look(at: batch, in: database, work, &apps, &parts, hasAllLists: &hasAllLists) {
                            progress($0, max(total, $0))
                        } found: {
                            found($0)
                        }
                    }
                } catch let error as DatabaseError {
                    throw HistoryError(error, path: path)
                }
            }
            do {
                let check = CountryDayCheck(reader: self, hasAllLists: hasAllLists)
                try check.run(each: work.checkCancellation, found: found)
            } catch HistoryError.corrupt(_, let what) {
                found(
                    Finding(
                        part: .structure, place: "days of the store",
                        problem: "this part of the file cannot be read (\(what))"))
            }
            return parts
        }
    }

    /// - Parameter progress: told how many checks have been looked at.
    private func look(
        at batch: CheckBatch, in database: Database, _ work: BlockingWork, _ apps: inout KnownApps,
        _ parts: inout VerifiedParts, hasAllLists: inout Bool, progress: (Int) -> Void, found: (Finding) -> Void
    ) throws {
        let rows = try Self.rows(of: batch, in: database)
        // Whoever records is about to derive these: a copy may have been made between.
        let underived = try CountedChecks.noted(in: database)
        let pending = try Derivation.pending(in: database)
        for query in batch.queries.map(\.id) {
            do {
                guard var check = try QueryCheck(query, in: database) else { continue }
                let before = parts.checks
                var seen = 0
                try check.run(
                    try rows[query].map { CheckRows($0) } ?? CheckRows(of: query, in: database),
                    known: { try apps.contains($0, in: database) },
                    each: {
                        seen += 1
                        guard seen.isMultiple(of: 256) else { return }
                        try work.checkCancellation()
                        progress(before + seen)
                    },
                    found: { finding in
                        if finding.part == .lists { hasAllLists = false }
                        if underived.contains(query), finding.part.isOfCounted { return }
                        if pending.contains(query), finding.part.isDerived { return }
                        found(finding)
                    })
                parts.queries += 1
                parts.checks += check.checks
                parts.positions += check.positions
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
                hasAllLists = false
                found(Self.unreadable("query \(query)", error))
            }
        }
    }

    /// What cannot be read at once is read by query, to tell which it belongs to.
    private static func rows(of batch: CheckBatch, in database: Database) throws -> [Int64: [CheckRow]] {
        do { return try batch.rows(in: database) } catch let error as DatabaseError
            where error.resultCode == .SQLITE_CORRUPT
        {
            return [:]
        }
    }

    private static func unreadable(_ place: String, _ error: DatabaseError) -> Finding {
        Finding(
            part: .structure, place: place,
            problem: "this part of the file cannot be read (\(error.message ?? "\(error.resultCode)"))")
    }

    private func lookAtStructure(_ work: BlockingWork, _ found: (Finding) -> Void) throws {
        do {
            try work.interrupting(source) {
                for finding in try source.read(StructureCheck.findings) { found(finding) }
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            found(Self.unreadable("file", error))
        } catch let error as DatabaseError where error.resultCode != .SQLITE_INTERRUPT {
            throw HistoryError(error, path: path)
        }
    }

    /// What no foreign key looks after.
    private func lookForOrphans(in database: Database, _ found: (Finding) -> Void) throws {
        let pairs = try Int64.fetchAll(
            database, sql: "SELECT DISTINCT pair FROM pair_day WHERE pair NOT IN (SELECT id FROM pair)")
        for pair in pairs {
            found(
                Finding(
                    part: .references, place: "pair_day \(pair)",
                    problem: "the row belongs to a pair that does not exist"))
        }
        let queries = try Int64.fetchAll(
            database,
            sql: """
                SELECT query.id FROM query JOIN check_log ON check_log.id = query.newest_check
                WHERE check_log.query <> query.id
                """)
        for query in queries {
            found(
                Finding(
                    part: .references, place: "query \(query)",
                    problem: "the newest check of this query is a check of another query"))
        }
        for query in try Int64.fetchAll(database, sql: PairFill.lostNewest) {
            found(
                Finding(
                    part: .references, place: "query \(query)", problem: "the newest check of this query does not exist"
                ))
        }
    }

    /// Pairs, ratings and names of apps that contradict the rest.
    private func lookForContradictions(in database: Database, _ found: (Finding) -> Void) throws {
        try Self.goOn("standings", found) {
            for row in try Row.fetchAll(database, sql: PairFill.missed) {
                try found(
                    Finding(
                        part: .standings, place: "“\(row[1] as String)” \(row[2] as String), \(row[3] as String)",
                        problem: "the pair has no standing, although its query has good checks"))
            }
        }
        try Self.goOn("rating_day", found) {
            for finding in try RatingDayRow.findings(in: database) { found(finding) }
        }
        try Self.goOn("bundle_name", found) {
            for finding in try AppNames.findings(in: database) { found(finding) }
        }
        try Self.goOn("check_log", found) {
            for finding in try CountedChecks.findings(in: database) { found(finding) }
        }
        try Self.goOn("held_answer", found) {
            for finding in try HeldAnswer.findings(in: database) { found(finding) }
        }
        try Self.goOn("pass_answers", found) {
            for finding in try PassTally.findings(in: database) { found(finding) }
        }
        try Self.goOn("pass_count", found) {
            for finding in try PassCount.findings(in: database) { found(finding) }
        }
        try Self.goOn("query", found) {
            for finding in try QueryRow.findings(in: database) { found(finding) }
        }
        try Self.goOn("pair_period", found) {
            for finding in try PairPeriods.findings(in: database) { found(finding) }
        }
    }

    /// Does `look`. What cannot be read of `place` is a finding, and no end of looking.
    private static func goOn(_ place: String, _ found: (Finding) -> Void, _ look: () throws -> Void) throws {
        do { try look() } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            found(unreadable(place, error))
        }
    }
}

/// The numbers of all apps, looked up once each.
private struct KnownApps {
    private var known: Set<Int64> = []

    mutating func contains(_ number: Int64, in database: Database) throws -> Bool {
        if known.contains(number) { return true }
        let statement = try database.cachedStatement(sql: "SELECT 1 FROM app WHERE id = ?")
        guard try Bool.fetchOne(statement, arguments: [number]) ?? false else { return false }
        known.insert(number)
        return true
    }
}
