import Testing

@testable import Web

/// What of the script's behaviour can be told from its text; `Tests/Browser/browse.py` tries the rest.
@Suite struct SiteScriptTests {
    private let script = SiteScript.sent

    @Test func `a search waits until a person has stopped typing, and one that has to wait counts down`() throws {
        let pause = try #require(script.firstMatch(of: /thinking = (\d+)/)).output.1
        // Slow typists press a key a second.
        #expect(try #require(Int(pause)) > 1_000)
        #expect(script.contains("setTimeout(() => ask(form), thinking)"))
        #expect(script.contains("answer.headers.get(\"Retry-After\")") && script.contains("countDown(form, "))
    }

    @Test func `a chart is read by touch, and says of an app outside its places that it is not in the first of them`() {
        #expect(script.contains("addEventListener(\"pointerdown\", readAt)"))
        #expect(script.contains("not in the first ${of}") && !script.contains("not among"))
        #expect(SiteStyle.css.contains("svg.chart { touch-action: pan-y; }"))
    }

    @Test func `a row of another page is put under the headings of this one, cell by cell`() {
        #expect(script.contains("to.map(name => cells.get(name) ?? document.createElement(\"td\"))"))
    }

    @Test func `what is looked at is never found by its place in another order of the rows`() {
        #expect(!script.contains("stops(fresh)[place]"))
        #expect(script.contains("one.closest(\"thead, .pager\")"))
    }

    @Test func `a table that is wider than a phone ends between two columns`() {
        #expect(script.contains("region.style.maxWidth = Math.ceil(Math.max(...ends))"))
        #expect(script.contains("addEventListener(\"resize\", () => all(\".scroll\").forEach(fit))"))
    }
}
