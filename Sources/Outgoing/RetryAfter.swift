package import RankKit

/// The `Retry-After` header (RFC 9110, section 10.2.3): seconds, or an HTTP date.
package enum RetryAfter {
    /// Seconds, at least 1; `nil` if `value` is neither a number of seconds nor a date, or is not in the future. A
    /// number too large for 64 bits is as good as the largest.
    ///
    /// - Parameters:
    ///   - sentAt: the response's own `Date`: the server's two moments are of one clock, ours is another.
    ///   - receivedAt: taken for an answer without a `Date`.
    package static func seconds(_ value: String, sentAt: String?, receivedAt: Timestamp? = nil) -> Int64? {
        let text = value.split(separator: " ").joined(separator: " ")
        if !text.isEmpty, text.utf8.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) {
            let seconds = Int64(text) ?? .max
            return seconds > 0 ? seconds : nil
        }
        guard let until = date(text), let sent = sentAt.flatMap(date) ?? receivedAt, until > sent else { return nil }
        return until - sent
    }

    /// Reads `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7, IMF-fixdate).
    private static func date(_ text: String) -> Timestamp? {
        let parts = text.split(separator: " ")
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        guard parts.count == 6, parts[5] == "GMT", let month = months.firstIndex(of: String(parts[2])) else {
            return nil
        }
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        return Timestamp(iso8601: "\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z")
    }
}
