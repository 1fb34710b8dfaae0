package import History
package import RankKit

extension OneApp {
    /// What a watchlist that names it several times should do; names are escaped.
    package func warning(_ days: ZoneDays) -> String {
        "\(words(days)): name one of them"
    }

    /// “com.new is com.old since 2026-11-07”; names are escaped.
    package func words(_ days: ZoneDays) -> String {
        let names = former.map { SafeText.escaped($0.text) }.joined(separator: " and ")
        return "\(SafeText.escaped(present.text)) is \(names) since \(CivilTime.date(days.local(since)))"
    }
}
