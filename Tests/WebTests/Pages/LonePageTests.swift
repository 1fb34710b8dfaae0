import History
import Testing

@testable import Web

@Suite struct LonePageTests {
    @Test func `the log-in page keeps where to go, and says what went wrong`() {
        let page = LoginPage.html(failed: false, next: "/?app=\"><script>")
        #expect(page.contains("name=\"next\" value=\"/?app=&quot;&gt;&lt;script&gt;\""))
        #expect(!page.contains("role=\"alert\""))
        #expect(LoginPage.html(failed: true, next: "/").contains("That is not the password."))
        #expect(LoginPage.html(failed: true, secondsToWait: 30, next: "/").contains("Try again in 30 seconds."))
    }

    @Test func `a history that cannot be read is told without the file's path`() {
        let errors: [HistoryError] = [
            .missing(path: "/secret/x"), .newer(path: "/secret/x", version: 99, understood: 8),
            .corrupt(path: "/secret/x", what: "/secret/y"),
        ]
        let pages = errors.compactMap { Refusal(historyOf: $0) }.map {
            ErrorPage.html(title: $0.title, words: $0.detail)
        }
        #expect(pages.allSatisfy { !$0.contains("secret") })
        #expect(pages[0].contains("No history yet") && pages[1].contains("A newer history"))
    }
}
