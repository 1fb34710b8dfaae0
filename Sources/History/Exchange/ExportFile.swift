/// A file of `rankctl export`, or the standard input, whose first line is the header of one. To be looked at before a
/// history is made for it.
package struct ExportFile: Sendable {
    package let path: String
    /// What has been read of the standard input, which gives nothing twice.
    let beginning: [UInt8]
    let temporaryFolder: String

    /// - Parameter temporaryFolder: for a copy of the standard input, where it must be read twice.
    /// - Throws: `ImportRefusal`, `ImportMissing` or `HistoryError`.
    package init(_ path: String, temporaryFolder: String = "/var/tmp") throws {
        self.path = path
        self.temporaryFolder = temporaryFolder
        let reader = try LineReader(path)
        guard let line = try reader.line() else { throw Importer.isEmpty(path) }
        _ = try Importer.decode(line, number: 1, of: path)
        beginning = path == LineReader.standardInput ? line + [UInt8(ascii: "\n")] + reader.unread : []
    }
}
