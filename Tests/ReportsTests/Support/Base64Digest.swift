import Foundation
import Testing

/// A digest by the system's own tool: independent of what the product believes.
enum Base64Digest {
    static func sha256(_ bytes: [UInt8]) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("digest-\(UUID().uuidString)")
        try Data(bytes).write(to: folder)
        defer { unlink(folder.path) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/sha256sum")
        process.arguments = [folder.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let hex = Array(try #require(text.split(separator: " ").first).utf8)
        let pairs = stride(from: 0, to: hex.count, by: 2).map { String(decoding: hex[$0..<$0 + 2], as: UTF8.self) }
        return Data(try pairs.map { try #require(UInt8($0, radix: 16)) }).base64EncodedString()
    }
}
