/// What became of one try to deliver a message.
///
/// Each `why` is a short text of rankd's own. It holds no secret, and nothing of an address but its host.
package enum DeliveryAnswer: Sendable, Hashable {
    /// Whoever is asked has taken the message.
    case delivered
    /// It may be taken later: not before `after` seconds if that is not `nil`.
    case retry(after: Int64?, why: String)
    /// The same of an answer that may be about this message alone: others may be taken meanwhile.
    case declined(after: Int64?, why: String)
    /// It will not be taken, however often it is sent.
    case refused(why: String)
    /// HTTP 410: nobody is there any more, for this message or for another.
    case gone
}
