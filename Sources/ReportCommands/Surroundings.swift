package import Console
import Foundation
package import RankKit

/// What a command finds around it.
package struct Surroundings {
    package let environment = ProcessInfo.processInfo.environment
    package let now = Timestamp(Date())

    package init() {}

    package var locations: FileLocations {
        FileLocations(environment: environment) { FileManager.default.fileExists(atPath: $0) }
    }

    /// Where large temporary files go.
    package var temporaryFolder: String { environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/var/tmp" }
}
