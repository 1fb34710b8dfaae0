import Alerts
import Console
import Foundation
import RankKit

/// What a command finds around it.
struct Surroundings {
    let environment = ProcessInfo.processInfo.environment
    let now = Timestamp(Date())

    var locations: FileLocations {
        FileLocations(environment: environment) { FileManager.default.fileExists(atPath: $0) }
    }

    /// Where large temporary files go.
    var temporaryFolder: String { environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/var/tmp" }

    /// The secrets as the service has them: for its watchlist also the credentials that systemd gave it.
    ///
    /// - Parameter path: of the watchlist.
    func secrets(besides path: String) -> AlertSecrets {
        var environment = environment
        let (variable, folder) = ("CREDENTIALS_DIRECTORY", FileLocations.machineCredentials)
        if environment[variable] == nil, path == FileLocations.machineWatchlist,
            FileManager.default.fileExists(atPath: folder)
        {
            environment[variable] = folder
        }
        return AlertSecrets(environment: environment, watchlist: path)
    }
}
