/// Which page of its rows a report shows, and how many there are.
package struct Paging: Sendable, Hashable {
    /// From 1.
    package let page: Int
    /// Rows a page.
    package let limit: Int
    /// Rows in all.
    package let count: Int

    /// At least 1.
    package var pages: Int { count == 0 ? 1 : (count - 1) / limit + 1 }

    /// Counted from 0; empty behind the last page.
    package var rows: Range<Int> {
        let (start, isTooFar) = (page - 1).multipliedReportingOverflow(by: limit)
        let first = isTooFar ? count : min(start, count)
        return first..<first + min(limit, count - first)
    }
}
