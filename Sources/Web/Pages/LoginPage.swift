import Reports

/// Where a visitor without a session is asked for the password.
enum LoginPage {
    /// - Parameters:
    ///   - failed: whether a password was just refused.
    ///   - secondsToWait: how long none is looked at, after several were; `nil` if the next one is.
    ///   - next: the address that was asked for, within this site.
    static func html(failed: Bool, secondsToWait: Int? = nil, next: String) -> String {
        let words =
            secondsToWait.map { "Too many wrong passwords. Try again in \(Figures.counted($0, "second"))." }
            ?? (failed ? "That is not the password." : nil)
        let said = words.map { "<p class=\"refusal\" role=\"alert\" id=\"why\">\(PageParts.text($0))</p>\n" } ?? ""
        return """
            \(PageFrame.head("Log in"))
            <body class="alone">
            <main id="main">
            <h1>rankd</h1>
            \(said)<form class="options" method="post" action="/login">
            <input type="hidden" name="next" value="\(PageParts.attribute(next))">
            <div class="fields"><div class="wide"><label for="password">Password</label><input id="password" \
            type="password" name="password" autocomplete="current-password" required \
            autofocus\(words == nil ? "" : " aria-describedby=\"why\" aria-invalid=\"true\"")></div></div>
            <button>Log in</button>
            </form>
            </main>
            </body>
            </html>

            """
    }
}
