package import History
import Judging
package import RankKit

/// `rankctl report digest`: the page to read each morning.
package struct DigestReport: ReportView {
    package var digest: Digest

    package init(_ digest: Digest) { self.digest = digest }

    package var generatedAt: Timestamp { digest.generatedAt }
    package var damaged: [DamagedLists] { digest.damaged }

    /// What a mail is headed with: the counts, for whoever reads no further.
    package var subject: String {
        let slides = digest.movers.summary.slides
        let counts =
            DigestReport.counts(digest.movers.summary).map { "\($0.count) \($0.word)" }
            + (slides > 0 ? ["\(slides) slowly"] : [])
        return "rankd: " + (counts.isEmpty ? "nothing moved" : counts.joined(separator: ", "))
            + (digest.status.level == .fine ? "" : ", \(digest.status.level.rawValue)")
            + " · \(CivilTime.date(digest.until))"
    }

    static func counts(_ summary: Movers.Summary) -> [(count: Int, word: String, ink: Ink)] {
        [
            (summary.up, "up", Ink.good), (summary.down, "down", .bad), (summary.entered, "entered", .good),
            (summary.left, "left", .bad),
        ].filter { $0.0 > 0 }
    }

    package func write(to writer: inout JSONWriter) {
        writer.key("digest")
        writer.object { writer in
            writer.member("since", digest.since)
            writer.member("until", digest.until)
            writer.key("summary")
            writer.object { writer in
                let summary = digest.movers.summary
                writer.member("pairs", digest.pairs)
                writer.member("up", summary.up)
                writer.member("down", summary.down)
                writer.member("entered", summary.entered)
                writer.member("left", summary.left)
                writer.member("withinNoise", summary.noise)
            }
            writer.key("moves")
            writer.array(digest.movers.rows.filter(\.judgement.isBeyondNoise), linePerElement: true) { writer, row in
                writer.object { $0.members(of: row) }
            }
            writer.key("slides")
            writer.array(digest.movers.rows.filter { $0.slide != nil }, linePerElement: true) { writer, row in
                writer.object { $0.members(of: row) }
            }
            writer.key("candidates")
            writer.array(digest.newcomers, linePerElement: true) { writer, newcomer in
                writer.object { $0.members(of: newcomer) }
            }
            writer.member("moreCandidates", digest.unshownNewcomers)
            writer.damagedLists(damaged)
            writer.key("versions")
            writer.array(digest.versions, linePerElement: true) { writer, version in
                writer.object { $0.members(of: version) }
            }
            writer.key("notes")
            writer.array(digest.notes, linePerElement: true) { writer, note in
                writer.object { $0.members(of: note) }
            }
            writer.key("weather")
            writer.array(digest.movers.remarks) { $0.string($1.text) }
            writer.key("checks")
            writer.object { $0.checks(digest) }
            writer.key("requests")
            writer.object { writer in
                writer.member("made", digest.requests)
                writer.member("budget", digest.budget)
                writer.member("perMinute", digest.status.requests.perMinute)
                writer.member("wantedPerDay", digest.status.requests.wantedPerDay)
            }
            writer.key("service")
            writer.object { $0.service(digest.status) }
        }
    }

    /// One row a thing that happened.
    package var csv: CSVWriter {
        var writer = CSVWriter(header: [
            "section", "at", "bundleId", "appName", "mine", "query", "country", "platform", "source", "language", "was",
            "now", "change", "count", "text", "usualChange",
        ])
        let blank = Array(repeating: CSVWriter.Field.empty, count: 5)
        func app(_ app: ReportedApp?) -> [CSVWriter.Field] {
            [.optional(app?.bundleID.text), .optional(app?.name), app.map { .bool($0.mark == .mine) } ?? .empty]
        }
        for row in digest.movers.rows where row.judgement.isBeyondNoise {
            writer.record(
                [.text("move"), .timestamp(row.to.checkedAt)] + app(row.app) + CSVWriter.fields(of: row.query) + [
                    .optional(row.from.position?.number), .optional(row.to.position?.number), .change(row.change),
                    .empty, .empty, .change(row.usualChange),
                ])
        }
        for row in digest.movers.rows {
            guard let slide = row.slide else { continue }
            let places = slide.direction == .up ? slide.places : -slide.places
            writer.record(
                [.text("slide"), .timestamp(row.to.checkedAt)] + app(row.app) + CSVWriter.fields(of: row.query) + [
                    .optional(slide.from.number), .optional(slide.to.number), .integer(Int64(places)), .empty,
                    .text("over \(NoiseModel.slideDays) days"), .integer(Int64(places)),
                ])
        }
        for newcomer in digest.newcomers {
            for entry in newcomer.entries {
                writer.record(
                    [.text("candidate"), .empty] + app(newcomer.app) + CSVWriter.fields(of: entry.query) + [
                        .empty, .integer(Int64(entry.position.number)), .empty, .empty, .empty, .empty,
                    ])
            }
        }
        for version in digest.versions {
            writer.record(
                [.text("version"), .timestamp(version.release.at)] + app(version.app) + blank + [
                    .empty, .empty, .empty, .empty, .optional(version.release.version), .empty,
                ])
        }
        for note in digest.notes {
            writer.record(
                [.text("note"), .text(note.note.on)] + app(note.app) + blank + [
                    .empty, .empty, .empty, .empty, .text(note.note.text), .empty,
                ])
        }
        for query in digest.troubled {
            for trouble in query.troubles {
                writer.record(
                    [.text(trouble.isSuspect ? "suspect" : "failed"), .timestamp(trouble.lastAt)] + app(nil)
                        + CSVWriter.fields(of: query.query) + [
                            .empty, .empty, .empty, .integer(Int64(trouble.count)), .text(trouble.reason), .empty,
                        ])
            }
        }
        return writer
    }
}

extension JSONWriter {
    fileprivate mutating func members(of row: Movers.Row) {
        members(of: row.query)
        members(of: row.app)
        member("mine", row.mine)
        reading("from", row.from)
        reading("to", row.to)
        member("change", row.change)
        member("usualChange", row.usualChange)
        judgement(row.judgement)
        slide(row.slide)
    }

    fileprivate mutating func members(of newcomer: Newcomer) {
        member("bundleId", newcomer.app.bundleID.text)
        member("appName", newcomer.app.name)
        key("entries")
        array(newcomer.entries) { writer, entry in
            writer.object { writer in
                writer.members(of: entry.query)
                writer.member("position", entry.position.number)
            }
        }
    }

    fileprivate mutating func members(of version: Digest.Version) {
        members(of: version.app)
        member("version", version.release.version)
        member("at", version.release.at)
        member("seenAt", version.release.seenAt)
        member("source", version.release.source.rawValue)
    }

    fileprivate mutating func members(of note: Digest.DayNote) {
        member("on", note.note.on)
        member("bundleId", note.app?.bundleID.text)
        member("version", note.note.version)
        member("text", note.note.text)
        key("added")
        array(note.note.added) { $0.string($1) }
        key("removed")
        array(note.note.removed) { $0.string($1) }
    }

    fileprivate mutating func checks(_ digest: Digest) {
        member("good", digest.checks.reduce(0) { $0 + $1.good })
        member("failed", digest.checks.reduce(0) { $0 + $1.failed })
        member("suspect", digest.checks.reduce(0) { $0 + $1.suspect })
        key("reasons")
        array(digest.reasons) { writer, reason in
            writer.object { writer in
                writer.member("reason", reason.reason)
                writer.member("suspect", reason.isSuspect)
                writer.member("checks", reason.checks)
                writer.member("queries", reason.queries)
            }
        }
        key("queries")
        array(digest.troubled, linePerElement: true) { writer, query in
            writer.object { writer in
                writer.members(of: query.query)
                writer.member("good", query.good)
                writer.member("failed", query.failed)
                writer.member("suspect", query.suspect)
            }
        }
    }

    fileprivate mutating func service(_ status: Status) {
        member("status", status.level.rawValue)
        member("databaseBytes", status.database.bytes)
        member("trouble", status.database.trouble?.rawValue)
        member("overdue", status.overdueCount)
        member("backup", status.backups) { writer, backups in
            writer.member("lastAt", backups.lastAt)
            writer.member("late", backups.isLate(at: status.generatedAt))
            writer.member("failedAt", backups.failedAt)
        }
    }
}
