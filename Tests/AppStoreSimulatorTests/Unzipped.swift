import Foundation
import TestSupport

struct UnzipFailure: Error {}

/// Expands gzip with the system's own program, which shares nothing with the compressor under test.
func unzipped(_ bytes: [UInt8]) throws -> [UInt8] {
    Array(try ShellCommand.output(["gzip", "-dc"], input: Data(bytes)))
}

/// How many bytes gzip expands to, without holding them.
func expandedSize(_ bytes: [UInt8]) throws -> Int {
    let script = "gzip -dc | wc -c"
    // A pipe tells of its last program alone.
    _ = try ShellCommand.output(["gzip", "-t"], input: Data(bytes))
    let text = String(decoding: try ShellCommand.output(["sh", "-c", script], input: Data(bytes)), as: UTF8.self)
    guard let size = Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) else { throw UnzipFailure() }
    return size
}
