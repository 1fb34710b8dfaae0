import RankKit
import Reports

/// Small parts that several pages are made of.
enum PageParts {
    static func text(_ text: String) -> String { HTMLText.isolated(text) }

    static func attribute(_ text: String) -> String { HTMLText.escaped(text) }

    static func link(_ address: String, _ words: String) -> String {
        "<a href=\"\(attribute(address))\">\(text(words))</a>"
    }

    /// An app's icon, or a coloured square with its first letter where there is none. Its name stands beside it.
    static func icon(_ path: String?, of name: String, large: Bool = false) -> String {
        let (style, size) = large ? ("icon large", 96) : ("icon", 32)
        guard let path else {
            let tint = name.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % 6
            let letter = name.first { $0.isLetter || $0.isNumber }.map { String($0).uppercased() } ?? "?"
            return "<span class=\"\(style) tint-\(tint)\" aria-hidden=\"true\">\(text(letter))</span>"
        }
        return "<img class=\"\(style)\" src=\"\(attribute(path))\" width=\"\(size)\" height=\"\(size)\" "
            + "loading=\"lazy\" alt=\"\">"
    }

    /// A place in a page that is replaced when what it shows has changed.
    static func section(_ id: String, heading: String? = nil, more: String = "", _ body: String) -> String {
        let title = heading.map { "<h2>\(text($0))</h2>\n" } ?? ""
        return "<section id=\"\(attribute(id))\">\n\(title)\(body)\(more)</section>\n"
    }

    /// Why there is nothing to show, in a report's words.
    ///
    /// - Parameter hint: where the pages have what the words say of the command line.
    static func refusal(_ words: String, _ hint: (PageForm.Hint) -> String? = { _ in nil }) -> String {
        // What leads nowhere is no option here either: the page's own form calls it by its name.
        let words = words.namingParameters { name, before in
            before != "'" && hint(.option(name)) != nil
        }
        return "<p class=\"refusal\" role=\"alert\">\(HTMLText.prose(words, hint))</p>\n"
    }

    /// What a report says beside itself, each a sentence.
    static func remarks(_ texts: [String]) -> String {
        guard !texts.isEmpty else { return "" }
        let sentences = texts.map { words in
            // A parameter is called as the form calls it, also where the sentence begins with it.
            let sentence = words.hasPrefix("--") ? words : words.prefix(1).uppercased() + words.dropFirst()
            return "<p>\(HTMLText.isolated(sentence.namingParameters() + "."))</p>\n"
        }
        return section("remarks", "<div class=\"remarks\">\n\(sentences.joined())</div>\n")
    }

    /// `1 2 … 5`, as links to the pages of a report.
    static func pager(_ paging: Paging?, _ address: (Int) -> String) -> String {
        guard let paging, paging.pages > 1 else { return "" }
        // Whoever asks for a page behind the last one is shown the way back.
        let here = min(paging.page, paging.pages)
        let near = Set([1, paging.pages] + Array(max(1, here - 2)...min(paging.pages, here + 2)))
        var items = ""
        var before = 0
        for page in near.sorted() {
            if page > before + 1 { items += "<li aria-hidden=\"true\">…</li>" }
            let current = page == paging.page ? " aria-current=\"page\"" : ""
            items += "<li><a href=\"\(attribute(address(page)))\"\(current)>\(page)</a></li>"
            before = page
        }
        return "<nav class=\"pager\" aria-label=\"Pages\"><ul>\(items)</ul></nav>\n"
    }

    /// Where the same is to be had as data.
    static func forms(of name: String, _ parameters: [RequestParameter], canShare: Bool = false) -> String {
        let formats: [(String, ReportFormat)] = [("CSV", .csv), ("JSON", .json), ("Markdown", .markdown)]
        let links = formats.map { link(PageAddress.data(name, parameters, as: $0.1), $0.0) }.joined(separator: " · ")
        return "<p class=\"forms\">the same as \(links)<button type=\"button\" data-print hidden>print</button></p>\n"
            + (canShare ? share(name, parameters) : "")
    }

    /// What makes a link to this one report, for somebody without a password.
    private static func share(_ name: String, _ parameters: [RequestParameter]) -> String {
        let asked = parameters.map { FormText.encoded($0.name) + "=" + FormText.encoded($0.value) }.joined(
            separator: "&")
        return """
            <form class="share" method="post" action="/links">
            <input type="hidden" name="report" value="\(attribute(name))">
            <input type="hidden" name="parameters" value="\(attribute(asked))">
            <label for="days">A link for somebody without a password, for</label>
            <select id="days" name="days"><option value="1">a day</option><option value="7" selected>a week</option>\
            <option value="30">a month</option></select>
            <button>Make it</button>
            </form>

            """
    }
}

extension ReportAbout {
    /// `Movers`.
    var title: String { name.prefix(1).uppercased() + name.dropFirst() }
}
