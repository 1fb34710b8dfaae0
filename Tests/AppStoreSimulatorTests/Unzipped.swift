import Foundation

struct UnzipFailure: Error {}

/// Expands gzip with the system's own program, which shares nothing with the compressor under test.
func unzipped(_ bytes: [UInt8]) throws -> [UInt8] {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).gz")
    try Data(bytes).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["gzip", "-dc", file.path]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let expanded = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw UnzipFailure() }
    return Array(expanded)
}

/// How many bytes gzip expands to, without holding them.
func expandedSize(_ bytes: [UInt8]) throws -> Int {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).gz")
    try Data(bytes).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "gzip -dc \"$1\" | wc -c", "sh", file.path]
    let (output, complaints) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = complaints
    try process.run()
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    let complaint = try complaints.fileHandleForReading.readToEnd() ?? Data()
    guard complaint.isEmpty, let size = Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
        throw UnzipFailure()
    }
    return size
}
