import Foundation
import RankKit

/// Reads the rows of a table, each by what its columns were found to mean.
extension ForeignTable {
    /// Hands over every row, with how much of the file has been read.
    ///
    /// - Throws: `ImportRefusal` with the line that cannot be made sense of, and what would help; what `body` throws.
    mutating func forEachRow(_ body: (Row, _ bytesRead: Int64) throws -> Void) throws {
        (leftOut, doubtful, dropped) = ([:], nil, nil)
        var records = records
        while let record = records.next() {
            if let end, record.line >= end.line { break }
            try checkLength(record)
            for place in shape.places {
                if let row = try row(record, place) { try body(row, Int64(records.bytesRead)) }
            }
        }
        if let failure = records.failure {
            throw refusal(
                failure.line, "a quote is not closed", "close it, or double each quote that is part of a text")
        }
    }

    private func checkLength(_ record: TableRecord) throws {
        try header.checkLength(of: record, in: file.path)
        guard let missing = needed.first(where: { $0.place >= record.fields.count }) else { return }
        throw refusal(
            record.line,
            "has \(record.fields.count) fields, the header \(header.fields.count): it ends before the "
                + missing.column.noun, "complete the line, or remove it")
    }

    private mutating func leave<Value>(_ why: String) -> Value? {
        leftOut[why, default: 0] += 1
        return nil
    }

    private mutating func row(_ record: TableRecord, _ column: Int) throws -> Row? {
        let text = TableHeader.cell(column, record) ?? ""
        guard let place = try told(text, record) else { return nil }
        guard let app = try app(record) else { return leave("about a website and no app, left out") }
        // rankd's own has searches that found nothing.
        if case .absent = place, own.state == nil, hasNoResults(record) { return leave(Self.ofNothing) }
        let within = try within(record, place, column)
        var position: Int?
        if case .at(let number) = place {
            guard number <= within else {
                throw refusal(
                    record.line, "“\(text)” is beyond the \(within) results that the tool looked at",
                    "if it means “not found”, add it to --absent; if not, raise --within")
            }
            position = number
        }
        let moment = try moment(record, column)
        return Row(
            line: record.line, at: moment.at, day: moment.day, query: try query(record, column), app: app,
            position: position, within: within,
            language: shape.isWide || own.language != nil ? nil : language.flatMap { TableHeader.cell($0, record) })
    }

    /// Whether a column says that there were no results, or that nobody looked at any.
    private func hasNoResults(_ record: TableRecord) -> Bool {
        (header.all(.total) + header.all(.within)).contains { column in
            let words = TableHeader.cell(column, record)?.words ?? []
            let numbers = words.compactMap { Int($0) }
            return !numbers.isEmpty && numbers.allSatisfy { $0 == 0 }
        }
    }

    private static let ofNothing = "not found among 0 results, left out: nobody looked"

    /// What a row says of its app; `nil` if it says nothing.
    private mutating func told(_ text: String, _ record: TableRecord) throws -> TablePlaces.Place? {
        func untold() -> TablePlaces.Place? {
            leave("of checks that failed, are suspect or are still to come, left out: they say nothing of the app")
        }
        let hasPlace = isPlace(text)
        if let word = own.failure(of: record, hasPlace: hasPlace) {
            if hasPlace {
                dropped = (
                    rows: (dropped?.rows ?? 0) + 1, word: dropped?.word ?? word, line: dropped?.line ?? record.line
                )
            }
            return untold()
        }
        let place = try place(text, record.line)
        if let state = own.state {
            return try self.state(TableHeader.cell(state, record) ?? "", place, record.line) ?? untold()
        }
        if place == .unknown {
            if TablePlaces.depth(TableBlank.plain(text)) == 0 { return leave(Self.ofNothing) }
            return shape.isWide ? nil : leave(Self.unknown(text))
        }
        if places.isGuess(text) {
            let what = text.isEmpty ? "an empty cell means" : "“\(text)” means"
            let why = "read as “not found”; if \(what) that nobody looked, name the mark for “not found”: --absent MARK"
            _ = leave("with \(text.isEmpty ? "an empty place" : "“\(text)”"), \(why)") as Row?
        }
        if case .absent = place, let word = own.doubt(of: record) {
            doubtful = (rows: (doubtful?.rows ?? 0) + 1, word: doubtful?.word ?? word)
        }
        return place
    }

    /// Why a row with this in the place of its place is left out.
    private static func unknown(_ text: String) -> String {
        if TableBlank.unknown.contains(TableBlank.plain(text)) {
            return "with “\(text)”, left out: it does not say where the app is"
        }
        return
            "with \(text.isEmpty ? "an empty place" : "“\(text)”"), left out: the table has another mark for “not found”"
    }

    private func isPlace(_ text: String) -> Bool {
        do throws(TableNumbers.Problem) {
            if case .at = try places.place(text) { return true }
            return false
        } catch { return false }
    }

    private func place(_ text: String, _ line: Int) throws -> TablePlaces.Place {
        if own.state != nil, text.isEmpty { return .unknown }
        do throws(TableNumbers.Problem) { return try places.place(text) } catch {
            switch error {
            case .unclear:
                throw refusal(
                    line, "the column does not say whether “\(text)” has a decimal mark or groups thousands",
                    "write whole numbers without points and commas")
            case .unreadable:
                let mark = text.contains(",") ? "“\(text)”" : text
                throw refusal(
                    line, "“\(text)” is not a rank",
                    text.first.map { ("1"..."9").contains($0) } == true
                        ? "write the place alone, as a whole number"
                        : "if it means “not found”, add it to --absent: --absent '\(mark)'")
            }
        }
    }

    /// What a row of rankctl's own says; `nil` where its check says nothing.
    private func state(_ word: String, _ place: TablePlaces.Place, _ line: Int) throws -> TablePlaces.Place? {
        switch (OwnTable.state(word), place) {
        case (.untold, _): return nil
        case (.absent, .unknown), (.absent, .absent): return .absent(of: nil)
        case (.ranked, .at): return place
        case (nil, _):
            throw refusal(line, "“\(word)” is no state of a check", "import the report as rankctl wrote it")
        default:
            throw refusal(line, "the state and the position do not fit", "import the report as rankctl wrote it")
        }
    }

    private mutating func query(_ record: TableRecord, _ column: Int) throws -> RankKit.Query {
        let text = if case .queries = shape { header.fields[column] } else { cell(.query, record) ?? "" }
        guard !RankKit.Query.fold(text).isEmpty else {
            throw refusal(record.line, "the query is empty", "fill it in, or remove the line")
        }
        guard let country = try header.country(of: record, in: file.path, &codes) ?? options.country else {
            throw refusal(record.line, "there is no country", "add --country")
        }
        let language = own.language.flatMap { TableHeader.cell($0, record) }
        return RankKit.Query(
            text: text.trimmingCharacters(in: .whitespaces), country: country, platform: try platform(record),
            source: options.source,
            language: language.flatMap { $0.isEmpty ? nil : $0.lowercased() })
    }

    private func within(_ record: TableRecord, _ place: TablePlaces.Place, _ column: Int) throws -> Int {
        if case .absent(.some(let depth)) = place { return depth }
        if let text = cell(.within, record) {
            guard let number = Int(text), (0...ForeignTableOptions.largestDepth).contains(number) else {
                throw refusal(
                    record.line, "“\(text)” is not a number of results",
                    "write 1 to \(ForeignTableOptions.largestDepth)")
            }
            return number
        }
        if let within = options.within { return bounded(within, record, place) }
        let depths = depths(record, column).sorted()
        // Lists of one query have now more and now fewer entries; a check that saw a place saw so many.
        if shape.isWide, !places.depths.isEmpty, case .at(let number) = place, depths.last ?? 0 < number {
            return number
        }
        if case .at(let number) = place, let depth = depths.first(where: { $0 >= number }) ?? depths.last {
            return bounded(depth, record, place)
        }
        if let depth = depths.first { return bounded(depth, record, place) }
        let total = header.all(.total).first.map {
            ": “\(header.fields[$0])” may be how many there are, and not how many it looked at"
        }
        throw refusal(
            record.line,
            "nothing says how many results the tool looked at, and without that an absence means nothing\(total ?? "")",
            "add --within, such as --within 200" + (own.state == nil ? "" : ", or write the report with --columns all"))
    }

    /// The depths that absences tell of the query that a cell is about: how long its lists are says nothing of another's.
    /// A tool that tells one depth alone has looked so far everywhere.
    private func depths(_ record: TableRecord, _ column: Int) -> Set<Int> {
        guard let key = depthKey(record, column) else { return places.depths }
        return depthsOfQueries[key] ?? (own.isGrid || places.depths.count > 1 ? [] : places.depths)
    }

    /// `depth`, or how many results there are if they are fewer.
    private func bounded(_ depth: Int, _ record: TableRecord, _ place: TablePlaces.Place) -> Int {
        let totals = header.all(.total).compactMap { TableHeader.cell($0, record).flatMap { Int($0) } }
        var least = 1
        if case .at(let number) = place { least = number }
        return min(depth, totals.filter { $0 >= least }.min() ?? depth)
    }

    private func platform(_ record: TableRecord) throws -> Platform {
        guard let text = cell(.platform, record) else { return options.platform }
        if let platform = Platform(inTable: text) { return platform }
        throw refusal(
            record.line, "“\(text)” is not a platform",
            "write iphone, ipad or mac, or leave the column out and add --platform")
    }

    /// `nil` for a row that is about something else than an app.
    private func app(_ record: TableRecord) throws -> TableApp? {
        if let text = cell(.bundleID, record), !TableBlank.isBlank(text) {
            guard let bundle = BundleID(text) else {
                throw refusal(record.line, "“\(text)” is not a bundle id", "write one such as com.example.app")
            }
            return .bundle(bundle)
        }
        let name = cell(.app, record)
        if let text = cell(.appID, record) {
            let digits = text.lowercased().hasPrefix("id") ? String(text.dropFirst(2)) : text
            guard let id = Int64(digits), id > 0 else {
                throw refusal(record.line, "“\(text)” is not an app id", "write its number, such as 1234567890")
            }
            return .number(id, name: name)
        }
        if let name { return .name(name) }
        if let text = cell(.link, record), text.contains(where: \.isLetter) {
            return StoreLink(text).map { .number($0.id.number, name: nil) }
        }
        guard options.app != nil else {
            throw refusal(record.line, "there is no app", "fill it in, or add --app")
        }
        return .given
    }

    private func moment(_ record: TableRecord, _ column: Int) throws -> TableDates.Moment {
        let isDay = if case .days = shape { true } else { false }
        let text = isDay ? header.fields[column] : cell(.date, record) ?? ""
        if text.isEmpty || ["-", "—", "–"].contains(text) {
            if let date = options.date {
                return options.dateIsDay
                    ? TableDates.moment(of: options.days.day(of: date), options.days) : TableDates.Moment(at: date)
            }
            throw refusal(
                record.line, "there is no date", "fill it in, remove the line, or add --date with the day of such rows")
        }
        let line = isDay ? header.line : record.line
        do throws(TableDates.Problem) { return try dates.moment(text, line: line) } catch {
            switch error {
            case .unreadable, .unclear:
                throw refusal(
                    line, "“\(text)” is not a date, or can be read in more than one way",
                    "write YYYY-MM-DD, YYYY-MM-DD HH:MM, or add a zone: YYYY-MM-DD HH:MM:SS+02:00")
            case .contradicting(let other):
                throw refusal(
                    line, "“\(text)” has day and month in another order than line \(other)",
                    "write all dates as YYYY-MM-DD")
            }
        }
    }
}
