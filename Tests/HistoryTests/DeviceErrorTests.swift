import Foundation
import GRDB
import GRDBSQLite
import RankKit
import Synchronization
import TestSupport
import Testing

@testable import History

/// What the writer does when the device under its file fails.
@Suite(.timeLimit(.minutes(30))) struct DeviceErrorTests {
    private let folder: TemporaryFolder
    private let clock = InstantClock()
    private let start = time("2026-11-01T00:00:00Z")
    private let timer = query("timer")
    /// What the next openings of the file fail with.
    private let refusals = Refusals()

    private final class Refusals: Sendable {
        let next = Mutex<[any Error]>([])
    }

    /// An error of the device at each of the first runs of an operation.
    private final class Failures: Sendable {
        private let left: Mutex<Int>
        init(_ count: Int) { left = Mutex(count) }

        func strike() throws {
            let strikes = left.withLock { left in
                left -= 1
                return left >= 0
            }
            if strikes { throw DatabaseError(resultCode: .SQLITE_IOERR_FSYNC, message: "disk I/O error") }
        }

        /// How often the operation was run beyond its failures; negative where it was not run to success.
        var runsAfter: Int { left.withLock { -$0 } }
    }

    init() throws { folder = try TemporaryFolder() }

    private var path: String { folder.file("history.sqlite") }

    private func opened() async throws -> HistoryStore {
        let store = try HistoryStore(path: path, busySeconds: 0.02, clock: clock) { [refusals] path in
            if let refusal = refusals.next.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { throw refusal }
            return try DatabaseFile.openForWriting(path, busySeconds: 0.02)
        }
        try await store.adopt(watchlist([(timer, ["com.a"])]), now: start)
        return store
    }

    private var check: Check { Check(query: timer, at: start, outcome: .answered(list(["com.a"]))) }

    private func count(_ table: String, _ store: HistoryStore) async throws -> Int? {
        try await store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") }
    }

    private func reader() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.allowsUnsafeTransactions = true
        let reader = try DatabaseQueue(path: path, configuration: configuration)
        try reader.inDatabase {
            try $0.execute(sql: "BEGIN")
            _ = try Int.fetchOne($0, sql: "SELECT count(*) FROM check_log")
        }
        return reader
    }

    // MARK: What passes

    @Test func `one error of the device ends neither a question nor a change`() async throws {
        let store = try await opened()
        let (asking, changing) = (Failures(1), Failures(2))
        #expect(
            try await store.read {
                try asking.strike()
                return try Int.fetchOne($0, sql: "SELECT count(*) FROM query")
            } == 1)
        try await store.write { database in
            try changing.strike()
            try LaneRow.note(requestAt: Timestamp(secondsSinceEpoch: 7), of: Endpoint.name(of: .usual), in: database)
        }
        #expect(try await store.lastRequest()?.secondsSinceEpoch == 7)
        #expect((asking.runsAfter, changing.runsAfter) == (1, 1))
        #expect(await store.takeMended().count == 2)
        #expect(await store.takeMended().isEmpty)
    }

    @Test func `a device that goes on failing is given up after five more tries`() async throws {
        let store = try await opened()
        let failures = Failures(100)
        await #expect(throws: HistoryError.inputOutput(path: path, what: "disk I/O error")) {
            try await store.write { _ in try failures.strike() }
        }
        #expect(failures.runsAfter == -94)
        #expect(clock.now.offset >= .seconds(1))
    }

    @Test func `what is run again knows that it is`() async throws {
        let store = try await opened()
        let failures = Failures(1)
        #expect(
            try await store.write { _, isAgain in
                try failures.strike()
                return isAgain
            })
    }

    @Test func `a pass that may have been recorded is not recorded twice`() async throws {
        let store = try await opened()
        var pass = PassResult(startedAt: start, finishedAt: start + 5, due: 1, requests: 1)
        try await store.record(pass)
        try await store.record(pass)
        #expect(try await count("pass", store) == 1)
        pass.startedAt = start + 1
        try await store.record(pass)
        #expect(try await count("pass", store) == 2)
    }

    // MARK: What is not known to be on the disk

    @Test func `after an error of the device nothing counts as recorded before all of the log is in the database`()
        async throws
    {
        let store = try await opened()
        let recorded = try await store.record(check)
        let reader = try reader()
        let failures = Failures(1)
        await #expect(throws: HistoryError.busy(path: path)) { try await store.write { _ in try failures.strike() } }
        await #expect(throws: HistoryError.busy(path: path)) { try await store.record(check, unlessStored: true) }
        #expect(try await count("check_log", store) == 1)
        try reader.inDatabase { try $0.execute(sql: "ROLLBACK") }
        try reader.close()
        let logged = store.logBytes
        #expect(try await store.record(check, unlessStored: true) == recorded)
        #expect(store.logBytes < logged)
    }

    // MARK: The opening that fails

    @Test func `a file that opens for reading alone is refused`() async throws {
        try await opened().close()
        #expect(throws: HistoryError.readOnly(path: "file:\(path)?mode=ro")) {
            _ = try DatabaseFile.openForWriting("file:\(path)?mode=ro", busySeconds: 0)
        }
    }

    @Test(arguments: [HistoryError.full(path: "a"), .busy(path: "a"), .readOnly(path: "a")])
    func `a file that could not be opened anew is opened by whoever uses it next`(_ refusal: HistoryError)
        async throws
    {
        let store = try await opened()
        try await store.record(check)
        refusals.next.withLock { $0 = [refusal, refusal] }
        await #expect(throws: refusal) { try await store.reopen() }
        await #expect(throws: refusal) { try await store.answer() }
        #expect(try await count("check_log", store) == 1)
        try await store.record(Check(query: timer, at: start + 60, outcome: .failed(Failure(.status))))
        #expect(try await count("check_log", store) == 2)
    }

    @Test func `an error of the device in opening anew is one more try`() async throws {
        let store = try await opened()
        let error = DatabaseError(resultCode: .SQLITE_IOERR_READ)
        refusals.next.withLock { $0 = [error, error] }
        try await store.reopen(with: Failures(1).strike)
        #expect(try await count("query", store) == 1)
    }

    @Test func `a connection that cannot be closed stays the only one`() async throws {
        let store = try await opened()
        let statement = try await store.writeWithoutTransaction { database in
            var statement: OpaquePointer?
            #expect(sqlite3_prepare_v2(database.sqliteConnection, "SELECT 1", -1, &statement, nil) == SQLITE_OK)
            return Int(bitPattern: statement)
        }
        // An opening would show as this error.
        refusals.next.withLock { $0 = [HistoryError.full(path: path)] }
        await #expect(throws: HistoryError.busy(path: path)) { try await store.reopen() }
        sqlite3_finalize(OpaquePointer(bitPattern: statement))
        await #expect(throws: HistoryError.full(path: path)) { try await store.reopen() }
        try await store.record(check)
        #expect(try await count("check_log", store) == 1)
    }

    @Test func `a history that was closed is not opened again`() async throws {
        let store = try await opened()
        try await store.close()
        let closed = HistoryError.unusable(path: path, what: "rankd has closed it")
        await #expect(throws: closed) { try await store.answer() }
        await #expect(throws: closed) { try await store.reopen() }
    }

    // MARK: Others that use it

    @Test func `opening anew waits for who uses the file, and they for it`() async throws {
        let store = try await opened()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 as Range<Int64> {
                group.addTask {
                    switch number % 4 {
                    case 0: try await store.reopen()
                    case 1: try await store.noteLookup(at: start + number)
                    default: _ = try await store.unseenApps()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await count("query", store) == 1)
    }
}

extension HistoryStore {
    /// Opens the file anew because of an error in a change.
    fileprivate func reopen(with strike: @escaping @Sendable () throws -> Void) async throws {
        try await write { _ in try strike() }
    }
}
