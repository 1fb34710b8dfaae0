import Foundation
import RankKit

/// Where a table's names of columns stand, and what they mean.
struct TableHeader {
    let line: Int
    let fields: [String]
    let separator: UInt8
    private var columns: [TableColumn: [Int]]
    /// What stands in parentheses behind the name of the column of dates: the zone that they are of.
    let zone: String?
    /// Other columns of dates: `Last Updated (UTC)` beside `Date`.
    private let otherDates: Set<Int>
    /// Columns whose names rankctl knows, and that are queries all the same.
    private(set) var queries: Set<Int> = []
    /// Columns that the caller chose by their names.
    private let own: [TableColumn: String]

    /// Lines that a tool may put above its header.
    private static let mostLinesAbove = 20

    /// - Parameters:
    ///   - own: names that the caller gives, which no usual name stands beside.
    ///   - wanted: without which a line is not the header, if another one has them.
    init(_ file: TableFile, own: [TableColumn: String] = [:], wanted: [TableColumn]) throws {
        var best: (score: Int, header: TableHeader)?
        for separator in TableRecords.separators {
            var records = TableRecords(file.bytes, separator: separator)
            for _ in 0...Self.mostLinesAbove {
                guard let record = records.next() else { break }
                let header = TableHeader(record, separator, own)
                let score = header.score(wanted)
                if score > best?.score ?? -1 { best = (score, header) }
            }
        }
        guard let best else {
            throw ImportRefusal(
                file: file.path, line: nil,
                problem: file.bytes.isEmpty ? "there is no header: the file is empty" : "there is no header",
                remedy: "name the columns in line 1")
        }
        self = best.header
    }

    private init(_ record: TableRecord, _ separator: UInt8, _ own: [TableColumn: String]) {
        (line, fields, self.separator, self.own) = (record.line, record.fields, separator, own)
        var columns: [TableColumn: [Int]] = [:]
        var remarked: [RemarkedDate] = []
        for (index, name) in record.fields.enumerated() {
            let plain = TableColumn.plain(name)
            let column = TableColumn.allCases.first { column in
                own[column].map { TableColumn.plain($0) == plain } ?? column.names.contains(plain)
            }
            if let column {
                columns[column, default: []].append(index)
            } else if let date = RemarkedDate(name, place: index) {
                remarked.append(date)
            }
        }
        let plain = columns[.date, default: []].map { TableColumn.plain(record.fields[$0]) }
        let best = remarked.filter { TableColumn.bestDates.contains($0.name) }
        // `Last Updated (UTC)` is no second one beside `Date`, as `Date (UTC)` is beside `Updated`.
        let dates =
            plain.isEmpty ? (best.isEmpty ? remarked : best) : TableColumn.bestDates.isDisjoint(with: plain) ? best : []
        columns[.date, default: []] += dates.map(\.place)
        if columns[.date] == [] { columns[.date] = nil }
        otherDates = Set(remarked.map(\.place)).subtracting(dates.map(\.place))
        (self.columns, zone) = (columns, dates.first?.remark)
    }

    /// Takes their meaning from columns that are queries, whatever their names say.
    mutating func release(_ places: Set<Int>) {
        queries.formUnion(places)
        for (column, own) in columns {
            let rest = own.filter { !places.contains($0) }
            columns[column] = rest.isEmpty ? nil : rest
        }
    }

    /// Columns that are wanted come before those that are only known, and these before mere fields.
    private func score(_ wanted: [TableColumn]) -> Int {
        let found = wanted.count { columns[$0] != nil }
        return (found * 100 + columns.count) * 1_000 + min(fields.count, 999)
    }

    func has(_ column: TableColumn) -> Bool { columns[column] != nil }

    /// Every place that has a meaning.
    var known: Set<Int> { otherDates.union(columns.values.joined()) }

    /// Whether a column is called like one with the state of each check.
    func isState(_ place: Int) -> Bool {
        TableOutcomes.names.contains(TableColumn.plain(fields[place])) && !known.contains(place)
            && !queries.contains(place)
    }

    func all(_ column: TableColumn) -> [Int] { columns[column] ?? [] }

    /// The names, for people.
    var names: String { fields.joined(separator: ", ") }

    /// - Throws: `ImportRefusal` if two columns mean the same.
    func place(of column: TableColumn, in file: String, choice: String? = nil) throws -> Int? {
        guard let places = columns[column], places.count > 1 else { return columns[column]?.first }
        throw ImportRefusal(
            file: file, line: line,
            problem: "“\(fields[places[0]])” and “\(fields[places[1]])” both name the \(column.noun)",
            remedy: choice.map { "choose with \($0)" } ?? "leave one of the columns out")
    }

    // MARK: Rows below it

    /// What stands in a column, without blanks around it; `nil` if the row ends before it.
    static func cell(_ place: Int, _ record: TableRecord) -> String? {
        guard record.fields.indices.contains(place) else { return nil }
        return record.fields[place].trimmingCharacters(in: .whitespaces)
    }

    /// Refuses a row with more fields than there are names, unless the last column is of several words between commas.
    func checkLength(of record: TableRecord, in file: String) throws {
        guard record.fields.count > fields.count, let last = fields.last else { return }
        let isOpenEnded = TableColumn.lists.contains(TableColumn.plain(last)) && !known.contains(fields.count - 1)
        // Separators alone at the end of a line are no fields.
        guard !isOpenEnded, record.fields[fields.count...].contains(where: { !$0.allSatisfy(\.isWhitespace) }) else {
            return
        }
        throw ImportRefusal(
            file: file, line: record.line, problem: "has \(record.fields.count) fields, the header \(fields.count)",
            remedy: "put fields that hold the separator in quotes")
    }

    /// The country that a row names, by code or by name, in one column or in several that agree; `nil` if none does.
    ///
    /// - Parameter codes: takes up the three-letter codes among them.
    func country(of record: TableRecord, in file: String, _ codes: inout TableCountryCodes) throws -> Country? {
        let written = all(.country).compactMap { Self.cell($0, record) }.filter { !$0.isEmpty }
        let found = try written.map { text in
            guard let country = Country(written: text) ?? codes.country(of: text) else {
                throw ImportRefusal(
                    file: file, line: record.line, problem: "“\(text)” is no country with an App Store",
                    remedy: Country.remedy(for: text))
            }
            return country
        }
        guard Set(found).count <= 1 else {
            throw ImportRefusal(
                file: file, line: record.line, problem: "“\(written[0])” and “\(written[1])” are two countries",
                remedy: "correct the line, or remove it")
        }
        return found.first
    }
}

/// A column of dates with something in parentheses behind its name: `Date (UTC+1)`.
private struct RemarkedDate {
    let place: Int
    /// As `TableColumn.plain` has it.
    let name: String
    let remark: String

    /// `nil` for another name.
    init?(_ name: String, place: Int) {
        let text = name.trimmingCharacters(in: .whitespaces)
        guard text.hasSuffix(")"), let start = text.lastIndex(of: "(") else { return nil }
        let plain = TableColumn.plain(String(text[..<start]))
        guard TableColumn.date.names.contains(plain) else { return nil }
        (self.place, self.name) = (place, plain)
        remark = text[text.index(after: start)...].dropLast().trimmingCharacters(in: .whitespaces)
    }
}

/// Countries by their three-letter codes, which tables hold and the App Store does not have.
struct TableCountryCodes {
    private var read: [String: Country] = [:]
    /// How many codes are named.
    private static let named = 5

    /// Also takes up that it was read; `nil` if `text` is no such code.
    mutating func country(of text: String) -> Country? {
        guard let (code, country) = Country.longCode(in: text) else { return nil }
        read[code] = country
        return country
    }

    /// For people; `nil` if there was none.
    var note: String? {
        guard !read.isEmpty else { return nil }
        let codes = read.sorted { $0.key < $1.key }.map { "\($0.key) as \($0.value)" }
        let more = codes.count > Self.named ? " and \(codes.count - Self.named) more" : ""
        return "countries read by their longer codes: " + codes.prefix(Self.named).joined(separator: ", ") + more
    }
}
