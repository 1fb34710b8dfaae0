import RankKit
import Synchronization
import TestSupport

@testable import History

/// What the tests of verifying, exporting, importing and pruning do to a history.
extension HistoryStore {
    /// Puts all lists from before `moment` into pages.
    func compact(before moment: Timestamp, limit: Int = 512) async throws {
        for query in try await queriesToCompact(before: moment) {
            var mark: CompactionMark?
            repeat {
                mark = try await compact(query: query, after: mark, before: moment, limit: limit).next
            } while mark != nil
        }
    }

    /// Fills in what is to be filled in from the kept lists.
    func fillIn() async throws {
        let reader = try HistoryReader(path: path)
        for query in try await queriesToFill() {
            while let work = try await backFillWork(on: query),
                try await BackFillBatch(work, from: reader).write(to: self, turn: {})
            {}
        }
    }

    /// Derives the days of the store that are closed on `today`, as the clean-up does.
    func deriveCountryDays(today: Int64) async throws {
        try await deriveCountryDays(now: try await read { try CountryDayRow.wantedZone(in: $0).start(of: today) })
    }

    func deriveCountryDays(now: Timestamp) async throws {
        let reader = try HistoryReader(path: path)
        while let days = try await nextCountryDays(now: now, limit: 31) {
            try await derive(try CountryDayDraft(days, from: reader), from: reader)
        }
        for (due, days) in try await countryDaysDue(limit: 1_000) {
            try await derive(try CountryDayDraft(days, of: due, from: reader), from: reader)
        }
        while let days = try await nextOutdatedCountryDays(limit: 93) {
            try await derive(try CountryDayDraft(days, from: reader), from: reader)
        }
    }

    private func derive(_ draft: CountryDayDraft, from reader: HistoryReader) async throws {
        var draft = draft
        while try draft.countNext(from: reader) {}
        try await enter(draft)
    }

    func importExport(
        _ file: String, now: Timestamp? = nil,
        progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
    ) async throws -> ImportResult {
        try await importExport(try ExportFile(file), now: now, progress: progress)
    }

    /// Exports all of it to a file, whose path is returned.
    nonisolated func export(
        to folder: TemporaryFolder, now: Timestamp = Timestamp(secondsSinceEpoch: 0)
    ) async throws -> String {
        let text = Mutex<[UInt8]>([])
        _ = try await HistoryReader(path: path).export(since: nil, now: now) { _, _ in
        } write: { bytes in
            text.withLock { $0 += bytes }
        }
        return try folder.write(String(decoding: text.withLock { $0 }, as: UTF8.self), to: "history.ndjson")
    }

    /// What a verification finds.
    nonisolated func findings() async throws -> [String] {
        let found = Mutex<[Finding]>([])
        _ = try await HistoryReader(path: path).verify { finding in found.withLock { $0.append(finding) } }
        return found.withLock { $0.map(\.description) }
    }
}

extension String {
    /// An export without its checksum, as earlier versions wrote it: so that it can be changed.
    var withoutChecksum: String { replacing(/"checksum":"[0-9a-f]*",/, with: "") }
}
