import Crypto
import Foundation
import HTTPTypes

/// By what an answer is known to be the same as before.
///
/// Source: RFC 9110, 8.8.3 and 13.1.2. The tags are weak: the same answer may come compressed or not.
enum EntityTag {
    static func tag(_ identity: String) -> String {
        let digest = SHA256.hash(data: Data(identity.utf8)).prefix(15)
        return "W/\"\(Data(digest).base64EncodedString())\""
    }

    /// Whether `If-None-Match` says that the asker has it.
    static func isMatched(_ tag: String, by field: String?) -> Bool {
        guard let field else { return false }
        let wanted = tag.dropFirst(2)
        return field.split(separator: ",").contains { candidate in
            let text = candidate.trimmingPrefix(" ").trimmingPrefix("W/")
            return text == "*" || text.prefix(wanted.count) == wanted
        }
    }
}
