import GRDB

/// Keeps the first places of pages apart that an earlier version of the program wrote, a few at a time.
extension HistoryStore {
    /// The pages of which that is still to be done, in order.
    ///
    /// - Parameter page: the id that they come after.
    package func pagesWithoutTops(after page: Int64, limit: Int) async throws -> [Int64] {
        try await read { try Int64.fetchAll($0, sql: PageTops.missing, arguments: [page, limit]) }
    }

    /// Does it for those of some pages that can be read. What is read and written is in short transactions; a page that
    /// was written anew meanwhile has its own.
    package nonisolated func keepTops(ofPages ids: [Int64]) async throws {
        var all: [(page: PageRow, bytes: [UInt8])] = []
        for id in ids {
            guard let page = try await read({ try PageRow.one(id, in: $0) }) else { continue }
            do { all.append((page, try PageTops.bytes(ofTops: page.tops()))) } catch
                is UnreadableLists, is DamagedBytes
            {
                // It is read itself, as far as it can be.
                continue
            }
        }
        guard !all.isEmpty else { return }
        try await tidy { [all] in
            for (page, bytes) in all { try PageTops.keep(bytes, of: page, in: $0) }
        }
    }
}
