import History
import RankKit

extension DamagedLists {
    /// - Parameter naming: whether it is said of which query, where the report is of more than one.
    func words(naming: Bool) -> String {
        let name = naming ? "“\(query.text)” \(query.whereAsked): " : ""
        return name
            + (from == through
                ? "the list of \(CivilTime.minute(from)) is damaged and left out: rankctl verify"
                : "lists from \(CivilTime.minute(from)) to \(CivilTime.minute(through)) are damaged and left out: "
                    + "rankctl verify")
    }
}

extension [DamagedLists] {
    /// Those that are told one by one.
    private static var most: Int { 5 }

    /// A line each, for people.
    ///
    /// - Parameter naming: whether it is said of which queries.
    package func words(naming: Bool = true) -> [String] {
        prefix(Self.most).map { $0.words(naming: naming) }
            + (count > Self.most ? ["and \(count - Self.most) more such stretches of lists: rankctl verify"] : [])
    }
}

extension Document {
    mutating func damaged(_ lists: [DamagedLists], naming: Bool = true) {
        list(lists.words(naming: naming).map { StyledText($0, .caution) })
    }
}
