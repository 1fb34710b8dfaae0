import RankKit

/// A link that was made for somebody without a password.
enum LinkPage {
    static func html(address: String, until: Timestamp) -> String {
        """
        \(PageFrame.head("A link to this report"))
        <body class="alone">
        <main id="main">
        <h1>A link to this report</h1>
        <p>Everybody who has this link can read this one report without a password until \
        \(PageParts.text(until.description)). It shows nothing else.</p>
        <p><label for="link">Copy it:</label> <input id="link" type="text" readonly value="\(PageParts.attribute(address))"></p>
        <p><a href="\(PageParts.attribute(address))">Look at it</a></p>
        </main>
        </body>
        </html>

        """
    }
}
