/// The script of the site: every page works without it. Plain JavaScript for the browsers of today, in `Assets`.
enum SiteScript {
    /// Sorting and narrowing in place, stars, the search, and what is left behind; a line that reads off what a chart
    /// shows, by pointer and by key; what changes while a page is open.
    private static let files = [PackageResources.pages_js, PackageResources.charts_js, PackageResources.live_js]

    /// What a browser gets: without indentation, and without the lines that are for whoever reads the files.
    static let sent =
        files.map { String(decoding: $0, as: UTF8.self) }.joined().split(separator: "\n").map { $0.drop { $0 == " " } }
        .filter { !$0.hasPrefix("//") && !$0.hasPrefix("/**") }.joined(separator: "\n") + "\n"
}
