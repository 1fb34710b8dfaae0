import Foundation
import Judging
import JudgingStage
import RankKit
import Testing

@testable import Reports

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite struct ChartSVGTests {
    private let start = noon - 40 * day

    private func positions(_ places: [Int?], name: String = "Habit Hero", mark: AppMark? = .mine) -> Chart.PositionLine
    {
        .init(
            name: name, mark: mark,
            points: places.enumerated().map { index, place in
                let at = start + Int64(index) * day
                guard let place else { return .init(at: at, place: .absent(within: 180)) }
                return .init(at: at, place: Position(place).map { .ranked($0) } ?? .gap)
            })
    }

    private func chart(_ content: Chart.Content, title: String = "habit tracker") -> Chart {
        Chart(
            title: title, summary: "\"said\" & done", span: start...noon, content: content,
            events: [
                .init(at: start + 3 * day, kind: .version, label: "2.1 <script>"),
                .init(at: start + 4 * day, kind: .weather, label: "the store shuffled"),
            ])
    }

    @Test func `a day of weather is a band behind the lines, and says in words what it was`() {
        var chart = chart(.positions([positions(Array(1...40))]))
        #expect(!chart.figure(id: "a").contains("fill-opacity"))
        chart.weather = .init(days: [start.day + 10, start.day - 5], legend: "the US store <b>shuffled</b>")
        let figure = chart.figure(id: "a")
        #expect(figure.components(separatedBy: "fill-opacity").count == 3, "one day, and the key: \(figure)")
        #expect(figure.contains("the US store &lt;b&gt;shuffled&lt;/b&gt;</li>"))
        let (band, line) = (figure.range(of: "fill-opacity"), figure.range(of: "line-mine"))
        #expect(band.flatMap { band in line.map { band.lowerBound < $0.lowerBound } } == true)
    }

    private var all: [Chart] {
        let places = (0...40).map { $0 % 9 == 4 ? 0 : $0 % 9 == 5 ? nil : $0 + 1 }
        return [
            chart(.positions([positions(places)]), title: "<b>&\u{1B}[2J\u{202E}"),
            chart(
                .positions([
                    positions(places), positions([3, 4, 5], name: "<i>'", mark: .competitor), positions([], mark: nil),
                ])),
            chart(.positions([])), chart(.positions([positions([0])])), chart(.positions([positions([nil])])),
            chart(.positions([positions([7])])), chart(.positions([positions([7, 7])])),
            chart(
                .values(
                    [.init(name: "us", points: [.init(at: start, value: .nan), .init(at: noon, value: 1e300)])],
                    range: nil)),
            chart(
                .values(
                    [.init(name: "us", points: [.init(at: start, value: 3), .init(at: noon, value: 4)])], range: 0...100
                )),
            chart(
                .stack(
                    [
                        .init(at: start, counts: [1, 2, 3]), .init(at: start + day, counts: []),
                        .init(at: noon, counts: [4, 0, 0]),
                    ], parts: ["1", "<2>", "3"])),
            chart(.stack([], parts: [])),
        ]
    }

    /// The names and attributes of the elements; a failure where the text is no XML.
    private func elements(_ text: String) -> [(name: String, attributes: [String: String])] {
        let reader = ElementReader()
        let parser = XMLParser(data: Data(text.utf8))
        parser.delegate = reader
        #expect(parser.parse(), "\(text)")
        return reader.elements
    }

    @Test func `every drawing is well-formed, named, and has no figure that is none`() {
        for (index, chart) in all.enumerated() {
            let svg = chart.svg(id: "chart-\(index)")
            let elements = elements(svg)
            #expect(elements.first?.name == "svg" && elements.first?.attributes["role"] == "img")
            let names = elements.first?.attributes["aria-labelledby"]?.split(separator: " ").map(String.init)
            #expect(
                names == elements.filter { ["title", "desc"].contains($0.name) }.compactMap { $0.attributes["id"] })
            #expect(!svg.lowercased().contains("nan") && !svg.contains("inf") && !svg.contains("–\""))
            #expect(!svg.contains("\u{1B}") && !svg.contains("<script") && !svg.contains("style="))
            #expect(svg == chart.svg(id: "chart-\(index)"))
        }
    }

    @Test func `everything drawn lies within the drawing`() throws {
        for chart in all {
            let elements = elements(chart.svg(id: "x"))
            let box = try #require(elements.first?.attributes["viewBox"]).split(separator: " ").compactMap {
                Double($0)
            }
            for (_, attributes) in elements.dropFirst() {
                for key in ["x", "x1", "x2", "cx"] {
                    if let x = attributes[key].flatMap(Double.init) { #expect((0...box[2]).contains(x)) }
                }
                for key in ["y", "y1", "y2", "cy"] {
                    if let y = attributes[key].flatMap(Double.init) { #expect((0...box[3]).contains(y)) }
                }
            }
        }
    }

    @Test func `lines are classed by whose they are, broken at gaps, and one check is a dot`() {
        let svg = chart(.positions([positions([5, 6, 0, 7, 8]), positions([9], mark: .competitor)])).svg(id: "x")
        #expect(svg.components(separatedBy: "<path class=\"line-mine hue-0\"").count == 3)
        #expect(svg.contains("<circle class=\"dot-competitor hue-1\"") && svg.contains("class=\"gap\""))
    }

    @Test func `letters stand at the lines' ends, those of neighbours beside each other`() {
        let lines = [[10, 40], [30, 11], [90, 90]].enumerated().map { index, places in
            positions(places, name: "\(index)")
        }
        let svg = chart(.positions(lines)).svg(id: "x")
        let names = elements(svg).filter { $0.name == "tspan" }.compactMap { $0.attributes["class"] }
        #expect(names == ["hue-1", "hue-0", "hue-2"])
        let close = chart(.positions([positions([9]), positions([9])])).svg(id: "x")
        #expect(close.contains("<tspan class=\"hue-0\">a</tspan><tspan class=\"hue-1\">b</tspan>"))
    }

    @Test func `a bar of a stack says its counts, and the last one's parts are named`() {
        let svg = chart(
            .stack([.init(at: start, counts: [1, 2]), .init(at: start + day, counts: [3, 0])], parts: ["1", "<2>"])
        ).svg(id: "x")
        #expect(svg.contains("<g><title>2026-10-11: 1 1, &lt;2&gt; 2</title>"))
        #expect(svg.contains("class=\"label\"") && svg.contains(">1</text>") && !svg.contains(">&lt;2&gt;</text>"))
    }

    @Test func `where one line runs there is no gap, though another is unknown`() {
        let known = Chart.ValueLine(name: "a", points: (0...40).map { .init(at: start + $0 * day, value: 5) })
        let late = Chart.ValueLine(
            name: "b", points: (0...40).map { .init(at: start + $0 * day, value: $0 < 14 ? nil : 4) })
        #expect(!chart(.values([known, late], range: nil)).svg(id: "x").contains("class=\"gap\""))
        #expect(chart(.values([late], range: nil)).svg(id: "x").contains("class=\"gap\""))
    }

    @Test func `a sparkline is a small drawing that says in words what it shows`() {
        let sparkline = Sparkline(trend([24, 20, nil]) + [nil] + trend([12]))
        #expect(elements(sparkline.svg).first?.attributes["aria-label"] == "from #24 to #12, between #12 and #24")
        #expect(sparkline.svg.contains("class=\"spark\"") && sparkline.svg.contains("<circle"))
        #expect(Sparkline([nil, nil]).svg.isEmpty && Sparkline([]).svg.isEmpty)
        #expect(
            elements(Sparkline([reading(nil)]).svg).first?.attributes["aria-label"] == "from beyond 180 to beyond 180")
    }

    private var ranked: Chart {
        var chart = chart(
            .positions([
                positions([1, 2, 2], name: "A name too long for the room that there is"),
                positions([2, 1, 1], name: "Second", mark: .competitor),
                positions([9, 9, 10], name: "<i>'", mark: nil),
            ]))
        (chart.size, chart.rankedPlaces) = (.high, 10)
        return chart
    }

    @Test func `a list's first places are as far from one another as any`() throws {
        let axis = try #require(ChartAxis(of: ranked))
        #expect(axis.ticks.map(\.label) == (1...10).map { "#\($0)" } && axis.floor == nil)
        #expect(abs(axis.fraction(2) - axis.fraction(1) - axis.fraction(10) + axis.fraction(9)) < 1e-9)
    }

    @Test func `each of their lines has its app's name at its end, with mine over the others`() {
        let figure = ranked.figure(id: "a")
        #expect(figure.contains("end-competitor") && figure.contains(">Second</text>"))
        #expect(figure.contains(">A name too lo") && !figure.contains("room that there is</text>"))
        #expect(figure.contains("&lt;i&gt;&#39;</text>") && !figure.contains("class=\"keys\""))
        let lines = ["line-other", "line-competitor", "line-mine"].map { figure.range(of: $0)?.lowerBound }
        #expect(lines.compactMap(\.self) == lines.compactMap(\.self).sorted() && !lines.contains(nil))
    }

    @Test func `names that begin alike are told apart where the lines end`() {
        #expect(
            SVGDrawing.endNames(["Habit Tracker – Daily", "Habit Tracker – Goals and more", "Streaks"])
                == ["…Daily", "…Goals and mo…", "Streaks"])
        #expect(
            SVGDrawing.endNames(["Habit Tracker Plus", "Habit Tracker Planner", "Habit Tracker"])
                == ["…Plus", "…Planner", "Habit Tracker"])
        // The one has nothing beyond what both begin with.
        let same = SVGDrawing.endNames(["A habit tracker", "A habit tracker"])
        #expect(same[0] == same[1] && !same[0].isEmpty)
        #expect(SVGDrawing.endNames(["習慣を記録するアプリ", "習慣を記録する日記"]) == ["…アプリ", "…日記"])
    }

    @Test func `what others do is not painted as bad news`() {
        var chart = chart(.positions([positions([1, nil, 3], mark: nil), positions([2, 3, 4], mark: .mine)]))
        (chart.size, chart.rankedPlaces) = (.high, 10)
        #expect(!chart.figure(id: "a").contains("class=\"absent\""))
    }

    @Test func `names that end beside each other do not touch`() {
        var chart = chart(.positions((0..<10).map { positions([1, 5, 5], name: "App \($0)", mark: nil) }))
        (chart.size, chart.rankedPlaces) = (.high, 10)
        let heights = chart.figure(id: "a").matches(of: /end-other" x="[0-9.]+" y="([0-9.]+)"/).compactMap {
            Double($0.output.1)
        }
        #expect(heights.count == 10)
        #expect(zip(heights, heights.dropFirst()).allSatisfy { $1 - $0 >= SVGDrawing.lineHeight - 0.2 })
    }
}

private final class ElementReader: NSObject, XMLParserDelegate {
    var elements: [(name: String, attributes: [String: String])] = []

    func parser(
        _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?, qualifiedName qName: String?,
        attributes attributeDict: [String: String] = [:]
    ) {
        elements.append((elementName, attributeDict))
    }
}
