import Console
import Foundation
import History
import RankKit
import ReportCommands

/// Where a first watchlist goes, and what comes next there.
struct InitPlace: Sendable {
    let path: String
    /// The folders to make with it, which are the user's own and may be missing.
    private let folders: [String]
    /// What `rankd` and `rankctl` have to be told to find it; empty if they look there.
    private let flags: String
    /// The same of the history.
    private let databaseFlags: String
    /// The same of another store than Apple's.
    private let storeFlags: String

    /// - Parameters:
    ///   - flag: the watchlist that was asked for.
    ///   - store: the store that was asked for.
    init(flag: String?, database: String?, store: String?, _ surroundings: Surroundings) {
        storeFlags = store.map { " --search-url \(Self.quoted($0))" } ?? ""
        func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
        let locations = surroundings.locations
        let usual = locations.watchlist(flag: nil)
        let usualDatabase = locations.database(flag: nil)
        let wanted: String
        if flag == nil, usual == FileLocations.machineWatchlist, !isThere(Self.folder(usual)),
            let own = locations.ownWatchlist, let ownDatabase = locations.ownDatabase
        {
            // Without the package nothing is at the machine's place. The user's own is found without a flag as well.
            path = own
            wanted = database ?? (isThere(Self.folder(usualDatabase)) ? usualDatabase : ownDatabase)
            folders = [own, wanted == ownDatabase ? ownDatabase : nil].compactMap { $0.map(Self.folder) }
            flags = ""
        } else {
            path = flag ?? usual
            let beside = (path as NSString).deletingLastPathComponent
            let isUsual = path == usual && isThere(Self.folder(usualDatabase))
            wanted = database ?? (isUsual ? usualDatabase : (beside.isEmpty ? "" : beside + "/") + "history.sqlite")
            folders = []
            flags = path == usual ? "" : " --watchlist \(Self.quoted(path))"
        }
        databaseFlags = wanted == usualDatabase ? "" : " --database \(Self.quoted(wanted))"
    }

    private static func folder(_ path: String) -> String {
        URL(fileURLWithPath: path).deletingLastPathComponent().path
    }

    /// Finds out early what would keep the file from being written.
    ///
    /// - Throws: `ExitStatus`, after saying so.
    func check() throws {
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            throw refusal("\(path) is a folder: name a file in it with --watchlist", .data)
        }
        if lstat(path, &status) == 0 { throw refusal(Self.exists(path), .data) }
        guard folders.isEmpty else { return }
        let folder = Self.folder(path)
        guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw refusal(
                "there is no folder \(folder): make it first, or name another file with --watchlist", .noInput)
        }
        guard access(folder, W_OK | X_OK) == 0 else {
            let isMachines = path == FileLocations.machineWatchlist && geteuid() != 0
            let remedy = isMachines ? ServiceAccount.ofThisMachine.asRoot("rankctl init") + ", or " : ""
            throw refusal("you may not write in \(folder): \(remedy)name another file with --watchlist", .ioError)
        }
    }

    /// Writes the file, which must not be there yet.
    ///
    /// - Throws: `ExitStatus`, after saying so, or what the system refused.
    func write(_ bytes: [UInt8]) throws {
        for folder in folders {
            do {
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            } catch {
                throw refusal("the folder \(folder) could not be made; name another file with --watchlist", .ioError)
            }
        }
        do {
            let file = try UnfinishedFile(path, replaces: false, option: "--watchlist")
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Foundation.write(file.descriptor, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    throw refusal(
                        "\(path) could not be written: \(String(cString: strerror(errno))); nothing was left of it",
                        .ioError)
                }
                rest = rest.dropFirst(count)
            }
            // The service runs as a user of its own, and nothing in a watchlist is secret.
            if path == FileLocations.machineWatchlist { _ = fchmod(file.descriptor, 0o644) }
            try file.finish()
        } catch FileRefusal.exists {
            throw refusal(Self.exists(path), .data)
        }
    }

    /// What the file is called in its folder, as a shell takes it.
    var name: String { Self.quoted((path as NSString).lastPathComponent) }

    /// The commands to type next, in their order.
    var next: [String] {
        if Remedy.isOfService(path) {
            return [
                ServiceAccount.ofThisMachine.asRoot("systemctl enable --now rankd"), "rankctl status", "rankctl report",
            ]
        }
        return ["rankd --once\(flags)\(databaseFlags)\(storeFlags)", "rankctl report\(databaseFlags)"]
    }

    private static func exists(_ path: String) -> String {
        "\(path) already exists and was left unchanged: rankctl watch add adds to it; or name another file with --watchlist"
    }

    private func refusal(_ words: String, _ status: ExitStatus) -> any Error {
        Terminal.say(SafeText.escaped(words))
        return status
    }

    /// As a shell takes it.
    private static func quoted(_ path: String) -> String {
        let isPlain = path.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "/._-+,@%:".utf8.contains(byte)
        }
        return isPlain && !path.isEmpty ? path : "'" + path.replacing("'", with: "'\\''") + "'"
    }
}
