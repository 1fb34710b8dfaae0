import RankKit
import Reports

/// A message as people are to read it, whatever the way out: clean, each part in one line, and not escaped yet.
struct CleanMessage {
    struct Line {
        /// The app's name, shortened; `nil` for what is about none.
        var app: String?
        /// `“query” (us, iPhone)`, with the bundle identifier before it if the app's name is cut; `nil` for what is about
        /// none.
        var place: String?
        var text: String
        /// Blocks, one a day; empty if there are none to show.
        var trend: String

        /// All of it, for ways out that show plain text.
        var plain: String {
            let subject = [app, place].compactMap(\.self).joined(separator: " · ")
            return (subject.isEmpty ? "" : subject + ": ") + text + (trend.isEmpty ? "" : "  " + trend)
        }
    }

    var title: String
    var lines: [Line]
    /// What is said below the lines: what was left out, a remark, that it is a test.
    var remark: String?
    /// Left out before it came here.
    var omitted: Int
    var isTest: Bool

    init(_ message: AlertMessage) {
        lines = message.lines.map(Line.init)
        title = Self.title(message)
        remark = message.remark.map(CleanText.line)
        omitted = max(0, message.omitted)
        isTest = message.isTest
    }

    /// The same with another text in place of each that may come from a store.
    func mapped(_ change: (String) -> String) -> CleanMessage {
        var message = self
        message.title = change(title)
        message.remark = remark.map(change)
        message.lines = lines.map { line in
            Line(app: line.app.map(change), place: line.place.map(change), text: change(line.text), trend: line.trend)
        }
        return message
    }

    /// The title, which begins with the name that the first line has.
    private static func title(_ message: AlertMessage) -> String {
        let title = CleanText.line(message.title)
        guard let name = message.lines.first?.app.map(CleanText.line), !name.isEmpty, title.hasPrefix(name) else {
            return title
        }
        return CleanText.isolated(name) + title.dropFirst(name.count)
    }

    /// What stands below the lines, with `more` that had no room here; empty if there is nothing to say.
    func closing(omitting more: Int = 0) -> [String] {
        let left = omitted + more
        return [
            left == 0
                ? nil
                : left == 1
                    ? "and 1 more that is not shown here"
                    : "and \(Figures.grouped(Int64(left))) more that are not shown here",
            remark,
            isTest ? "This is a test that somebody asked for." : nil,
        ].compactMap(\.self)
    }
}

extension CleanMessage.Line {
    init(_ line: AlertMessage.Line) {
        app = (line.app ?? line.bundleID?.description).map { CleanText.isolated(CleanText.name($0)) }
        // Which app it is must not depend on what of its name there is room for.
        let identifier = line.app.map(CleanText.isCut) ?? false ? line.bundleID.map { CleanText.line($0.text) } : nil
        text = CleanText.line(line.text)
        // The sentence about a country's store names it.
        let sides =
            line.kind == .weather
            ? ""
            : [line.country?.code, line.platform?.displayName, line.language].compactMap(\.self)
                .joined(separator: ", ")
        let query = line.query.map { "“\(CleanText.isolated(CleanText.name($0)))”" }
        let asked: String? =
            switch (query, sides.isEmpty) {
            case (let query?, true): query
            case (let query?, false): "\(query) (\(sides))"
            case (nil, false): sides
            case (nil, true): nil
            }
        place = identifier.map { [$0, asked].compactMap(\.self).joined(separator: " · ") } ?? asked
        trend = line.trend
    }
}

extension AlertMessage.Line {
    /// The places as blocks, better is higher, as the reports draw them: an absence as one, and a gap where nothing is
    /// known; empty if there is none of the first two.
    var trend: String {
        Sparkline(
            places.map { place in
                if place == .unknown { return nil }
                let position = place.number.flatMap(Position.init)
                return Reading(position: position, within: position?.number ?? 0, checkedAt: .startOfDay(0))
            }
        ).text
    }
}
