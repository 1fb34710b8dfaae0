import GRDB

/// Keeps the first places of pages apart that an earlier version of the program wrote, a page at a time.
extension HistoryStore {
    /// The pages of which that is still to be done, in order.
    ///
    /// - Parameter page: the id that they come after.
    package func pagesWithoutTops(after page: Int64, limit: Int) async throws -> [Int64] {
        try await read { try Int64.fetchAll($0, sql: PageTops.missing, arguments: [page, limit]) }
    }

    /// Does it for one page, if that can be read. What is read and written is in two short transactions; a page that was
    /// written anew meanwhile has its own.
    package nonisolated func keepTops(ofPage id: Int64) async throws {
        guard let page = try await read({ try PageRow.one(id, in: $0) }) else { return }
        let bytes: [UInt8]
        do { bytes = try PageTops.bytes(ofTops: page.tops()) } catch is UnreadableLists { return }
        try await tidy { try PageTops.keep(bytes, of: page, in: $0) }
    }
}
