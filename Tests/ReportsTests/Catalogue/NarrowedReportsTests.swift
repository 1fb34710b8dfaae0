import ArgumentParser
import Foundation
import History
import JudgingStage
import RankKit
import Synchronization
import TestSupport
import Testing

@testable import Reports

/// Whoever may see some tags alone learns of nothing else, by whatever interface.
@Suite struct NarrowedReportsTests {
    private func reader(_ clients: TwoClients, narrowed: Bool = true) throws -> HistoryReader {
        let whole = try HistoryReader(path: clients.store.path)
        return narrowed ? try whole.narrowed(to: [TwoClients.ownTag]) : whole
    }

    /// What every report answers, by its name and what it was asked: all of its forms, or why it refuses, and whatever
    /// it remarks.
    private func answers(_ names: [ExampleNames], from reader: HistoryReader) throws -> [String: String] {
        var answers: [String: String] = [:]
        for names in names {
            for request in ReportCatalogue.reports {
                for example in request.examples(names) {
                    answers[([example.name] + example.arguments).joined(separator: " ")] = try answer(
                        request, example.arguments, from: reader)
                }
            }
        }
        return answers
    }

    private func answer<Request: ReportRequest>(
        _ request: Request.Type, _ arguments: [String], from reader: HistoryReader
    ) throws -> String {
        let remarks = Mutex("")
        let context = try ReportContext(reader, now: noon, zone: .gmt, database: "history.sqlite") { remark in
            remarks.withLock { $0 += remark + "\n" }
        }
        do {
            let value = try request.parse(arguments).answer(in: context)
            let forms = ReportFormat.allCases.map {
                value.render(as: $0, style: TerminalStyle(colour: false, width: 400))
            }
            return forms.joined(separator: "\n") + remarks.withLock(\.self)
        } catch let refusal as ReportRefusal {
            return "refused: \(refusal)"
        }
    }

    private func names(_ own: TwoClients.Names) -> ExampleNames {
        ExampleNames(app: own.app, queries: own.queries, countries: own.countries, version: own.version)
    }

    /// The same, of the other client's, with another word in the place of the marker.
    private func others(_ word: String) -> [ExampleNames] {
        ["com.\(word).own", "\(word)common", "com.\(word).other3"].map { app in
            ExampleNames(
                app: app, queries: ["\(word) stripes", "\(word) food", "\(word) gone"], countries: ["us", "jp"],
                version: "7.7")
        } + [
            ExampleNames(
                app: "focus", queries: ["\(word) stripes", "\(word) food"], countries: ["us", "jp"], version: "7.7"),
            ExampleNames(
                app: "com.\(word).own", queries: ["timer", "clock"], countries: ["us", "de"], version: "7.7"),
        ]
    }

    @Test func `the other client is in what the whole history answers`() async throws {
        let clients = try await TwoClients()
        let answers = try answers([names(TwoClients.own)], from: reader(clients, narrowed: false))
        let telling = answers.filter { $0.value.lowercased().contains(TwoClients.marker) }.map(\.key)
        for name in ["standings", "movers", "digest", "status", "apps", "opportunities", "visibility"] {
            #expect(telling.contains { $0.hasPrefix(name) }, "\(name)")
        }
    }

    @Test func `no report tells of the other client`() async throws {
        let clients = try await TwoClients()
        let answers = try answers([names(TwoClients.own)], from: reader(clients))
        #expect(answers.count >= ReportCatalogue.reports.count)
        for (asked, text) in answers {
            #expect(!text.hasPrefix("refused"), "\(asked): \(text)")
            let lines = text.split(separator: "\n").filter {
                $0.lowercased().contains(TwoClients.marker) || $0.contains("\"jp\"")
            }
            #expect(lines.isEmpty, "\(asked): \(lines.prefix(3))")
        }
    }

    @Test func `no answer depends on how much others have`() async throws {
        let (few, many) = (try await TwoClients(), try await TwoClients(more: 4))
        let (own, beside) = (
            try answers([names(TwoClients.own)], from: reader(few)),
            try answers([names(TwoClients.own)], from: reader(many))
        )
        #expect(own.keys == beside.keys)
        for (asked, text) in own {
            let other = (beside[asked] ?? "").split(separator: "\n")
            let lines = text.split(separator: "\n").filter { !other.contains($0) }
            #expect(text == beside[asked], "\(asked): \(lines.prefix(3))")
        }
        let whole = try answers([names(TwoClients.own)], from: reader(many, narrowed: false))
        #expect(whole.filter { own[$0.key] != $0.value }.keys.contains { $0.hasPrefix("volatility") })
    }

    @Test func `who is narrowed is told of no byte, pass and request of the service`() async throws {
        let clients = try await TwoClients(more: 2)
        let status = try Status(from: reader(clients), now: noon)
        #expect(status.database.bytes == nil && status.database.walBytes == nil && status.lastPass == nil)
        #expect(status.requests.lastHour == nil && status.requests.lastDay == nil && status.upkeep == nil)
        #expect(status.waited == nil && status.queryCount == 3)
        let whole = try Status(from: reader(clients, narrowed: false), now: noon)
        #expect(whole.lastPass?.asked == 12 && whole.waited != nil && whole.upkeep?.last != nil)
        let text = StatusReport(status).render(as: .table)
        #expect(!text.contains("last pass") && !text.contains("WAL") && !text.contains("in the last hour"))
    }

    @Test func `what is not read at this machine names no folder`() async throws {
        let clients = try await TwoClients()
        try await clients.store.noteRefusal("\(clients.folder.path)/watchlist.json:3:5: no app", at: noon - hour)
        let context = try ReportContext(
            HistoryReader(path: clients.store.path), now: noon, zone: .gmt, database: "history.sqlite")
        let report = try StatusRequest().answer(in: context)
        for format in ReportFormat.allCases {
            let text = report.render(as: format)
            #expect(!text.contains(clients.folder.path), "\(format): \(text)")
        }
        #expect(report.render(as: .json).contains("\"watchlist.json:3:5: no app\""))
    }

    @Test func `what is the other client's is refused as what never was`() async throws {
        let clients = try await TwoClients()
        let reader = try reader(clients)
        let real = try answers(others(TwoClients.marker), from: reader)
        let invented = try answers(others("ghost"), from: reader)
        #expect(real.values.contains { $0.hasPrefix("refused") })
        for (asked, text) in real {
            let known = invented[asked.replacing(TwoClients.marker, with: "ghost")]
            #expect(text.replacing(TwoClients.marker, with: "ghost") == known, "\(asked)")
        }
    }

    @Test func `no refusal guesses at a name of the other client's`() async throws {
        let clients = try await TwoClients()
        let narrowed = try answers(others("zebr"), from: reader(clients))
        let whole = try answers(others("zebr"), from: reader(clients, narrowed: false))
        #expect(whole.values.contains { $0.hasPrefix("refused") && $0.contains(TwoClients.marker) })
        for (asked, text) in narrowed { #expect(!text.lowercased().contains(TwoClients.marker), "\(asked): \(text)") }
        for filter in [
            ["--tag", "zebrtag"], ["--app", "zebrown"], ["--query", "zebr stripes"], ["--country", "jp"],
        ] {
            let text = try answer(StandingsRequest.self, filter, from: reader(clients))
            #expect(!text.lowercased().contains(TwoClients.marker), "\(filter): \(text)")
        }
    }

    @Test func `the standings of a narrowed reader are those of its tag`() async throws {
        let clients = try await TwoClients()
        for request in [["--competitors", "--all"], ["--until", "5d"]] {
            let own = try answer(StandingsRequest.self, request, from: reader(clients))
            let tagged = try answer(
                StandingsRequest.self, request + ["--tag", TwoClients.ownTag], from: reader(clients, narrowed: false))
            #expect(own.contains("com.acme.focus") && own.contains("#7"))
            #expect(Self.lines(own).symmetricDifference(Self.lines(tagged)) == [])
        }
    }

    /// Without the other client's tag, which a pair of both has, and how sure the verdicts are: what is usual is learnt
    /// from all pairs that a reader sees.
    private static func lines(_ text: String) -> Set<Substring> {
        Set(
            text.replacing(/[ ,;]+"?zebratag"?/, with: "").replacing(/"(evidence|strength)":[0-9.]+/, with: "")
                .split(separator: "\n"))
    }

    @Test func `without a tag there is nothing to see`() async throws {
        let clients = try await TwoClients()
        let nobody = try HistoryReader(path: clients.store.path).narrowed(to: [])
        let answers = try answers([names(TwoClients.own)], from: nobody)
        for (asked, text) in answers {
            #expect(!text.contains("com."), "\(asked): \(text.prefix(300))")
        }
    }
}
