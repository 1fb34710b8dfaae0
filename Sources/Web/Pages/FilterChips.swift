import RankKit
import Reports

/// What a page can be narrowed to with one press, each a link that keeps all the rest of the address.
struct FilterChips: Sendable {
    /// A value that can be chosen, and what it is called.
    struct Choice: Sendable, Hashable {
        let value: String
        let words: String

        init(_ value: String, _ words: String? = nil) {
            self.value = value
            self.words = words ?? value
        }
    }

    /// Values of one parameter.
    struct Group: Sendable {
        let name: String
        /// What a screen reader calls them.
        let label: String
        let choices: [Choice]
        /// The one that is chosen where the address names none; with one, exactly one is.
        var usual: String?
        /// Other spellings of a value, in lower case, each with the value.
        var aliases: [String: String] = [:]
    }

    /// At most so many chips in a group, and those that are chosen.
    private static let most = 8

    let path: String
    /// What the page was asked with.
    let asked: [RequestParameter]
    let groups: [Group]

    /// Empty where there is nothing to choose between.
    var html: String {
        let parts = groups.filter { $0.choices.count > 1 }.map { group in
            // One that is chosen can be taken back, wherever it stands.
            let shown = group.choices.enumerated().filter { $0.offset < Self.most || isChosen($0.element, in: group) }
            let chips = shown.map { chip($0.element, in: group) }.joined()
            return "<li><ul aria-label=\"\(PageParts.attribute(group.label))\">\(chips)</ul></li>"
        }
        guard !parts.isEmpty else { return "" }
        return "<nav aria-label=\"Filters\"><ul class=\"choices\">\n\(parts.joined(separator: "\n"))\n</ul></nav>\n"
    }

    private func chip(_ choice: Choice, in group: Group) -> String {
        let isOn = isChosen(choice, in: group)
        return "<li><a href=\"\(PageParts.attribute(address(choosing: choice, isOn: isOn, in: group)))\""
            + "\(isOn ? " aria-current=\"true\"" : "")>\(PageParts.text(choice.words))</a></li>"
    }

    private func isChosen(_ choice: Choice, in group: Group) -> Bool {
        let given = asked.filter { $0.name == group.name && !$0.value.isEmpty }
        if given.isEmpty { return choice.value == group.usual }
        return given.contains { Self.writes($0.value, choice, in: group) }
    }

    /// Whether `written` means that choice.
    private static func writes(_ written: String, _ choice: Choice, in group: Group) -> Bool {
        let written = written.lowercased()
        return written == choice.value.lowercased() || group.aliases[written] == choice.value
    }

    /// The first page of what is left.
    private func address(choosing choice: Choice, isOn: Bool, in group: Group) -> String {
        var rest = asked.filter { $0.name != "page" && !$0.value.isEmpty }
        if group.usual != nil {
            return PageAddress.path(path, rest.setting(group.name, choice.value == group.usual ? nil : choice.value))
        }
        if isOn {
            rest.removeAll { $0.name == group.name && Self.writes($0.value, choice, in: group) }
        } else {
            rest.append(RequestParameter(group.name, choice.value))
        }
        return PageAddress.path(path, rest)
    }
}
