/// The ways in which an answer of the store can go wrong; the raw values are what `--fault` takes.
package enum Fault: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// The store's throttle: an empty body, no `Retry-After`.
    case forbidden = "403"
    case tooManyRequests = "429"
    case serverError = "500"
    case unavailable = "503"
    /// An `errorMessage` in place of results.
    case badRequest = "400"
    /// The connection is reset before any byte of the answer.
    case reset
    /// Half of the body that `Content-Length` promises, then the end of the connection.
    case short
    /// Nothing at all for ten minutes, then the answer.
    case slowHead = "slow-head"
    /// The head at once, then one byte a second.
    case slowBody = "slow-body"
    /// A chunked body without end.
    case endless
    /// 100 MB of white space before an empty list.
    case big
    /// A gzip body of 1 MB that expands to 1 GiB, whether or not the client accepts gzip.
    case bomb
    /// The first half of a gzip body, its length correctly given.
    case truncatedGzip = "truncated-gzip"
    /// Plain text that claims to be gzip.
    case wrongEncoding = "wrong-encoding"
    /// 302 to a path of the simulator's own, where a follower is counted under `other`.
    case redirect
    /// 200 with a page in place of JSON.
    case html
    case emptyBody = "empty-body"
    /// The first half of the body, its length correctly given.
    case truncatedJSON = "truncated-json"
    /// The JSON value `null`.
    case null
    /// 100,000 arrays, one in another.
    case deep
    /// Bytes that are not UTF-8, in the first name of the list.
    case badUTF8 = "bad-utf8"
    /// `resultCount` says one more than the list holds.
    case countMismatch = "count-mismatch"
    /// Well-formed, with `resultCount` and without `results`.
    case noResults = "no-results"
    /// The entry in the middle cannot be read; it holds its place. An empty list stays as it is.
    case badEntry = "bad-entry"
    /// Well-formed, with no entries.
    case emptyList = "empty-list"
    /// Well-formed, with the first tenth of the entries, rounded up.
    case shortList = "short-list"

    package var description: String { rawValue }
}
