import Algorithms
import Reports
import Synchronization

/// What a report says beside itself: a header, since its body is the command line's to the byte.
final class Remarks: Sendable {
    static let name = "Rankd-Remark"
    /// How many bytes the header may have.
    private static let most = 4096

    private let all = Mutex<[String]>([])

    func add(_ remark: String) { all.withLock { $0.append(remark) } }

    /// Each once, in the order in which they were made.
    var texts: [String] { all.withLock { Array($0.uniqued()) } }

    /// A list of Display Strings (RFC 9651, section 3.3.8), since remarks name apps and queries in any script; `nil` if
    /// there are none. What is too much is left out, from the end.
    var field: String? {
        var field = ""
        for remark in all.withLock({ $0 }) {
            let more = (field.isEmpty ? "" : ", ") + Self.displayString(remark.namingParameters())
            guard field.utf8.count + more.utf8.count <= Self.most else { break }
            field += more
        }
        return field.isEmpty ? nil : field
    }

    private static func displayString(_ text: String) -> String {
        let digits = Array("0123456789abcdef")
        var result = "%\""
        for byte in text.utf8 {
            let isPlain = (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "%") && byte != UInt8(ascii: "\"")
            if isPlain {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                result += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
        return result + "\""
    }
}
