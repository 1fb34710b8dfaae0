/// What the pages of the site look like beside what they share with a report's own page (`PageStyle`).
enum SiteStyle {
    /// Text has a contrast of at least 4.5 to 1 on its ground in both schemes, and what can be pressed one of 3 to 1
    /// (WCAG 2.2, 1.4.3 and 1.4.11).
    static let css = String(decoding: PackageResources.site_css, as: UTF8.self)

    /// Four bars, the last one the highest: a place that got better.
    static let icon = String(decoding: PackageResources.icon_svg, as: UTF8.self)
    /// The same as pixels, as wide as their names say. They are made of it by `script/icons`.
    static let icon180 = PackageResources.icon_180_png
    static let icon192 = PackageResources.icon_192_png
    static let icon512 = PackageResources.icon_512_png
}
