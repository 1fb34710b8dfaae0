import Foundation
import TestSupport
import Testing

/// A digest by the system's own tool: independent of what the product believes.
enum Base64Digest {
    static func sha256(_ bytes: [UInt8]) throws -> String {
        let text = String(decoding: try ShellCommand.output(["sha256sum"], input: Data(bytes)), as: UTF8.self)
        let hex = Array(try #require(text.split(separator: " ").first).utf8)
        let pairs = stride(from: 0, to: hex.count, by: 2).map { String(decoding: hex[$0..<$0 + 2], as: UTF8.self) }
        return Data(try pairs.map { try #require(UInt8($0, radix: 16)) }).base64EncodedString()
    }
}
