import GRDB

/// Who uses the one writing connection, and when it is given up for another.
extension HistoryStore {
    /// Closes the file and opens it anew, keeping the lock: what SQLite advises after the device has failed, because
    /// nobody knows then what of its cache is on the disk. Waits until nobody uses the file.
    ///
    /// - Throws: `HistoryError`; the file may be closed then, and is opened by whoever uses it next.
    package func reopen() async throws(HistoryError) {
        isWornOut = true
        isDoubtful = true
        _ = try await claimed(forWriting: true)
        release()
    }

    /// The connection, for an operation that ends with `giveBack`.
    func taken(forWriting: Bool) async throws(HistoryError) -> DatabaseQueue {
        while true {
            while isClaimed { await claimEnds() }
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
        guard inFlight == 0 else { return }
        waitingForIdle?.resume()
        waitingForIdle = nil
    }

    /// The connection, which nobody else uses until `release`.
    func claimed(forWriting: Bool) async throws(HistoryError) -> DatabaseQueue {
        while isClaimed { await claimEnds() }
        isClaimed = true
        while inFlight > 0 { await withCheckedContinuation { waitingForIdle = $0 } }
        do {
            try requireSameFile()
            let queue = try renewed()
            if forWriting, isDoubtful { try await settle(queue) }
            return queue
        } catch {
            release()
            throw error
        }
    }

    func release() {
        isClaimed = false
        let waiting = waitingForClaim
        waitingForClaim = []
        for continuation in waiting { continuation.resume() }
    }

    /// Notes what an operation's failure says about the connection.
    func note(_ error: any Error, _ sorted: HistoryError, inWriting: Bool) {
        // A sync that failed tells nothing of what is on the disk, whatever the device has to say besides.
        let syncs: [ResultCode] = [.SQLITE_IOERR_FSYNC, .SQLITE_IOERR_DIR_FSYNC]
        let isSync = (error as? DatabaseError).map { syncs.contains($0.extendedResultCode) } ?? false
        guard sorted.isInputOutput || isSync else { return }
        isWornOut = true
        if inWriting { isDoubtful = true }
    }

    private func isFit(forWriting: Bool) -> Bool { !hasEnded && !isWornOut && !(forWriting && isDoubtful) }

    private func claimEnds() async { await withCheckedContinuation { waitingForClaim.append($0) } }

    /// The connection, or another one in its stead. A connection that cannot be closed is kept: there must never be two.
    private func renewed() throws(HistoryError) -> DatabaseQueue {
        guard !hasEnded else { throw .unusable(path: path, what: "rankd has closed it") }
        if let queue {
            guard isWornOut else { return queue }
            try HistoryError.catching(path: path) { try queue.close() }
            self.queue = nil
        }
        let path = path
        let opened: DatabaseQueue
        do {
            opened = try HistoryError.catching(path: path) { try opening(path) }
        } catch {
            // An opening that was broken off has moved the log's content and may have deleted the log.
            if file.isDatabaseTheSame { file = try OpenFile(path) }
            throw error
        }
        queue = opened
        isWornOut = false
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
            let sorted = HistoryError(error, path: path)
            note(error, sorted, inWriting: true)
            throw sorted
        }
        isDoubtful = false
    }
}
