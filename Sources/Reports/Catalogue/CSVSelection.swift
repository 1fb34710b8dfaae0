import RankKit

/// Which columns of a report's CSV are wanted.
package enum CSVSelection: Sendable, Hashable {
    /// What people want to see, as the report declares it, and where a query was asked otherwise than is usual, how.
    case short
    /// Everything that the report knows: for programs.
    case all
    /// By their titles, in this order.
    case named([String])

    /// Reads `short`, `all`, or titles between commas; `nil` if there is no title.
    package init?(_ text: String) {
        switch text {
        case "short": self = .short
        case "all": self = .all
        default:
            let titles = text.split(separator: ",").map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
            guard !titles.isEmpty else { return nil }
            self = .named(titles.map(String.init))
        }
    }
}

extension CSVGrain {
    /// Where in the header the wanted columns stand.
    ///
    /// - Throws: `ReportRefusal` for a title that no column has.
    func places(of selection: CSVSelection, in header: [String]) throws(ReportRefusal) -> [Int] {
        let titles: [String] =
            switch selection {
            case .all: header
            case .short: short + header.dropFirst(self.header.count)
            case .named(let titles): titles
            }
        var places: [Int] = []
        for title in titles {
            guard let place = header.firstIndex(where: { $0.lowercased() == title.lowercased() }) else {
                throw .noColumn(title, known: header)
            }
            places.append(place)
        }
        return places
    }
}

/// The columns beside the short ones that tell lines apart: two lines that only the source or the language of their
/// query tells apart must not look the same.
struct TellingColumns {
    /// Where they stand in the header, and what most lines have there.
    private let usual: [(place: Int, text: String)]
    private(set) var places: Set<Int> = []

    init<Value>(of grain: CSVGrain<Value>) {
        usual = [("source", Source.usual.rawValue), ("language", "")].compactMap { title, text in
            guard !grain.short.contains(title), let place = grain.header.firstIndex(of: title) else { return nil }
            return (place, text)
        }
    }

    mutating func look(at line: [CSVWriter.Field]) {
        for (place, text) in usual where !places.contains(place) {
            let found = CSVWriter.plainText(of: line[place])
            if !found.isEmpty, found != text { places.insert(place) }
        }
    }
}
