import RankKit
import Reports

/// Where the pages are.
enum PageAddress {
    /// `path` with what is asked for behind it; empty values are left out.
    static func path(_ path: String, _ parameters: [RequestParameter]) -> String {
        let pairs = parameters.filter { !$0.value.isEmpty }.map {
            "\(FormText.encoded($0.name))=\(FormText.encoded($0.value))"
        }
        return pairs.isEmpty ? path : path + "?" + pairs.joined(separator: "&")
    }

    static func app(_ bundleID: BundleID) -> String { "/apps/" + FormText.encoded(bundleID.text) }

    static func query(_ query: Query) -> String { path("/queries", parameters(of: query)) }

    static func pair(_ bundleID: BundleID, _ query: Query) -> String {
        path("/pairs", [RequestParameter("app", bundleID.text)] + parameters(of: query))
    }

    /// What names `query` to a report, and no other: without its language the words could mean several. The source only
    /// where it is not the usual one.
    static func parameters(of query: Query) -> [RequestParameter] {
        var parameters = [
            RequestParameter("query", query.text), RequestParameter("country", query.country.code),
            RequestParameter("platform", query.platform.rawValue), RequestParameter("language", query.languageWord),
        ]
        if query.source != .usual { parameters.append(RequestParameter("source", query.source.rawValue)) }
        return parameters
    }

    static func report(_ name: String, _ parameters: [RequestParameter] = []) -> String {
        path("/reports/" + FormText.encoded(name), parameters)
    }

    /// The same as data, for programs.
    static func data(_ name: String, _ parameters: [RequestParameter], as format: ReportFormat) -> String {
        let format = format == .json ? [] : [RequestParameter("format", format.rawValue)]
        return path("/api/v1/reports/" + FormText.encoded(name), parameters + format)
    }

    /// - Returns: `nil` for a query of an imported table: its page shows lists, and a table has none.
    static func subject(_ subject: Cell.Subject) -> String? {
        switch subject {
        case .app(let bundleID): app(bundleID)
        case .query(let query): query.source.isImported ? nil : self.query(query)
        case .pair(let bundleID, let query): pair(bundleID, query)
        }
    }
}
