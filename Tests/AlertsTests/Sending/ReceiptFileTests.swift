import Alerts
import History
import RankKit
import TestSupport
import Testing

@Suite struct ReceiptFileTests {
    private let folder: TemporaryFolder
    private let receipt: ReceiptFile
    private let start = time("2026-11-01T00:00:00Z")

    init() throws {
        folder = try TemporaryFolder()
        receipt = ReceiptFile(beside: folder.file("history.sqlite"))
    }

    private func mark(_ seconds: Int64) -> AlertMark { AlertMark(since: start, check: 1, judgedAt: start + seconds) }

    @Test func `nothing was sent where there is no file, or one that says nothing`() throws {
        #expect(receipt.newest(by: start) == nil)
        _ = try folder.write("nonsense", to: "history.sqlite.sent")
        #expect(receipt.newest(by: start) == nil)
        #expect(receipt.mark(after: mark(0), by: start) == mark(0))
        #expect(receipt.mark(after: nil, by: start) == nil)
    }

    @Test func `the newest is kept, whatever is sent after it`() throws {
        try receipt.note(start + 10, by: start)
        try receipt.note(start + 5, by: start)
        #expect(receipt.newest(by: start) == start + 10)
    }

    @Test func `a history that has judged since the newest was sent goes on from its mark`() throws {
        try receipt.note(start + 10, by: start)
        #expect(receipt.mark(after: mark(10), by: start) == mark(10))
        #expect(receipt.mark(after: mark(99), by: start) == mark(99))
    }

    @Test func `a history that was restored lists what it may have sent already`() throws {
        try receipt.note(start + 10, by: start)
        #expect(receipt.mark(after: mark(9), by: start)?.listedUntil == start + 10)
        #expect(receipt.mark(after: mark(9), by: start)?.judgedAt == start + 9)
    }

    @Test func `a history without a mark has a first judgement, which tells nothing`() throws {
        try receipt.note(start + 10, by: start)
        #expect(receipt.mark(after: nil, by: start) == nil)
    }

    @Test func `a time past tomorrow is not believed, and the next message corrects it`() throws {
        try receipt.note(start + 40 * 86_400, by: start + 40 * 86_400)
        #expect(receipt.isAhead(of: start))
        #expect(receipt.newest(by: start) == nil)
        #expect(receipt.mark(after: mark(0), by: start) == mark(0))
        try receipt.note(start, by: start)
        #expect(!receipt.isAhead(of: start))
        #expect(receipt.newest(by: start) == start)
    }
}
