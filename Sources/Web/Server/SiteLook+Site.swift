import HTTPTypes
import RankKit

extension SiteLook {
    /// The site's own.
    static let site = SiteLook(
        page: { html($0.status, ErrorPage.html(title: $0.title, words: $0.detail)) },
        problem: { refusal, path in
            guard let kind = refusal.kind ?? Problem.Kind(refusal.status) else {
                return Answer(
                    refusal.status, type: "text/plain; charset=utf-8", "\(refusal.title): \(refusal.detail)\n")
            }
            return Problem(kind, refusal.detail, instance: path).answer
        },
        login: { failed, wait, next in
            html(.ok, LoginPage.html(failed: failed, secondsToWait: wait.map { Int($0) }, next: next))
        },
        link: { address, until in html(.ok, LinkPage.html(address: address, until: until)) })

    private static func html(_ status: HTTPResponse.Status, _ text: String) -> Answer {
        Answer(status, type: "text/html; charset=utf-8", text)
    }
}
