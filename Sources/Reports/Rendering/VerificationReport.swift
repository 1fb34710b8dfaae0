package import History
package import RankKit

/// What `rankctl verify` found, whole: for programs. People read each finding as it comes.
package struct VerificationReport: Sendable {
    package var generatedAt: Timestamp
    package var path: String
    package var parts: VerifiedParts
    package var findings: [Finding]
    /// How many there are, those included that are not in `findings`.
    package var findingCount: Int

    package init(generatedAt: Timestamp, path: String, parts: VerifiedParts, findings: [Finding], findingCount: Int) {
        self.generatedAt = generatedAt
        self.path = path
        self.parts = parts
        self.findings = findings
        self.findingCount = findingCount
    }

    package enum Format: String, Sendable, Hashable, CaseIterable { case table, json }

    /// One line for people.
    package var summary: String {
        let looked =
            "\(Figures.counted(parts.checks, "check")) of \(Figures.counted(parts.queries, "query", "queries")), "
            + "\(Figures.counted(parts.positions, "position")), their lists, apps, standings and roll-ups"
        return findingCount == 0
            ? "all is as it must be: \(looked)" : "\(Figures.counted(findingCount, "finding")) in \(looked)"
    }

    package func json() -> String {
        JSONWriter.document(generatedAt: generatedAt) { writer in
            writer.key("verification")
            writer.object { writer in
                writer.member("path", path)
                writer.member("sound", findingCount == 0)
                writer.member("queries", parts.queries)
                writer.member("checks", parts.checks)
                writer.member("positions", parts.positions)
                writer.member("findingCount", findingCount)
                writer.key("findings")
                writer.array(findings) { writer, finding in
                    writer.object { writer in
                        writer.member("part", finding.part.rawValue)
                        writer.member("place", finding.place)
                        writer.member("problem", finding.problem)
                    }
                }
            }
        }
    }
}
