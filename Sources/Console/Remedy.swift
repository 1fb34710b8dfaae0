import Foundation
package import History
package import RankKit
import Reports

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What to do about something on this machine. A remedy names a service, a group or a command only if it is here.
package enum Remedy {
    private static let unitFolders = ["/etc/systemd/system", "/lib/systemd/system", "/usr/lib/systemd/system"]

    /// How a rankd that runs comes to read the watchlist at `path` again: a clause without a full stop.
    package static func reload(_ path: String) -> String {
        isOfService(path)
            ? "reload rankd: \(ServiceAccount.ofThisMachine.asRoot("systemctl reload rankd"))"
            : "reload rankd if it runs: kill -HUP PID; rankd --once needs nothing"
    }

    /// Whether the service of this machine's package reads the watchlist at `path`.
    package static func isOfService(_ path: String) -> Bool {
        func resolved(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }
        let files = FileManager.default
        // Source: sd_booted(3).
        return resolved(path) == resolved(FileLocations.machineWatchlist)
            && files.fileExists(atPath: "/run/systemd/system")
            && unitFolders.contains { files.fileExists(atPath: $0 + "/rankd.service") }
    }

    /// What lets this user read the history at `path`, which the system refused; `nil` if nothing is known that would.
    ///
    /// - Parameter group: which may read the package's history.
    package static func reading(_ path: String, group: String = ServiceAccount.name) -> String? {
        guard let known = getgrnam(group), let user = getpwuid(geteuid()) else { return nil }
        let (number, name) = (known.pointee.gr_gid, String(cString: user.pointee.pw_name))
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard [path, folder].contains(where: { Self.owningGroup($0) == number }) else { return nil }
        if isMember(known, name) { return "you are in group \(group), but not since you logged in: log in again" }
        let isDebian = FileManager.default.fileExists(atPath: "/usr/sbin/adduser")
        let command = isDebian ? "adduser \(name) \(group)" : "usermod --append --groups \(group) \(name)"
        return "you are not in group \(group): \(ServiceAccount.ofThisMachine.asRoot(command)), then log in again"
    }

    /// The same of a watchlist. Of one that was looked for in its usual places and is in none, it names all of these.
    package static func words(_ failure: WatchlistFile.Failure, _ locations: FileLocations) -> String {
        guard case .missing(let path) = failure else { return failure.description }
        let places = locations.watchlistPlaces
        guard places.count > 1, places.last == path else { return failure.description }
        return
            "there is no watchlist at \(places.joined(separator: " or ")): no such file; name one with --watchlist FILE, "
            + "or make one with “rankctl init”"
    }

    private static func owningGroup(_ path: String) -> gid_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_gid : nil
    }

    private static func isMember(_ group: UnsafeMutablePointer<group>, _ name: String) -> Bool {
        guard var member = group.pointee.gr_mem else { return false }
        while let text = member.pointee {
            if String(cString: text) == name { return true }
            member += 1
        }
        return false
    }

    /// What happened, and what to do about it on this machine. Commands repeat the history that was named
    /// (`AskedOptions`).
    package static func words(_ error: HistoryError) -> String {
        guard case .notPermitted(let path) = error, let remedy = reading(path) else {
            return error.words(naming: ReportAudience.command)
        }
        return "not permitted to open \(path): \(remedy)"
    }
}
