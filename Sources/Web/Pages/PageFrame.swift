import Foundation
import RankKit
import Reports

/// What stands around every page.
struct PageFrame: Sendable {
    /// How rankd is.
    struct Service: Sendable, Hashable {
        /// `fine`, `degraded`, `down`.
        var word: String
        /// When it checked and will again, and before that what is wrong.
        var words: String

        /// It leads to the status.
        var line: String {
            "<a class=\"service \(word)\" href=\"/reports/status\">\(PageParts.text(words))</a>\n"
        }
    }

    var title: String
    /// The first heading; the title where it is `nil`.
    var heading: String?
    /// Before the heading, such as an icon: a part of the page.
    var ornament = ""
    /// Below the heading and not replaced with what changes: forms.
    var form = ""
    /// Sections, each with an identifier.
    var content: String
    /// The address of the page without what is asked for: its place in the menu is marked.
    var path: String
    var now: Timestamp?
    var zone: TimeZone?
    var service: Service?
    var canLogOut = false
    /// Whether rows can be kept on top.
    var hasStars = false
    /// Whether the page is replaced where the history changes.
    var isLive = true

    var html: String {
        """
        \(Self.head(title))
        <body\(isLive ? " data-live" : "")>
        <a class="skip" href="#main">Skip to the content</a>
        <header class="top">
        \(menu)\(status)</header>
        <main id="main" tabindex="-1">
        <div class="heading">\(ornament)<div><h1>\(PageParts.text(heading ?? title))</h1>\(asOf)</div></div>
        \(form)<div id="content"\(hasStars ? " data-stars" : "")>
        \(content)</div>
        </main>
        </body>
        </html>

        """
    }

    static func head(_ title: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="referrer" content="same-origin">
        <title>\(HTMLText.escaped(title)) · rankd</title>
        <link rel="stylesheet" href="\(SiteAssets.style.path)">
        <link rel="icon" href="\(SiteAssets.icon.path)" type="image/svg+xml">
        <link rel="apple-touch-icon" href="\(SiteAssets.homeIcon.path)">
        <link rel="manifest" href="\(SiteAssets.manifest.path)">
        <meta name="theme-color" content="\(SiteAssets.themeColor)">
        <script src="\(SiteAssets.script.path)" defer></script>
        </head>
        """
    }

    private var asOf: String {
        guard let now else { return "" }
        let days = zone.map { ZoneDays($0) } ?? .utc
        return "<p class=\"made\">as of <time datetime=\"\(CivilTime.iso8601(now))\">"
            + "\(HTMLText.escaped(DayNames.moment(now, in: days)))</time></p>"
    }

    private var menu: String {
        let groups = Self.groups.map { name, reports in
            let links = reports.map { report in
                "<li>\(item(PageAddress.report(report.about.name), report.about.title))</li>"
            }.joined()
            return "<li><span>\(name)</span><ul>\(links)</ul></li>"
        }.joined(separator: "\n")
        return """
            <nav aria-label="Pages of rankd">
            \(item("/", "Today"))
            \(item("/apps", "Apps"))
            \(item("/queries", "Queries"))
            \(item("/search", "Search"))
            <details class="menu"><summary\(isInMore ? " aria-current=\"true\"" : "")>More</summary><ul>
            \(groups)
            </ul></details>
            </nav>

            """
    }

    private var isInMore: Bool { path.hasPrefix("/reports/") }

    private func item(_ address: String, _ words: String) -> String {
        let isAbove = address != "/" && path.hasPrefix(address + "/")
        let current = address == path ? " aria-current=\"page\"" : isAbove ? " aria-current=\"true\"" : ""
        return "<a href=\"\(address)\"\(current)>\(HTMLText.escaped(words))</a>"
    }

    /// The reports by what they have to be told before they can be made.
    static let groups: [(name: String, reports: [any ReportRequest.Type])] = [
        ("All pairs", ReportCatalogue.reports.filter { !$0.about.isTopLevel && required($0).isEmpty }),
        ("One query", ReportCatalogue.reports.filter { required($0).contains("query") }),
        (
            "One app",
            ReportCatalogue.reports.filter { !required($0).isEmpty && !required($0).contains("query") }
        ),
        ("rankd", ReportCatalogue.reports.filter { $0.about.isTopLevel && required($0).isEmpty }),
    ]

    private static func required(_ report: any ReportRequest.Type) -> [String] {
        report.options.filter(\.isRequired).map(\.name)
    }

    private var status: String {
        let logOut = "<form method=\"post\" action=\"/logout\"><button>Log out</button></form>\n"
        return "<p id=\"progress\" role=\"status\"></p>\n\(service?.line ?? "")\(canLogOut ? logOut : "")"
    }
}
