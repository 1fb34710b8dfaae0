import Console
import Foundation
import History

/// An open file that bytes go to. Ends the program where whoever reads has seen enough.
package struct OutputFile: Sendable {
    package let descriptor: Int32
    package let name: String

    package init(_ descriptor: Int32, _ name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    /// The file that people mean by a name; `nil` for `-`, which is the standard output.
    package static func file(named name: String) -> String? { name == "-" ? nil : name }

    package func write(_ bytes: [UInt8]) throws {
        var done = 0
        while done < bytes.count {
            let written = bytes.withUnsafeBytes {
                Foundation.write(descriptor, $0.baseAddress.map { $0 + done }, bytes.count - done)
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else {
                if errno == EPIPE { throw ExitStatus.fine }
                throw HistoryError.writing(errno: errno, path: name)
            }
            done += written
        }
    }
}
