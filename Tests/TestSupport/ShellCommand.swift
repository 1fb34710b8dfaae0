package import Foundation

/// A program of the system's, run to its end.
///
/// Not by Foundation's `Process`: where many descriptors are open it can read beyond the end of what the system says of
/// them, and crash.
package enum ShellCommand {
    package struct Failed: Error {
        let command: String
        let status: Int32
    }

    /// What the program writes to stdout; what it writes to stderr is dropped.
    ///
    /// - Parameter arguments: the program first.
    /// - Throws: `Failed` where it ends with anything but 0, or cannot be found.
    package static func output(_ arguments: [String], input: Data? = nil) throws -> Data {
        let folder = try TemporaryFolder()
        var command = arguments.map(quoted).joined(separator: " ") + " 2>/dev/null"
        if let input {
            try input.write(to: URL(fileURLWithPath: folder.file("input")))
            command += " <" + quoted(folder.file("input"))
        }
        #if os(Linux)
            let mode = "re"
        #else
            let mode = "r"
        #endif
        guard let stream = popen(command, mode) else { throw Failed(command: command, status: -1) }
        var output = Data()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&buffer, 1, buffer.count, stream), count > 0 { output += buffer[..<count] }
        let status = pclose(stream)
        guard status == 0 else { throw Failed(command: command, status: status) }
        return output
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("'", with: "'\\''") + "'"
    }
}
