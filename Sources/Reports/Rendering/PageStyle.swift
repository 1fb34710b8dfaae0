/// The look of every page, and what lets a browser use it and nothing else.
package enum PageStyle {
    /// Text has a contrast of at least 4.5 to 1 on its ground in both schemes (WCAG 2.2, 1.4.3).
    package static let css = String(decoding: PackageResources.page_css, as: UTF8.self)

    /// The SHA-256 of `css` in base 64: what the page's policy knows its style by. A test recomputes it.
    static let digest = "Y6KbJjrEpem2YyX7f3+tLnXolwtXpStVOeMxEQokCyo="

    /// Source: Content Security Policy Level 3, W3C.
    package static let policy =
        "default-src 'none'; style-src 'sha256-\(digest)'; base-uri 'none'; form-action 'none'"
}
