import Alerts
import Console
import Foundation
import ReportCommands

extension Surroundings {
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
