import Crypto
import Foundation
import RankKit
import Synchronization

/// The sessions that were logged out, remembered until they would have ended anyway: in memory, and in a file beside the
/// key, so that they stay ended when the program is started anew.
///
/// It is bounded: of whoever logs out more often than anybody does, all sessions end.
final class EndedSessions: Sendable {
    /// Of one name.
    private struct Ended {
        /// When they would have ended, by their number's digest; UTC seconds since 1970.
        var sessions: [String: Int64] = [:]
        /// All sessions of this name that would end until then have ended; UTC seconds since 1970.
        var until: Int64 = 0
    }

    private let ended: Mutex<[String: Ended]>
    private let path: String?
    /// Held while the file is written, so that the newest is written last.
    private let writing = Mutex(())
    private let complain: @Sendable (String) -> Void

    /// Sessions of one name that are remembered one by one.
    private let most: Int
    /// Stands in the file for all sessions of a name.
    private static let all = "*"

    /// - Parameters:
    ///   - folder: where they are kept; in memory alone where it is `nil`.
    ///   - most: sessions of one name that are remembered one by one.
    ///   - complain: told why they cannot be.
    init(in folder: String? = nil, most: Int = 1_000, complain: @escaping @Sendable (String) -> Void = { _ in }) {
        path = folder.map { $0 + "/ended" }
        self.complain = complain
        self.most = most
        ended = Mutex(path.map { Self.read($0, complain) } ?? [:])
    }

    func contains(_ session: Session) -> Bool {
        ended.withLock { ended in
            guard let ended = ended[Self.digest(session.name)] else { return false }
            return session.until.secondsSinceEpoch <= ended.until || ended.sessions[Self.digest(session.number)] != nil
        }
    }

    func add(_ session: Session, at now: Timestamp) {
        guard !contains(session), now < session.until else { return }
        let now = now.secondsSinceEpoch
        ended.withLock { ended in
            ended = ended.mapValues { Ended(sessions: $0.sessions.filter { $0.value > now }, until: $0.until) }
                .filter { !$0.value.sessions.isEmpty || $0.value.until > now }
            var mine = ended[Self.digest(session.name)] ?? Ended()
            if mine.sessions.count < most {
                mine.sessions[Self.digest(session.number)] = session.until.secondsSinceEpoch
            } else {
                mine = Ended(until: now + Sessions.length)
            }
            ended[Self.digest(session.name)] = mine
        }
        write()
    }

    // MARK: The file: a line each, with a name's digest, when it would have ended, and the number's digest

    private func write() {
        guard let path else { return }
        writing.withLock { _ in
            let text = ended.withLock { ended in
                ended.map { name, ended in
                    (ended.until > 0 ? "\(name) \(ended.until) \(Self.all)\n" : "")
                        + ended.sessions.map { "\(name) \($0.value) \($0.key)\n" }.joined()
                }.joined()
            }
            do throws(WatchlistFile.Failure) {
                try WatchlistFile.write(Array(text.utf8), to: path, isPrivate: true)
            } catch {
                complain(
                    "rankweb cannot save who has logged out, so those sessions may work again after a restart: \(error)"
                )
            }
        }
    }

    private static func read(_ path: String, _ complain: (String) -> Void) -> [String: Ended] {
        guard let data = FileManager.default.contents(atPath: path) else {
            if access(path, F_OK) == 0 {
                complain("rankweb does not know who has logged out, because \(path) cannot be read")
            }
            return [:]
        }
        return String(decoding: data, as: UTF8.self).split(separator: "\n").reduce(into: [:]) { ended, line in
            let words = line.split(separator: " ").map(String.init)
            guard words.count == 3, let until = Int64(words[1]) else { return }
            if words[2] == all {
                ended[words[0], default: Ended()].until = until
            } else {
                ended[words[0], default: Ended()].sessions[words[2]] = until
            }
        }
    }

    private static func digest(_ text: String) -> String {
        SHA256.hash(data: Data(text.utf8)).prefix(10).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
            .joined()
    }
}
