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
}
