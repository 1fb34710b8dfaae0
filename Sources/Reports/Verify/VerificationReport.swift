package import History
package import RankKit

/// What `rankctl verify` found, whole: for programs. People read each finding as it comes.
package struct VerificationReport: ReportValue {
    package var generatedAt: Timestamp
    var path: String
    var parts: VerifiedParts
    var findings: [Finding]
    /// How many there are, those included that are not in `findings`.
    var findingCount: Int

    package init(generatedAt: Timestamp, path: String, parts: VerifiedParts, findings: [Finding], findingCount: Int) {
        self.generatedAt = generatedAt
        self.path = path
        self.parts = parts
        self.findings = findings
        self.findingCount = findingCount
    }

    /// One line for people.
    package var summary: String {
        let looked =
            "\(Figures.counted(parts.checks, "check")) of \(Figures.counted(parts.queries, "query", "queries")), "
            + "\(Figures.counted(parts.positions, "position")), their lists, apps, standings and roll-ups"
        return findingCount == 0
            ? "everything is consistent: \(looked)" : "\(Figures.counted(findingCount, "finding")) in \(looked)"
    }

    /// What to do about what was found, a sentence or two for each part that needs something of its own.
    ///
    /// - Parameter parts: those in which something was found.
    package static func advice(on parts: Set<Finding.Part>) -> [String] {
        Finding.Part.allCases.filter(parts.contains).map(\.remedy).reduce(into: []) { advice, remedy in
            if !advice.contains(remedy) { advice.append(remedy) }
        }
    }

    package var document: Document {
        var document = Document(title: "What rankctl verify found", generatedAt: generatedAt)
        document.paragraph(summary)
        document.list(findings.map { StyledText($0.description) })
        document.notes(Self.advice(on: Set(findings.map(\.part))))
        return document
    }

    package static let shape = ReportShape<VerificationReport>(
        "verify", command: "rankctl verify",
        [
            .group(
                "verification", "Whether every stored list can be read, and every figure fits the checks behind it.",
                [
                    .value("path") { $0.path },
                    .value("sound", "Whether nothing was found.") { $0.findingCount == 0 },
                    .value("queries", nil, .count) { $0.parts.queries },
                    .value("checks", nil, .count) { $0.parts.checks },
                    .value("positions", nil, .count) { $0.parts.positions },
                    .value("findingCount", "All of them, also those that are not listed.", .count) { $0.findingCount },
                    .list("findings", "What is not as it must be.", Finding.shape) { $0.findings },
                ])
        ], csv: .each("verification.findings", "one finding", ["part", "place", "problem"]))
}

extension Finding {
    fileprivate static let shape = ObjectShape<Finding>(fields: [
        .value("part", "What was looked at.") { $0.part }, .value("place", "Which row.") { $0.place },
        .value("problem", "In words.") { $0.problem },
    ])
}

extension Finding.Part: FieldWord {}

extension Finding.Part {
    /// What to do about it, without a full stop.
    fileprivate var remedy: String {
        switch self {
        case .structure, .references, .positions:
            "structure, references, positions: stop rankd and put back a backup that “rankctl verify FILE” finds sound; "
                + "without one, save what can be read with “\(ReportAudience.command("rankctl export"))”"
        case .lists:
            "lists: rankd goes on, and reports leave a gap where a list cannot be read; a backup from before the damage "
                + "still has it"
        case .apps, .standings, .rollUps:
            "apps, standings, roll-ups: these figures follow from checks and lists; "
                + "“\(ReportAudience.command("rankctl export"))”, then “rankctl import” into a new history, makes them anew"
        }
    }
}
