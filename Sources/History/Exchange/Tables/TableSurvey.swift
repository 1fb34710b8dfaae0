import RankKit

/// What a look through all rows of a table finds before anything of it is written.
struct TableSurvey {
    /// The apps that it names.
    private(set) var apps: Set<TableApp> = []
    private let file: String
    /// Where the rows of a query, an app and a language begin.
    private var languages: [AppLanguage: (language: String, line: Int)] = [:]

    private struct AppLanguage: Hashable {
        let query: RankKit.Query
        let app: TableApp
        let language: String
    }

    private struct AppQuery: Hashable {
        let query: RankKit.Query
        let bundleID: BundleID
    }

    /// 2008-07-10T00:00:00Z.
    private static let storeOpened = Timestamp(secondsSinceEpoch: 1_215_648_000)

    /// - Throws: `ImportRefusal` with the line that cannot be imported, or if there is none that can.
    init(_ table: inout ForeignTable, now: Timestamp, _ work: BlockingWork) throws {
        let path = table.file.path
        file = path
        var rows = 0
        try table.forEachRow { row, _ in
            rows += 1
            if rows.isMultiple(of: 1_000) { try work.checkCancellation() }
            apps.insert(row.app)
            if let language = row.language {
                let key = AppLanguage(query: row.query, app: row.app, language: TableColumn.plain(language))
                if languages[key] == nil { languages[key] = (language, row.line) }
            }
            let earliest = row.day.map { Timestamp.startOfDay($0.date) } ?? row.at
            guard Self.storeOpened <= earliest, row.at <= now + Timestamp.secondsPerDay else {
                throw ImportRefusal(
                    file: path, line: row.line,
                    problem: "the time is \(row.at), which is "
                        + (row.at < Self.storeOpened ? "before there was an App Store" : "in the future"),
                    remedy: "correct it, or remove the line")
            }
        }
        guard rows > 0 else { throw table.isEmpty }
    }

    private static func words(_ language: String) -> String { language.isEmpty ? "none" : "“\(language)”" }

    /// Refuses rows of one query and one app in several languages: they would be one app's places in one list.
    ///
    /// - Parameter bundles: which apps those of the table are.
    func checkLanguages(_ bundles: [TableApp: BundleID]) throws(ImportRefusal) {
        var first: [AppQuery: (language: String, plain: String, line: Int)] = [:]
        for (key, told) in languages.sorted(by: { $0.value.line < $1.value.line }) {
            guard let bundleID = bundles[key.app] else { continue }
            let place = AppQuery(query: key.query, bundleID: bundleID)
            guard let other = first[place] else {
                first[place] = (told.language, key.language, told.line)
                continue
            }
            guard other.plain != key.language else { continue }
            throw ImportRefusal(
                file: file, line: told.line,
                problem: "is about the query and the app of line \(other.line) in another language, "
                    + "\(Self.words(told.language)) and \(Self.words(other.language)), which rankctl does not keep",
                remedy: "import the rows of each language alone, each with a --source of its own")
        }
    }
}
