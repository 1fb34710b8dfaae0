import Console
import Foundation
package import Reports

extension ServiceUnit {
    /// The unit that is to write the history at `path`: that of the package, for the history where the package has it.
    ///
    /// - Returns: `nil` if the history is another, or no systemd runs here, or it has no such unit or does not answer.
    package static func writing(_ path: String) -> ServiceUnit? {
        func resolved(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }
        // Source: sd_booted(3).
        guard resolved(path) == resolved(FileLocations.machineDatabase),
            FileManager.default.fileExists(atPath: "/run/systemd/system")
        else { return nil }
        let program = Process()
        program.executableURL = URL(fileURLWithPath: "/usr/bin/systemctl")
        program.arguments = ["show", name, "--property=\(properties)"]
        let output = Pipe()
        program.standardOutput = output
        program.standardError = FileHandle.nullDevice
        do {
            try program.run()
            let shown = try output.fileHandleForReading.readToEnd() ?? Data()
            program.waitUntilExit()
            return ServiceUnit(name, shown: String(decoding: shown, as: UTF8.self))
        } catch {
            // Without an answer of systemd the file alone is judged.
            return nil
        }
    }

    private static let name = "rankd.service"
}
