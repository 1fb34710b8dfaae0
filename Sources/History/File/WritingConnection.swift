import Foundation
import GRDB
import RankKit

/// The one connection that writes a history: who uses it, and when it is given up for another.
actor WritingConnection {
    nonisolated let path: String
    /// How long a statement waits for another program's lock.
    nonisolated let busySeconds: TimeInterval
    /// What this program counts its changes under.
    nonisolated let generation = HistoryVersion.newGeneration()
    private let clock: any Clock<Duration>
    private let opening: @Sendable (_ path: String) throws -> DatabaseQueue

    private var state = State.fit
    /// `nil` while there is none, because the file could not be opened anew.
    private var queue: DatabaseQueue?
    private(set) var file: OpenFile
    private var lock: WriterLock?
    /// Whether what the log of a file that is gone still held was moved to where it belongs.
    private var isSettled = false

    /// Whether the file turned out to be none that may be written.
    private var isRuined = false
    /// Whether anything was written since the file was opened.
    private var hasWritten = false

    /// Operations that are using the connection.
    private var inFlight = 0
    /// Whether somebody opens or closes the file, for which nobody else may be using it.
    private var isClaimed = false
    private let waitingForIdle = WaitingTasks()
    private let waitingForClaim = WaitingTasks()

    /// Pages that the clean-up has written to the log since it was last moved into the database.
    var unmovedPages = 0
    private var mended: [HistoryError] = []
    private var reportAccess: (@Sendable (AccessTime) -> Void)?

    private enum State {
        case fit
        /// Nobody knows if the device has what was written: from an error of the device in a write until all of the log
        /// has been moved into the database and synced. Good enough to read from.
        case doubtful
        /// To be given up before it is used again; `isDoubtful` says what its successor is.
        case wornOut(isDoubtful: Bool)
        /// The history was closed for good.
        case ended
    }

    /// Opens the history at `path`, making or migrating it where needed.
    ///
    /// - Parameters:
    ///   - clock: measures the waits between tries after the device has failed.
    ///   - opening: opens a connection to the file at a path.
    /// - Throws: `HistoryError`. Nothing is ever overwritten: a file that is not a history is left as it is.
    init(
        path: String, busySeconds: TimeInterval, clock: any Clock<Duration>,
        opening: @escaping @Sendable (_ path: String) throws -> DatabaseQueue
    ) throws(HistoryError) {
        try DatabaseFile.prepare(path)
        let path = DatabaseFile.resolved(path)
        try FirstLook.refuse(path)
        self.path = path
        self.busySeconds = busySeconds
        self.clock = clock
        self.opening = opening
        lock = try WriterLock(database: path)
        let wasLeftInHaste = DatabaseFile.wasLeftInHaste(path)
        queue = try HistoryError.catching(path: path) { [generation] in
            let isExamined = try DatabaseFile.examine(path)
            let queue = try opening(path)
            if wasLeftInHaste, !isExamined { try DatabaseFile.examine(queue, path: path) }
            try Schema.migrate(queue)
            try Derivation.finish(CountingQueue(queue: queue, generation: generation))
            try DatabaseFile.accept(queue, path: path)
            return queue
        }
        file = try OpenFile(path)
    }

    /// Tells SQLite's planner what it learnt, closes the file and lets go of its lock.
    ///
    /// - Parameter discarding: whether the file is to go, as one that was made for nothing; before anyone else may write
    ///   it. The lock's file stays, since somebody may be waiting for it.
    func close(discarding: Bool) async throws(HistoryError) {
        let queue = try await claimed(forWriting: true)
        defer { release() }
        try HistoryError.catching(path: path) { [isRuined, path] in
            try queue.inDatabase { database in
                // What was found damaged is not written any more.
                if isRuined { return try DatabaseFile.keepLogOnClose(true, database, path: path) }
                try database.execute(sql: "PRAGMA optimize")
            }
            try queue.close()
        }
        if discarding { for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) } }
        self.queue = nil
        state = .ended
        lock = nil
    }

    /// Closes the file and opens it anew, keeping the lock: what SQLite advises after the device has failed, because
    /// nobody knows then what of its cache is on the disk. Waits until nobody uses the file.
    ///
    /// - Throws: `HistoryError`; the file may be closed then, and is opened by whoever uses it next.
    func reopen() async throws(HistoryError) {
        wearOut(isDoubtful: true)
        _ = try await claimed(forWriting: true)
        release()
    }

    func takeMended() -> [HistoryError] {
        defer { mended = [] }
        return mended
    }

    func timeAccesses(_ report: @escaping @Sendable (AccessTime) -> Void) { reportAccess = report }

    // MARK: Using it

    /// Does `work` on the file that was opened; after an error of the device the file is opened anew and the work done
    /// again, five times at most.
    func mending<Value: Sendable>(
        forWriting: Bool, _ step: StaticString,
        _ work: @escaping @Sendable (_ queue: DatabaseQueue, _ isAgain: Bool) async throws -> Value
    ) async throws -> Value {
        var failures: [HistoryError] = []
        while true {
            do {
                let isAgain = !failures.isEmpty
                let value = try await onSameFile(forWriting: forWriting, step) { try await work($0, isAgain) }
                if let first = failures.first { mended.append(first) }
                return value
            } catch let error as HistoryError where error.isInputOutput && failures.count < Self.mostRetries {
                failures.append(error)
                // Whoever is told to end tries again all the same, without the wait.
                do { try await clock.sleep(for: .milliseconds(100) * (1 << failures.count)) } catch {}
            }
        }
    }

    private static let mostRetries = 5

    /// Looks before and after: what was committed to a file that has gone is not recorded.
    private func onSameFile<Value: Sendable>(
        forWriting: Bool, _ step: StaticString, _ work: @escaping @Sendable (DatabaseQueue) async throws -> Value
    ) async throws -> Value {
        let queue = try await taken(forWriting: forWriting)
        defer { giveBack() }
        let began = reportAccess.map { _ in AccessTime.Beginning() }
        do {
            let value = try await Task { try await work(queue) }.value
            if let began { reportAccess?(AccessTime(of: step, since: began)) }
            if forWriting { hasWritten = true }
            try requireSameFile()
            return value
        } catch let error as CancellationError {
            throw error
        } catch {
            throw noted(error, inWriting: forWriting)
        }
    }

    /// The connection, for an operation that ends with `giveBack`.
    func taken(forWriting: Bool) async throws(HistoryError) -> DatabaseQueue {
        while true {
            while isClaimed { await waitingForClaim.wait(evenIfCancelled: true) }
            try requireSameFile()
            if let queue, isFit(forWriting: forWriting) {
                inFlight += 1
                return queue
            }
            _ = try await claimed(forWriting: forWriting)
            release()
        }
    }

    func giveBack() {
        inFlight -= 1
        if inFlight == 0 { waitingForIdle.wakeAll() }
    }

    /// Throws where the file is not the one that was opened. What the log still holds is moved into the file that was,
    /// wherever it lies now, so that the log harms no file that has taken its place.
    func requireSameFile() throws(HistoryError) {
        guard let what = file.change() else { return }
        if file.ownsLog, !isSettled, let queue {
            isSettled = true
            // Nothing more can be done for a file that is not there.
            do { try queue.inDatabase { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") } } catch {}
        }
        throw .replaced(path: path, what: what)
    }

    /// An operation's failure as `HistoryError`, after noting what it says about the connection.
    func noted(_ error: any Error, inWriting: Bool) -> HistoryError {
        let met = HistoryError(error, path: path)
        let sorted = hasWritten ? met.afterWriting : met
        // A sync that failed tells nothing of what is on the disk, whatever the device has to say besides.
        let syncs: [ResultCode] = [.SQLITE_IOERR_FSYNC, .SQLITE_IOERR_DIR_FSYNC]
        let isSync = (error as? DatabaseError).map { syncs.contains($0.extendedResultCode) } ?? false
        if sorted.isInputOutput || isSync { wearOut(isDoubtful: inWriting) }
        if sorted.isFinal { isRuined = true }
        return sorted
    }

    // MARK: Its state

    private func isFit(forWriting: Bool) -> Bool {
        switch state {
        case .fit: true
        case .doubtful: !forWriting
        case .wornOut, .ended: false
        }
    }

    /// What was doubtful stays so until it has been settled.
    private func wearOut(isDoubtful: Bool) {
        switch state {
        case .fit: state = .wornOut(isDoubtful: isDoubtful)
        case .doubtful: state = .wornOut(isDoubtful: true)
        case .wornOut(let wasDoubtful): state = .wornOut(isDoubtful: wasDoubtful || isDoubtful)
        case .ended: break
        }
    }

    /// The connection, which nobody else uses until `release`.
    private func claimed(forWriting: Bool) async throws(HistoryError) -> DatabaseQueue {
        while isClaimed { await waitingForClaim.wait(evenIfCancelled: true) }
        isClaimed = true
        while inFlight > 0 { await waitingForIdle.wait(evenIfCancelled: true) }
        do {
            try requireSameFile()
            let queue = try renewed()
            if forWriting, case .doubtful = state { try await settle(queue) }
            return queue
        } catch {
            release()
            throw error
        }
    }

    private func release() {
        isClaimed = false
        waitingForClaim.wakeAll()
    }

    /// The connection, or another one in its stead. A connection that cannot be closed is kept: there must never be two.
    private func renewed() throws(HistoryError) -> DatabaseQueue {
        if case .ended = state { throw .unusable(path: path, what: "rankd has closed it") }
        if let queue {
            guard case .wornOut = state else { return queue }
            try HistoryError.catching(path: path) { try queue.close() }
            self.queue = nil
        }
        let path = path
        let opened: DatabaseQueue
        do {
            opened = try HistoryError.catching(path: path) {
                let opened = try opening(path)
                try DatabaseFile.accept(opened, path: path)
                return opened
            }
        } catch {
            // An opening that was broken off may have made the log anew.
            if file.isDatabaseTheSame { file = try OpenFile(path) }
            throw error
        }
        queue = opened
        if case .wornOut(let isDoubtful) = state { state = isDoubtful ? .doubtful : .fit }
        file = try OpenFile(path)
        return opened
    }

    /// Makes all that the log holds durable, which a sync that failed may have left in the memory of the system alone.
    /// A sync that succeeds after one that failed proves nothing about what the first was about; so everything is
    /// written once more, into the database, and the log begun anew.
    ///
    /// - Throws: `HistoryError`, `busy` where a reader stands in the way; nothing may be taken for recorded then.
    private func settle(_ queue: DatabaseQueue) async throws(HistoryError) {
        let path = path
        do {
            try await Task {
                try await queue.writeWithoutTransaction { database in
                    let isBusy = try Bool.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
                    guard isBusy == false else { throw HistoryError.busy(path: path) }
                    // A commit that changes nothing: its sync makes it last that the log has been emptied. Frames of an
                    // old log over a newer database would damage it.
                    try database.execute(
                        literal: "PRAGMA application_id = \(sql: String(DatabaseFile.applicationID))")
                }
            }.value
        } catch {
            throw noted(error, inWriting: true)
        }
        state = .fit
    }
}
