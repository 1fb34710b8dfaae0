package import Foundation
package import RankKit

/// How another tool's table is to be read.
package struct ForeignTableOptions: Sendable {
    /// The tool, by which its rows are told apart from Apple's checks: `import:NAME` is their source.
    package var name: String
    /// What stands for an absence, in lower case; the empty text is an empty cell.
    package var absent: Set<String>
    /// How many places the tool looked at.
    package var within: Int?
    package var country: Country?
    package var platform: Platform
    package var timeZone: TimeZone
    /// The app of all rows, for tables without one.
    package var app: BundleID?

    package init(
        name: String, absent: Set<String> = [], within: Int? = nil, country: Country? = nil,
        platform: Platform = .iphone, timeZone: TimeZone = .gmt, app: BundleID? = nil
    ) {
        self.name = name
        self.absent = absent
        self.within = within
        self.country = country
        self.platform = platform
        self.timeZone = timeZone
        self.app = app
    }

    package static let largestDepth = 1_000

    var source: Source { .imported(name) }

    /// Reads `0,999,">200",empty`.
    package static func marks(_ text: String) -> Set<String> {
        Set(
            text.split(separator: ",", omittingEmptySubsequences: true).map { mark in
                let plain = mark.trimmingCharacters(in: .whitespaces).trimmingCharacters(in: ["\"", "'"]).lowercased()
                return plain == "empty" ? "" : plain
            })
    }
}

/// Another tool's table: its columns found by name, its rows made sense of.
struct ForeignTable {
    struct Row {
        enum App: Hashable {
            case bundle(BundleID)
            case number(Int64)
        }
        let line: Int
        let at: Timestamp
        let query: String
        let country: Country
        let platform: Platform
        let app: App
        /// `nil` for an absence.
        let position: Int?
        let within: Int
    }

    private enum Column: String, CaseIterable {
        case date, query, country, platform, rank, bundleID, appID, within

        /// The spellings that tools use, without spaces, hyphens, dots and underscores.
        var names: Set<String> {
            switch self {
            case .date: ["date", "day", "datetime", "timestamp", "time", "checkedat", "at"]
            case .query: ["query", "keyword", "keywords", "searchterm", "term", "search", "phrase"]
            case .country: ["country", "countrycode", "storefront", "market", "region", "territory", "store"]
            case .platform: ["platform", "device", "devicetype"]
            case .rank: ["rank", "ranking", "position", "place", "currentrank", "keywordrank"]
            case .bundleID: ["bundleid", "bundle", "bundleidentifier", "appbundleid", "package", "packagename"]
            case .appID: ["appid", "appleid", "appleappid", "adamid", "trackid", "itunesid", "appstoreid", "storeid"]
            case .within: ["within", "depth", "results", "totalresults", "total", "checked"]
            }
        }
    }

    private var reader: CSVReader
    private let options: ForeignTableOptions
    private let path: String
    private var columns: [Column: Int] = [:]
    private let days: ZoneDays

    var bytesRead: Int64 { reader.bytesRead }
    var size: Int64 { reader.size }

    init(_ path: String, options: ForeignTableOptions) throws {
        reader = try CSVReader(path)
        self.options = options
        self.path = path
        days = ZoneDays(options.timeZone)
        for (index, name) in reader.header.enumerated() {
            let plain = String(name.lowercased().filter { $0.isLetter || $0.isNumber })
            guard let column = Column.allCases.first(where: { $0.names.contains(plain) }) else { continue }
            guard columns[column] == nil else {
                throw refusal(
                    1, "“\(reader.header[columns[column] ?? 0])” and “\(name)” mean the same",
                    "leave one of the columns out")
            }
            columns[column] = index
        }
        try requireColumns()
    }

    private func refusal(_ line: Int?, _ problem: String, _ remedy: String) -> ImportRefusal {
        ImportRefusal(file: path, line: line, problem: problem, remedy: remedy)
    }

    private func requireColumns() throws {
        if reader.header.contains("state"), reader.header.contains("bundle_id"), reader.header.contains("source") {
            throw refusal(
                1, "is rankctl's own CSV export, which has no lists", "import an NDJSON export instead")
        }
        for column in [Column.date, .query, .rank] where columns[column] == nil {
            throw refusal(
                1, "there is no column for the \(column.rawValue); there are \(reader.header.joined(separator: ", "))",
                "call it \(column.names.sorted().joined(separator: ", or "))")
        }
        if columns[.country] == nil, options.country == nil {
            throw refusal(1, "there is no column for the country", "add --country, such as --country us")
        }
        if columns[.bundleID] == nil, columns[.appID] == nil, options.app == nil {
            throw refusal(1, "there is no column for the app's bundle id or app id", "add --app with a bundle id")
        }
        if columns[.within] == nil, options.within == nil {
            throw refusal(
                1, "nothing says how many results the tool looked at, and without that an absence means nothing",
                "add --within, such as --within 200")
        }
    }

    /// - Throws: `ImportRefusal` with the line that cannot be made sense of, and what would help.
    mutating func row() throws -> Row? {
        guard let fields = try reader.record() else { return nil }
        let line = reader.number
        guard fields.count == reader.header.count else {
            throw refusal(
                line, "has \(fields.count) fields, the header \(reader.header.count)",
                "put fields that hold the separator in quotes")
        }
        func cell(_ column: Column) -> String? {
            columns[column].map { fields[$0].trimmingCharacters(in: .whitespaces) }
        }
        let query = cell(.query) ?? ""
        guard !Query.fold(query).isEmpty else {
            throw refusal(line, "the query is empty", "fill it in, or remove the line")
        }
        let within = try within(cell(.within), line)
        return Row(
            line: line, at: try moment(cell(.date) ?? "", line), query: query,
            country: try country(cell(.country), line), platform: try platform(cell(.platform), line),
            app: try app(bundleID: cell(.bundleID), number: cell(.appID), line),
            position: try position(cell(.rank) ?? "", within: within, line), within: within)
    }

    private func within(_ text: String?, _ line: Int) throws -> Int {
        guard let text, !text.isEmpty else {
            guard let within = options.within else {
                throw refusal(line, "does not say how many results the tool looked at", "fill it in, or add --within")
            }
            return within
        }
        guard let number = Int(text), (1...ForeignTableOptions.largestDepth).contains(number) else {
            throw refusal(
                line, "“\(text)” is not a number of results", "write 1 to \(ForeignTableOptions.largestDepth)")
        }
        return number
    }

    private func position(_ text: String, within: Int, _ line: Int) throws -> Int? {
        if options.absent.contains(text.lowercased()) { return nil }
        let shown = text.isEmpty ? "an empty rank" : "“\(text)”"
        let mark = text.isEmpty ? "empty" : text.contains(",") ? "“\(text)”" : text
        let digits = text.hasPrefix("#") ? String(text.dropFirst()) : text
        guard let number = Int(digits), number >= 1 else {
            throw refusal(
                line, "\(shown) is not a rank", "if it means “not found”, add it to --absent: --absent '\(mark)'")
        }
        guard number <= within else {
            throw refusal(
                line, "\(shown) is beyond the \(within) results that the tool looked at",
                "if it means “not found”, add it to --absent; if not, raise --within")
        }
        return number
    }

    private func country(_ text: String?, _ line: Int) throws -> Country {
        if let text, !text.isEmpty {
            if let country = Country(written: text) { return country }
            throw refusal(line, "no country with an App Store has the code “\(text)”", "write one such as us, gb or de")
        }
        guard let country = options.country else { throw refusal(line, "there is no country", "add --country") }
        return country
    }

    private func platform(_ text: String?, _ line: Int) throws -> Platform {
        guard let text, !text.isEmpty else { return options.platform }
        if let platform = Platform(rawValue: text.lowercased()) { return platform }
        throw refusal(
            line, "“\(text)” is not a platform", "write iphone, ipad or mac, or leave the column out and add --platform"
        )
    }

    private func app(bundleID: String?, number: String?, _ line: Int) throws -> Row.App {
        if let bundleID, !bundleID.isEmpty {
            guard let bundle = BundleID(bundleID) else {
                throw refusal(line, "“\(bundleID)” is not a bundle id", "write one such as com.example.app")
            }
            return .bundle(bundle)
        }
        if let number, !number.isEmpty {
            let digits = number.lowercased().hasPrefix("id") ? String(number.dropFirst(2)) : number
            if let id = Int64(digits), id > 0 { return .number(id) }
            throw refusal(line, "“\(number)” is not an app id", "write its number, such as 1234567890")
        }
        guard let app = options.app else { throw refusal(line, "there is no app", "fill it in, or add --app") }
        return .bundle(app)
    }

    /// A date, a date and a time with or without a zone, or seconds since 1970. Never a guess between day and month.
    private func moment(_ text: String, _ line: Int) throws -> Timestamp {
        let whole = try withoutFraction(text, line)
        guard Self.hasPlainZone(whole) else { throw unreadable(text, line) }
        if let moment = Timestamp(iso8601: whole)
            ?? Timestamp(iso8601: whole.replacing(" ", with: "T", maxReplacements: 1))
        {
            return moment
        }
        if text.utf8.count == 10, let seconds = Int64(text) { return Timestamp(secondsSinceEpoch: seconds) }
        let parts = whole.split(maxSplits: 1) { $0 == " " || $0 == "T" }
        let day = (parts.first ?? "").split { $0 == "-" || $0 == "/" }.map { Int($0) }
        let time = parts.count > 1 ? parts[1].split(separator: ":").map { Int($0) } : [0, 0]
        if day.count == 3, parts.first?.prefix(4).allSatisfy(\.isNumber) == true, (2...3).contains(time.count),
            let year = day[0], let month = day[1], let number = day[2], let hour = time[0], let minute = time[1],
            let second = time.count > 2 ? time[2] : 0
        {
            if let moment = days.moment((year, month, number), hour: hour, minute: minute, second: second) {
                return moment
            }
        }
        throw unreadable(text, line)
    }

    /// Takes the fraction of a second away and leaves what follows it: a zone.
    private func withoutFraction(_ text: String, _ line: Int) throws -> String {
        guard let point = text.firstIndex(where: { $0 == "." || $0 == "," }) else { return text }
        let digits = text[text.index(after: point)...].prefix { ("0"..."9").contains($0) }
        guard !digits.isEmpty else { throw unreadable(text, line) }
        return String(text[..<point] + text[digits.endIndex...])
    }

    /// Whether a zone behind the time, where there is one, has hours of two digits: `+2` and `+200` could mean two things.
    private static func hasPlainZone(_ text: String) -> Bool {
        guard let colon = text.firstIndex(of: ":"), let sign = text[colon...].firstIndex(where: { "+-".contains($0) })
        else { return true }
        let digits = text[text.index(after: sign)...].filter { $0 != ":" }
        return (digits.count == 2 || digits.count == 4) && digits.allSatisfy { ("0"..."9").contains($0) }
    }

    private func unreadable(_ text: String, _ line: Int) -> ImportRefusal {
        refusal(
            line, "“\(text)” is not a date, or can be read in more than one way",
            "write YYYY-MM-DD, YYYY-MM-DD HH:MM, or add a zone: YYYY-MM-DD HH:MM:SS+02:00")
    }
}
