import Outgoing
import RankKit

/// What a status of Apple's means. This is the one place that reads the number; everything else knows `AppStore.Reply`.
///
/// | status | means | then |
/// |---|---|---|
/// | 200 | an answer | `AnswerReader` or `WebStorePage` finds out whether it is whole; what is not whole is a failure |
/// | 403, 429 | Apple's throttle: too many requests came from this address, and no app has anything to do with it | no check is recorded; `Pace` stops the endpoint, as `EndpointHealth` says for how long; `TrackingPass` ends; the queries stay due |
/// | 400 with an `errorMessage` | the question itself is wrong | a failed check, not asked again in this pass |
/// | 500–599 | Apple is in trouble | asked up to three times by `Lane`, then a failed check; after 75 in a row `Pace` stops the endpoint |
/// | any other | nobody knows | a failed check |
enum HTTPStatus {
    static func reply(_ exchange: HTTPExchange, to request: StoreRequest) -> AppStore.Reply {
        switch exchange.status {
        case 200:
            do { return .answered(try request.list(from: exchange.body)) } catch { return .failed(error) }
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

extension StoreRequest {
    /// How it is asked.
    var manner: HTTPExchange.Manner { source == .web ? .webStore : .api }

    /// The list of its answer.
    ///
    /// - Throws: as `AnswerReader.list` and `WebStorePage.list`.
    fileprivate func list(from body: [UInt8]) throws(Failure) -> ResultList {
        switch self {
        case .search(let query) where query.source == .web: try WebStorePage.list(from: body, for: query)
        case .search, .lookup: try AnswerReader.list(from: body)
        }
    }
}
