import GRDB
import RankKit
import Synchronization
import TestSupport

@testable import History

/// Kills a process that writes a history, as far as its file can tell: at a commit, which then happens or does not, and
/// nothing is committed after it.
final class Doom: TransactionObserver, Sendable {
    /// What a commit is about.
    enum Write: String, CaseIterable, Sendable {
        case adoption, check, passEnd, upkeep, decision, beginOfTry, noteOfTry
    }

    /// When the end comes.
    enum End: String, CaseIterable, Sendable {
        case before, after
    }

    struct Killed: Error {}

    fileprivate struct State {
        var random: SplitMix
        var phase = Write.adoption
        var isDead = false
        var isArmed = true
        /// Commits until the next end.
        var left: [Write: Int] = [:]
        var next: [Write: End] = [:]
        var commits: [Write: Int] = [:]
        var kills: [Write: [End: Int]] = [:]
    }

    private let state: Mutex<State>

    init(seed: UInt64) {
        state = Mutex(State(random: SplitMix(seed: seed)))
        state.withLock { state in for write in Write.allCases { state.wait(for: write) } }
    }

    /// What is being written from now on.
    func begin(_ phase: Write) { state.withLock { $0.phase = phase } }

    var isDead: Bool { state.withLock { $0.isDead } }

    /// Ends the process where nothing is committed.
    func kill() { state.withLock { $0.isDead = true } }

    /// Another process. Nobody kills it while it is closed or opened.
    func revive() {
        state.withLock { state in
            state.isDead = false
            state.isArmed = false
        }
    }

    func arm() { state.withLock { $0.isArmed = true } }

    var commits: [Write: Int] { state.withLock { $0.commits } }
    var kills: [Write: [End: Int]] { state.withLock { $0.kills } }

    func throwIfDead() throws { if isDead { throw Killed() } }

    // MARK: Commits

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidRollback(_ db: Database) {}

    func databaseWillCommit() throws {
        try state.withLock { state in
            if state.isDead { throw Killed() }
            guard state.isArmed else { return }
            let phase = state.phase
            state.left[phase, default: 1] -= 1
            if state.isDue(.before) {
                state.end()
                throw Killed()
            }
        }
    }

    func databaseDidCommit(_ db: Database) {
        state.withLock { state in
            guard state.isArmed, !state.isDead else { return }
            state.commits[state.phase, default: 0] += 1
            if state.isDue(.after) { state.end() }
        }
    }
}

extension Doom.Write {
    /// Commits from one end to the next, on average: those that are rare are hit more often.
    fileprivate var patience: Double {
        switch self {
        case .check: 70
        case .upkeep: 120
        case .adoption: 30
        case .passEnd: 5
        case .decision: 7
        case .beginOfTry: 14
        case .noteOfTry: 7
        }
    }
}

extension Doom.State {
    fileprivate func isDue(_ end: Doom.End) -> Bool { left[phase, default: 1] <= 0 && next[phase] == end }

    fileprivate mutating func end() {
        isDead = true
        kills[phase, default: [:]][next[phase] ?? .before, default: 0] += 1
        wait(for: phase)
    }

    fileprivate mutating func wait(for write: Doom.Write) {
        left[write] = 1 + Int(random.unit() * 2 * write.patience)
        next[write] = next[write] == .before ? .after : .before
    }
}

extension HistoryStore {
    /// A history that `doom` watches.
    static func open(_ path: String, under doom: Doom) throws -> HistoryStore {
        try HistoryStore(path: path, busySeconds: 5, clock: InstantClock()) { path in
            let queue = try DatabaseFile.openForWriting(path, busySeconds: 5)
            queue.add(transactionObserver: doom, extent: .databaseLifetime)
            return queue
        }
    }
}
