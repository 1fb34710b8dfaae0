/// A page in the place of one that cannot be shown.
enum ErrorPage {
    /// - Parameters:
    ///   - title: what it is, in a few words.
    ///   - words: what happened, to what, and what to do.
    static func html(title: String, words: String) -> String {
        """
        \(PageFrame.head(title))
        <body class="alone">
        <main id="main">
        <h1>\(PageParts.text(title))</h1>
        <p>\(PageParts.text(words))</p>
        <p><a href="/">Today</a></p>
        </main>
        </body>
        </html>

        """
    }
}
