/// `rankctl status`: how the service and its memory are.
package struct StatusReport: Sendable {
    /// The forms that make sense for one value that is no list.
    package enum Format: String, Sendable, Hashable, CaseIterable {
        case table, json
    }

    package var status: Status

    package init(_ status: Status) { self.status = status }

    /// The whole report, its last line break included.
    package func render(as format: Format, style: TerminalStyle = .plain) -> String {
        switch format {
        case .table: table(style)
        case .json: json()
        }
    }
}
