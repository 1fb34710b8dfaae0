import RankKit

/// The systemd unit that is to run the service, as systemd sees it.
package struct ServiceUnit: Sendable, Hashable {
    private let name: String
    /// `ActiveState`: active, activating, inactive, failed …
    private let state: String
    /// `UnitFileState`: enabled, disabled …
    private let setting: String

    /// What `systemctl show` is asked for.
    package static let properties = "LoadState,ActiveState,UnitFileState"

    /// - Parameter shown: what `systemctl show` wrote: a property a line.
    /// - Returns: `nil` if systemd has no such unit.
    package init?(_ name: String, shown: String) {
        var values: [Substring: Substring] = [:]
        for line in shown.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { values[parts[0]] = parts[1] }
        }
        guard values["LoadState"] == "loaded", let state = values["ActiveState"] else { return nil }
        self.name = name
        self.state = String(state)
        setting = values["UnitFileState"].map { String($0) } ?? ""
    }

    /// What is wrong with the unit if no rankd runs; `nil` if nobody wants it to run.
    var problem: String? {
        switch state {
        case "failed": "\(name) has failed, and journalctl -u \(name) says why"
        // Between two tries, while a start waits for the disk, or with other files than the usual.
        case "activating", "active", "reloading": "\(name) is \(state), but no rankd has the database open"
        default:
            setting.hasPrefix("enabled")
                ? "\(name) is enabled but not running: "
                    + ServiceAccount.ofThisMachine.asRoot("systemctl start \(name)") : nil
        }
    }
}
