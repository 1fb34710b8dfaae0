/// Which addresses a channel connects to: those of the public Internet, this machine's where it is named as such, and
/// private ones of the hosts that the watchlist names.
package struct PrivateHosts: Sendable, Hashable {
    private let hosts: Set<String>

    /// - Parameter hosts: names in any case, or addresses without brackets.
    package init(_ hosts: some Sequence<String>) {
        self.hosts = Set(hosts.map { AlertAddress.host($0) ?? $0.lowercased() })
    }

    /// Whether `host` may be connected to at `address`, one of its own.
    ///
    /// - Parameter host: as `AlertAddress.host` spells it.
    package func admits(_ address: IPAddress, of host: String) -> Bool {
        if host == "localhost" || IPAddress(host)?.isLoopback == true { return address.isLoopback }
        return hosts.contains(host) ? address.isMachine : address.isPublic
    }
}
