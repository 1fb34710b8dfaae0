import Foundation
package import RankKit

/// Another tool's table of how often people search for what, such as Apple Ads': its columns found by name.
package struct PopularityTable: Sendable {
    /// 0–100 by country, by search text as `Query.fold` has it.
    package private(set) var figures: [String: [Country: Double]] = [:]

    private enum Column: String, CaseIterable {
        case query, popularity, country

        /// The spellings that tools use, without all that is no letter or digit. A volume or a traffic is another figure,
        /// even where it happens to be below 100.
        var names: Set<String> {
            switch self {
            case .query: ["query", "keyword", "keywords", "searchterm", "searchterms", "term", "search", "phrase"]
            case .popularity:
                [
                    "popularity", "searchpopularity", "searchpopularity1100", "searchpopularity5100", "popularityscore",
                    "popularityindex", "searchtermpopularity",
                ]
            case .country:
                [
                    "country", "countrycode", "countryorregion", "countriesorregions", "storefront", "market", "region",
                    "territory", "store",
                ]
            }
        }
    }

    /// Lines that a tool may put above its header.
    private static let mostLinesAbove = 20
    /// What tools write where they have no figure.
    private static let none: Set<String> = ["", "-", "–", "—", "n/a", "na", "null", "none"]

    /// Reads the table at `path`.
    ///
    /// - Parameters:
    ///   - country: of rows without one.
    ///   - query: the name of the column of the search texts, if no usual name.
    ///   - popularity: the name of the column of the figures, if no usual name.
    /// - Throws: `ImportRefusal` with the line that cannot be made sense of; `ImportMissing`.
    package init(_ path: String, country: Country? = nil, query: String? = nil, popularity: String? = nil) throws {
        func refusal(_ line: Int?, _ problem: String, _ remedy: String) -> ImportRefusal {
            ImportRefusal(file: path, line: line, problem: problem, remedy: remedy)
        }
        var reader = try CSVReader(path)
        let own: [Column: String] = [Column.query: query, Column.popularity: popularity].compactMapValues { $0 }
        var header = reader.header
        var columns = try Self.columns(in: header, own, path, 1)
        for _ in 0..<Self.mostLinesAbove where columns[.query] == nil || columns[.popularity] == nil {
            guard let record = try reader.record() else { break }
            let found = try Self.columns(in: record, own, path, reader.number)
            if found.count >= columns.count { (columns, header) = (found, record) }
        }
        for column in [Column.query, .popularity] where columns[column] == nil {
            throw refusal(
                nil, "there is no column for the \(column.rawValue); there are \(header.joined(separator: ", "))",
                "name it with --\(column.rawValue)-column")
        }
        guard columns[.country] != nil || country != nil else {
            throw refusal(nil, "there is no column for the country", "add --country, such as --country us")
        }
        var lines: [String: [Country: Int]] = [:]
        while let record = try reader.record() {
            let line = reader.number
            guard record.count == header.count else {
                throw refusal(
                    line, "has \(record.count) fields, the header \(header.count)",
                    "put fields that hold the separator in quotes")
            }
            func cell(_ column: Column) -> String {
                columns[column].map { record[$0].trimmingCharacters(in: .whitespaces) } ?? ""
            }
            let (text, figure) = (cell(.query), cell(.popularity))
            let folded = Query.fold(text)
            guard !folded.isEmpty, !Self.none.contains(figure.lowercased()) else { continue }
            guard let value = Self.number(figure), WatchlistLimits.popularity.contains(value) else {
                throw refusal(
                    line, "“\(figure)” is no popularity from 0 to 100",
                    "name the column that has one with --popularity-column")
            }
            guard let place = try Self.country(cell(.country), line, path) ?? country else {
                throw refusal(line, "there is no country", "add --country, such as --country us")
            }
            if let known = figures[folded]?[place], known != value, let first = lines[folded]?[place] {
                throw refusal(
                    line, "“\(text)” has another popularity in \(place) than in line \(first)", "leave one of them out")
            }
            figures[folded, default: [:]][place] = value
            lines[folded, default: [:]][place] = line
        }
    }

    /// - Parameter own: names that the caller gives, which no usual name stands beside.
    private static func columns(
        in header: [String], _ own: [Column: String], _ path: String, _ line: Int
    ) throws -> [Column: Int] {
        var columns: [Column: Int] = [:]
        for (index, name) in header.enumerated() {
            let plain = Self.plain(name)
            let column = Column.allCases.first { column in
                own[column].map { Self.plain($0) == plain } ?? column.names.contains(plain)
            }
            guard let column else { continue }
            guard columns[column] == nil else {
                let first = header[columns[column] ?? 0]
                throw ImportRefusal(
                    file: path, line: line, problem: "“\(first)” and “\(name)” both name the \(column.rawValue)",
                    remedy: column == .country
                        ? "leave one of the columns out" : "choose with --\(column.rawValue)-column")
            }
            columns[column] = index
        }
        return columns
    }

    /// A comma before one or two digits at the end is a decimal mark. Elsewhere it groups thousands, and those are no
    /// popularity: 1,200 is not 1.2.
    private static func number(_ text: String) -> Double? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return parts.count == 1 ? Double(text) : nil }
        guard (1...2).contains(parts[1].utf8.count) else { return nil }
        return Double(parts.joined(separator: "."))
    }

    private static func plain(_ name: String) -> String {
        String(name.lowercased().filter { $0.isLetter || $0.isNumber })
    }

    /// By its code as people write it, or its name in English.
    private static func country(_ text: String, _ line: Int, _ path: String) throws -> Country? {
        if text.isEmpty { return nil }
        if let country = Country(written: text) ?? byName[text.lowercased()] { return country }
        throw ImportRefusal(
            file: path, line: line, problem: "no country with an App Store is called “\(text)”",
            remedy: "write its two letters, such as us, gb or de")
    }

    private static let byName: [String: Country] = {
        let english = Locale(identifier: "en_US")
        let named = Country.codes.compactMap { code -> (String, Country)? in
            guard let country = Country(code: code),
                let name = english.localizedString(forRegionCode: code.uppercased())
            else { return nil }
            return (name.lowercased(), country)
        }
        return Dictionary(named, uniquingKeysWith: { first, _ in first })
    }()
}
