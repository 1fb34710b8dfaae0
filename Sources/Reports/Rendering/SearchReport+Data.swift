import Judging
import RankKit

extension SearchReport {
    package func write(to writer: inout JSONWriter) {
        writer.member("query", query.text)
        writer.member("country", query.country.code)
        writer.member("platform", query.platform.rawValue)
        writer.member("source", query.source.rawValue)
        writer.member("language", query.language)
        writer.key("results")
        writer.array(entries(), linePerElement: true) { writer, entry in
            writer.object { writer in
                writer.member("position", entry.position)
                writer.member("readable", entry.app != nil)
                writer.member("bundleId", entry.app?.bundleID.text)
                writer.member("appId", entry.app?.id?.number)
                writer.member("appName", entry.details?.name)
                writer.member("developer", entry.details?.developer)
                writer.member("rating", entry.details?.rating)
                writer.member("ratingCount", entry.details?.ratingCount)
                writer.member("mark", entry.mark?.rawValue)
            }
        }
    }

    package var csv: CSVWriter {
        var writer = CSVWriter(header: [
            "position", "readable", "bundleId", "appId", "appName", "developer", "rating", "ratingCount", "mark",
        ])
        for entry in entries() {
            writer.record([
                .integer(Int64(entry.position)), .bool(entry.app != nil), .optional(entry.app?.bundleID.text),
                entry.app?.id.map { .integer($0.number) } ?? .empty, .optional(entry.details?.name),
                .optional(entry.details?.developer), entry.details?.rating.map { .number($0) } ?? .empty,
                entry.details?.ratingCount.map { .integer($0) } ?? .empty, .optional(entry.mark?.rawValue),
            ])
        }
        return writer
    }
}
