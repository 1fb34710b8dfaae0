import History
import RankKit
import Reports

extension PageController {
    /// `/search`: with what is found where something is asked for.
    func searchPage(_ visit: Visit) async throws -> Answer {
        let isAsked = !(visit["query"] ?? "").isEmpty
        let outcome = isAsked ? await search(visit) : .nothing
        let known = try? known(visit, isAsked: isAsked)
        let fragment = SearchFragment(pathOfImage: pathOfImage).html(outcome, at: visit.now)
        let frame = PageFrame(
            title: "Search the App Store",
            form: searchForm(visit, countries: known?.countries ?? [], usual: known?.usual),
            // What is recorded takes longer to find: the script asks for it beside the page.
            content: "<div id=\"recorded\">\n</div>\n<div id=\"results\">\n\(fragment)</div>\n"
                + "<p id=\"said\" class=\"quiet\" role=\"status\"></p>\n", path: visit.path, canLogOut: canLogOut,
            isLive: false)
        return Answer(type: "text/html; charset=utf-8", frame.html)
    }

    /// What the form has of the history; a history that cannot be read is no reason not to search.
    private func known(_ visit: Visit, isAsked: Bool) throws -> (countries: [String], usual: Country?) {
        let moment = try moment(visit)
        // What is asked without a country is asked in the us, and the form says where it was asked.
        return (try moment.reader.values(of: .country), isAsked ? nil : try usualCountry(moment))
    }

    private func searchForm(_ visit: Visit, countries: [String], usual: Country?) -> String {
        let platform = visit["platform"] ?? Platform.iphone.rawValue
        let platforms = Platform.allCases.map { one in
            "<option value=\"\(one.rawValue)\"\(one.rawValue == platform ? " selected" : "")>\(one.displayName)</option>"
        }.joined()
        let known = countries.map { "<option value=\"\(PageParts.attribute($0))\">" }.joined()
        return """
            <form class="options search" method="get" action="/search" role="search">
            <div class="fields">
            <div class="wide"><label for="query">Search the App Store for</label><input id="query" type="search" \
            name="query" value="\(PageParts.attribute(visit["query"] ?? ""))" autocomplete="off" spellcheck="false" \
            autofocus></div>
            <div><label for="country">country</label><input id="country" type="text" name="country" maxlength="2" \
            value="\(PageParts.attribute(visit["country"] ?? usual?.code ?? "us"))" list="countries"></div>
            <div><label for="platform">platform</label><select id="platform" name="platform">\(platforms)</select></div>
            </div>
            <button>Search</button>
            </form>
            <datalist id="countries">\(known)</datalist>

            """
    }
}
