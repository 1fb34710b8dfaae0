import RankKit

/// Where a program finds its files when no flag names them: the environment, then systemd's folders, then an existing
/// file of the user's (XDG Base Directory Specification), then the machine's.
package struct FileLocations: Sendable {
    private let environment: [String: String]
    private let exists: @Sendable (String) -> Bool

    /// - Parameter exists: whether there is a file at a path.
    package init(environment: [String: String], exists: @escaping @Sendable (String) -> Bool) {
        self.environment = environment
        self.exists = exists
    }

    package func watchlist(flag: String?) -> String {
        locate(
            flag: flag, variable: "RANKD_WATCHLIST", systemd: "CONFIGURATION_DIRECTORY", name: "watchlist.json",
            user: userFolder("XDG_CONFIG_HOME", fallback: ".config"), machine: Self.machineConfiguration)
    }

    package func database(flag: String?) -> String {
        locate(
            flag: flag, variable: "RANKD_DATABASE", systemd: "STATE_DIRECTORY", name: "history.sqlite",
            user: userFolder("XDG_STATE_HOME", fallback: ".local/state"), machine: Self.machineFolder)
    }

    /// The files that are looked for, in order, where no flag names the watchlist.
    package var watchlistPlaces: [String] {
        let isChosen = value("RANKD_WATCHLIST") != nil || value("CONFIGURATION_DIRECTORY") != nil
        guard !isChosen, let ownWatchlist else { return [watchlist(flag: nil)] }
        return [ownWatchlist, Self.machineWatchlist]
    }

    /// Where a watchlist of the user's own is found without a flag; `nil` if nobody's home is known.
    package var ownWatchlist: String? {
        userFolder("XDG_CONFIG_HOME", fallback: ".config").map { $0 + "/watchlist.json" }
    }

    /// Where a history of the user's own is found without a flag; `nil` if nobody's home is known.
    package var ownDatabase: String? {
        userFolder("XDG_STATE_HOME", fallback: ".local/state").map { $0 + "/history.sqlite" }
    }

    /// Where the service of the machine keeps its history.
    package static let machineDatabase = machineFolder + "/history.sqlite"
    /// Where the service of the machine has its watchlist.
    package static let machineWatchlist = machineConfiguration + "/watchlist.json"
    /// Where systemd keeps the credentials of that service while it runs, for its user alone (systemd.exec(5),
    /// “Credentials”).
    package static let machineCredentials = "/run/credentials/rankd.service"
    private static let machineFolder = "/var/lib/rankd"
    private static let machineConfiguration = "/etc/rankd"

    private func locate(
        flag: String?, variable: String, systemd: String, name: String, user: String?, machine: String
    ) -> String {
        if let flag { return flag }
        if let path = value(variable) { return path }
        // systemd separates several folders with colons; the first is rankd's own.
        if let folder = value(systemd)?.split(separator: ":").first { return "\(folder)/\(name)" }
        if let user, exists("\(user)/\(name)") { return "\(user)/\(name)" }
        return "\(machine)/\(name)"
    }

    private func userFolder(_ variable: String, fallback: String) -> String? {
        if let folder = value(variable) { return "\(folder)/rankd" }
        return value("HOME").map { "\($0)/\(fallback)/rankd" }
    }

    /// An empty variable is as good as none.
    private func value(_ name: String) -> String? {
        environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}
