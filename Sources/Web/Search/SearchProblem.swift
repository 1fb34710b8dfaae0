import HTTPTypes
import RankKit

/// Why a search has no answer, as programs read it.
///
/// Source: RFC 9457, Problem Details for HTTP APIs.
enum SearchProblem {
    static func answer(
        _ status: HTTPResponse.Status, _ title: String, _ detail: String, fields: HTTPFields = HTTPFields()
    ) -> Answer {
        var fields = fields
        fields[.cacheControl] = "no-store"
        let body =
            #"{"type": "about:blank", "title": \#(JSONString.quoted(title)), "status": \#(status.code), "#
            + #""detail": \#(JSONString.quoted(detail))}"#
        return Answer(status, type: "application/problem+json", body, fields: fields)
    }
}
