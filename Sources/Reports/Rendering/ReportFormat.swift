import RankKit

/// The forms in which a report can be had.
package enum ReportFormat: String, Sendable, Hashable, CaseIterable {
    /// For a terminal.
    case table
    /// The versioned contract for programs.
    case json
    /// RFC 4180, for spreadsheets.
    case csv
    /// As GitHub reads it, for mails and wikis.
    case markdown
    /// One page that needs nothing else, for browsers.
    case html

    /// What a file of this name is taken to hold; `nil` if the name does not say it.
    package init?(fileName: String) {
        guard let dot = fileName.lastIndex(of: ".") else { return nil }
        switch fileName[dot...].dropFirst().lowercased() {
        case "txt": self = .table
        case "json": self = .json
        case "csv": self = .csv
        case "md", "markdown": self = .markdown
        case "html", "htm": self = .html
        default: return nil
        }
    }

    /// Whether it is looked at rather than read by a program.
    package var isForPeople: Bool {
        switch self {
        case .table, .markdown, .html: true
        case .json, .csv: false
        }
    }
}

/// What the positions of every report are made of.
let provenance = "positions in Apple's iTunes Search API; phones can differ"

extension Source {
    /// What positions from it are.
    var provenance: String {
        switch self {
        case .itunes: Reports.provenance
        case .web: "positions in the results that the App Store shows on the web"
        case .imported(let name): "positions as imported from “\(SafeText.escaped(name))”"
        }
    }
}
