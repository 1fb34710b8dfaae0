import History
import Judging
import RankKit

/// `rankctl report release APP`: which releases of an app are known.
struct ReleasesReport: ReportValue {
    var releases: Releases

    init(_ releases: Releases) { self.releases = releases }

    var generatedAt: Timestamp { releases.generatedAt }

    var document: Document {
        var document = Document(title: "Releases of \(releases.app.title)", generatedAt: generatedAt)
        guard !releases.rows.isEmpty else {
            document.paragraph("\(releases.app.title): rankd knows no version, neither from a note nor from an answer")
            return document
        }
        document.paragraph(
            StyledText([
                .title(releases.app, .strong),
                Cell(" · " + Figures.counted(releases.rows.count, "release")),
            ]))
        var table = Table(
            columns: [
                .init("version"), .init("on"), .init("known from"),
                .init("queries", .right, priority: 2, meaning: "how many the note names as gained or given up"),
                .init("note", minimum: 30, priority: 3, below: .plain),
            ], indent: 2)
        table.rows = releases.rows.map { row in
            let release = row.release
            let words = release.added.count + release.removed.count
            return .cells([
                Cell(release.version ?? "–", .strong), Cell(CivilTime.date(.startOfDay(row.day))),
                Cell(Self.source(release), .faint), Cell(words > 0 ? "\(words)" : ""), Cell(release.text),
            ])
        }
        document.table(table)
        document.legend()
        document.notes([
            ReportAudience.words(
                AskedOptions.current.command(
                    "rankctl report release \(ShellWord.quoted(releases.app.alias ?? releases.app.bundleID.text)) VERSION",
                    of: "release", leavingOut: ["since", "until", "at"]), tools: "the tool release with a version")
                + " says what a release did"
        ])
        return document
    }

    private static func source(_ release: AppRelease) -> String {
        switch release.source {
        case .note: "note"
        case .sighting: release.releasedAt == nil ? "first seen" : "Apple's date"
        }
    }

    static let shape = ReportShape<ReleasesReport>(
        "releases", command: ReleaseRequest.about.command + " APP",
        [
            .object("app", "Whose releases these are.", ReportedApp.shape) { $0.releases.app },
            .list("releases", "Newest first.", onLines: true, Releases.Row.shape) { $0.releases.rows },
        ],
        csv: .kinds(
            "one release",
            header: [
                "bundleId", "version", "on", "at", "source", "releasedAt", "seenAt", "text", "added", "removed",
            ],
            [
                .lines(
                    { $0.releases.rows },
                    [
                        .cell("bundleId") { $0.release.bundleID }, .cell("version") { $0.release.version },
                        .cell("on") { DateValue($0.day) }, .cell("at") { $0.release.at },
                        .cell("source") { $0.release.source },
                        .cell("releasedAt") { $0.release.releasedAt }, .cell("seenAt") { $0.release.seenAt },
                        .cell("text") { $0.release.text }, .cell("added") { Releases.Row.joined($0.release.added) },
                        .cell("removed") { Releases.Row.joined($0.release.removed) },
                    ])
            ]
        ).short("bundleId", "version", "on", "source", "text", "added", "removed"))
}

extension Releases.Row {
    static let shape = ObjectShape<Releases.Row>(fields: [
        .value("version", "As the note has it, else as Apple does; null for a noted change without one.") {
            $0.release.version
        },
        .value("on", "The day that counts as the release's: windows lie before and after it.") { DateValue($0.day) },
        .value(
            "at",
            "The first second of the note's day; without a note Apple's date, else the first check that showed the version."
        ) { $0.release.at },
        .value("source", "Whether the watchlist's note or the store's answers tell of it.") { $0.release.source },
        .value("releasedAt", "What Apple dates the version to.") { $0.release.releasedAt },
        .value(
            "seenAt",
            "The first check that showed the version; null where none did, or the first that showed the app did."
        ) { $0.release.seenAt },
        .value("text", "The note's words; empty without one.") { $0.release.text },
        .value("added", "Search texts that the change was meant to gain.") { $0.release.added },
        .value("removed", "Search texts that the change gave up.") { $0.release.removed },
    ])

    /// Texts that may hold a semicolon's neighbours: joined by `; ` in CSV.
    fileprivate static func joined(_ texts: [String]) -> String { texts.joined(separator: "; ") }
}

extension AppRelease.Source: FieldWord {}
