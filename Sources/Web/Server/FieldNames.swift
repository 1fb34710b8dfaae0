import HTTPTypes

/// Fields that the library has no name for.
extension HTTPField.Name {
    /// Source: Fetch Metadata Request Headers (W3C).
    static let secFetchSite = known("Sec-Fetch-Site")
    static let secFetchMode = known("Sec-Fetch-Mode")
    static let secFetchDest = known("Sec-Fetch-Dest")
    /// Only the first is taken for the authority; whatever is still among the fields is another.
    static let host = known("Host")
    static let forwardedFor = known("X-Forwarded-For")
    static let referrerPolicy = known("Referrer-Policy")
    /// Source: Fetch Standard (WHATWG), "Cross-Origin-Resource-Policy header".
    static let resourcePolicy = known("Cross-Origin-Resource-Policy")
    static let openerPolicy = known("Cross-Origin-Opener-Policy")
    static let permissionsPolicy = known("Permissions-Policy")

    private static func known(_ text: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(text) else { preconditionFailure("\(text) is no name of a field") }
        return name
    }
}
