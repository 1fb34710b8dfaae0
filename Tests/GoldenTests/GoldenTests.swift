import Foundation
import ProgramStage
import Reports
import TestSupport
import Testing

/// Every view in every form, from one month that is the same each time it is made.
@Suite struct GoldenTests {
    @Test(arguments: GoldenView.all)
    func `every form of a view is as it was reviewed`(_ view: GoldenView) async throws {
        let demo = try await GoldenDemo.shared.value
        let forms = Golden.forms(of: try view.make(try demo.reader(), demo.now), named: view.name)
        guard !Golden.isRenewing else {
            for form in forms { try form.renew() }
            Issue.record("renewed: look at what git says has changed, then run again without RANKD_RENEW_GOLDENS")
            return
        }
        for form in forms {
            if let difference = try form.difference() { Issue.record("\(difference)") }
        }
    }

    @Test func `nothing is kept that no view makes`() throws {
        let views = Set(GoldenView.all.map(\.name))
        let kept = try FileManager.default.contentsOfDirectory(atPath: Golden.folder.path)
        #expect(kept.filter { !views.contains(String($0.prefix { $0 != "." })) } == [])
    }

    @Test func `no line of a table is wider than the terminal`() async throws {
        let demo = try await GoldenDemo.shared.value
        for view in GoldenView.all {
            let report = try view.make(try demo.reader(), demo.now)
            for width in [60, 80, 120, 200] {
                let text = report.render(as: .table, style: TerminalStyle(colour: false, width: width))
                let wide = text.split(separator: "\n").filter { TerminalText.width(String($0)) > width }
                #expect(wide == [], "\(view.name) at \(width)")
            }
        }
    }

    /// An implementation of its own, from the documentation, which reads no derived table.
    @Test(.enabled("there is no python3 to recompute them with") { Recomputation.python != nil })
    func `every number is what the raw checks say`() async throws {
        let demo = try await GoldenDemo.shared.value
        let run = try await Recomputation.run(over: demo, reports: Golden.folder.path)
        #expect(run.ending == .code(0), "\(run.words)")
    }

    @Test(.enabled("there is no python3 to recompute them with") { Recomputation.python != nil })
    func `a number that is not what the raw checks say is found`() async throws {
        let demo = try await GoldenDemo.shared.value
        let folder = try TemporaryFolder()
        for name in ["standings", "movers", "visibility", "distribution"] {
            let kept = try String(contentsOf: Golden.folder.appendingPathComponent(name + ".json"), encoding: .utf8)
            let wrong = name == "movers" ? kept.replacing("\"compared\":", with: "\"compared\":1") : kept
            _ = try folder.write(wrong, to: name + ".json")
        }
        let run = try await Recomputation.run(over: demo, reports: folder.path)
        #expect(run.ending == .code(1) && run.words.contains("movers.compared"), "\(run.words)")
    }
}
