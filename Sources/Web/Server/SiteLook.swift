import RankKit

/// What the site's own pages look like: functions, so that the middleware knows nothing of pages.
struct SiteLook: Sendable {
    /// The page that says why there is no other.
    var page: @Sendable (Refusal) -> Answer
    /// The same for programs.
    var problem: @Sendable (Refusal, _ path: String) -> Answer
    /// Where people log in: whether it failed, in how many seconds another try is worth it, and where they wanted to go.
    var login: @Sendable (_ failed: Bool, _ wait: Int64?, _ next: String) -> Answer
    /// A link that was made, and until when it leads somewhere.
    var link: @Sendable (_ address: String, _ until: Timestamp) -> Answer
    /// The site's Content Security Policy.
    ///
    /// Source: Content Security Policy Level 3, W3C.
    var policy =
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; "
        + "base-uri 'none'; frame-ancestors 'none'"

    func isForPrograms(_ path: String) -> Bool { path.hasPrefix("/api/") || path == "/metrics" || path == "/events" }
}
