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

    package var document: Document {
        var document = Document(title: "What rankctl verify found", generatedAt: generatedAt)
        document.paragraph(summary)
        document.list(findings.map { StyledText($0.description) })
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
