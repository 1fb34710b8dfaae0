import RankKit

/// What a status of Apple's means. This is the one place that reads the number; everything else knows `AppStore.Reply`.
///
/// | status | means | then |
/// |---|---|---|
/// | 200 | an answer | `AnswerReader` finds out whether it is whole; what is not whole is a failure |
/// | 403, 429 | Apple's throttle: too many requests came from this address, and no app has anything to do with it | no check is recorded; `Pace` stops the endpoint, as `EndpointHealth` says for how long; `TrackingPass` ends; the queries stay due |
/// | 400 with an `errorMessage` | the question itself is wrong | a failed check, not asked again in this pass |
/// | 500–599 | Apple is in trouble | asked up to three times by `Lane`, then a failed check |
/// | any other | nobody knows | a failed check |
enum HTTPStatus {
    static func reply(to exchange: HTTPExchange) -> AppStore.Reply {
        switch exchange.status {
        case 200:
            do { return .answered(try AnswerReader.list(from: exchange.body)) } catch { return .failed(error) }
        case 403, 429:
            return .throttled(
                status: exchange.status,
                retryAfter: exchange.retryAfter.flatMap { RetryAfter.seconds($0, sentAt: exchange.date) })
        case 400:
            if let message = AnswerReader.errorMessage(in: exchange.body) {
                return .failed(Failure(.rejected, message))
            }
            return .failed(Failure(.status, "status 400", isTransient: false))
        case let status:
            return .failed(Failure(.status, "status \(status)", isTransient: (500...599).contains(status)))
        }
    }
}

/// The `Retry-After` header (RFC 9110, section 10.2.3): seconds, or an HTTP date.
enum RetryAfter {
    /// Seconds, at least 1; `nil` if `value` is neither a number of seconds nor a date, or is not in the future. A
    /// number too large for 64 bits is as good as the largest.
    ///
    /// - Parameter sentAt: the response's own `Date`: the server's two moments are of one clock, ours is another.
    static func seconds(_ value: String, sentAt: String?) -> Int64? {
        let text = value.split(separator: " ").joined(separator: " ")
        if !text.isEmpty, text.utf8.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) {
            let seconds = Int64(text) ?? .max
            return seconds > 0 ? seconds : nil
        }
        guard let until = date(text), let sent = sentAt.flatMap(date), until > sent else { return nil }
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
