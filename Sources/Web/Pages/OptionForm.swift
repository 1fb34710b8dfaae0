import Algorithms
import Reports

/// The options of a report as a form of a page.
struct OptionForm: Sendable {
    /// Words to choose from, by the name of an option.
    typealias Words = [String: [String]]

    /// Where it leads.
    var action: String
    var options: [RequestOption]
    /// What the page was asked with.
    var given: [RequestParameter]
    var words: Words
    /// What is asked with beside what the form shows.
    var kept: [RequestParameter] = []
    /// What is said on the button.
    var button = "Show"
    /// Whether only what the options are called is said, in a form of few lines that can be folded away.
    var isBrief = false
    /// Whether such a form is unfolded; if it is `nil`, where something was asked with.
    var isOpen: Bool?

    /// The identifier of an option's field in a page.
    static func id(_ name: String) -> String { "option-" + name }

    /// What most people ask with; the others stand behind a line that opens them.
    private static let usual: Set = ["app", "query", "country", "platform", "tag", "since", "version", "text"]

    var html: String {
        let (shown, more) =
            isBrief
            ? (options, [])
            : options.reduce(into: ([RequestOption](), [RequestOption]())) { parts, option in
                if option.isRequired || Self.usual.contains(option.name) || !values(of: option).isEmpty {
                    parts.0.append(option)
                } else {
                    parts.1.append(option)
                }
            }
        let hidden = kept.map {
            "<input type=\"hidden\" name=\"\(PageParts.attribute($0.name))\" value=\"\(PageParts.attribute($0.value))\">"
        }.joined()
        let rest =
            more.isEmpty
            ? "" : "<details><summary>More options</summary><div class=\"fields\">\n\(fields(more))</div></details>\n"
        let form = self.form(shown, more: rest, hidden)
        guard isBrief else { return form + lists }
        // What is shown comes before what it can be narrowed by.
        let isOpen = self.isOpen ?? options.contains { !values(of: $0).isEmpty }
        return "<details class=\"narrow\"\(isOpen ? " open" : "")><summary>\(button)</summary>\n\(form)</details>\n"
            + lists
    }

    private func form(_ shown: [RequestOption], more rest: String, _ hidden: String) -> String {
        "<form class=\"options\" method=\"get\" action=\"\(PageParts.attribute(action))\">\n"
            + "<div class=\"fields\">\n\(fields(shown))</div>\n\(rest)\(hidden)<button>\(button)</button>\n</form>\n"
    }

    private func values(of option: RequestOption) -> [String] {
        given.filter { $0.name == option.name && !$0.value.isEmpty }.map(\.value)
    }

    private func fields(_ options: [RequestOption]) -> String { options.map(field).joined() }

    private func field(_ option: RequestOption) -> String {
        let (id, values) = (Self.id(option.name), values(of: option))
        let name = PageParts.attribute(option.name)
        let hint =
            isBrief || option.meaning.isEmpty
            ? "" : "<small id=\"\(id)-hint\">\(PageParts.text(option.meaning.namingParameters()))</small>"
        let described = hint.isEmpty ? "" : " aria-describedby=\"\(id)-hint\""
        let needed = option.isRequired ? " required" : ""
        if option.kind == .flag {
            let isOn = values.contains { !["false", "0", "off"].contains($0.lowercased()) }
            return "<div class=\"flag\"><label><input type=\"checkbox\" name=\"\(name)\" value=\"true\"\(described)"
                + "\(isOn ? " checked" : "")> \(PageParts.text(option.name))</label>\(hint)</div>\n"
        }
        // One more than there are, so that another can be added.
        let shown: [String?] = option.isRepeating && !isBrief ? values + [nil] : [values.first]
        let controls = shown.enumerated().map { index, value in
            control(option, value, id: index == 0 ? id : "\(id)-\(index)", described, needed: index == 0 ? needed : "")
        }.joined()
        let more =
            isBrief
            ? values.dropFirst().map { value in
                "<input type=\"hidden\" name=\"\(name)\" value=\"\(PageParts.attribute(value))\">"
            }.joined() : ""
        return "<div><label for=\"\(id)\">\(PageParts.text(option.name))</label>\(controls)\(more)\(hint)</div>\n"
    }

    private func control(
        _ option: RequestOption, _ value: String?, id: String, _ described: String, needed: String
    ) -> String {
        let name = PageParts.attribute(option.name)
        let label = id == Self.id(option.name) ? "" : " aria-label=\"another \(name)\""
        let shared = "id=\"\(id)\" name=\"\(name)\"\(label)\(described)\(needed)"
        let text = value.map { " value=\"\(PageParts.attribute($0))\"" } ?? ""
        switch option.kind {
        case .word:
            let none = option.defaultValue.map { "\($0) (default)" } ?? "any"
            let choices = option.values.map { word in
                "<option\(word == value ? " selected" : "")>\(PageParts.text(word))</option>"
            }.joined()
            return "<select \(shared)><option value=\"\">\(PageParts.text(none))</option>\(choices)</select>"
        case .wholeNumber:
            let most = option.most.map { " max=\"\($0)\"" } ?? ""
            return
                "<input type=\"number\" min=\"1\"\(most) \(shared)\(text) placeholder=\"\(PageParts.attribute(option.defaultValue ?? ""))\">"
        case .text, .flag:
            let list = words[option.name].map { _ in " list=\"words-\(name)\"" } ?? ""
            return "<input type=\"text\" \(shared)\(text)\(list) autocomplete=\"off\" spellcheck=\"false\" "
                + "placeholder=\"\(PageParts.attribute(isBrief ? "" : option.valueName))\">"
        }
    }

    private var lists: String {
        options.compactMap { option in
            guard option.kind == .text, let words = words[option.name] else { return nil }
            let items = words.map { "<option value=\"\(PageParts.attribute($0))\">" }.joined()
            return "<datalist id=\"words-\(PageParts.attribute(option.name))\">\(items)</datalist>\n"
        }.joined()
    }
}
