/// What a column of another tool's table holds.
enum TableColumn: String, CaseIterable {
    case date, query, country, platform, rank, popularity, bundleID, appID, app, link, within, total

    /// The spellings that tools use, without all that is no letter or digit. A volume or a traffic is another figure than
    /// a popularity, even where it happens to be below 100.
    var names: Set<String> {
        switch self {
        case .date:
            [
                "date", "day", "datetime", "timestamp", "time", "checkedat", "at", "lastupdate", "lastupdated",
                "updated",
                "updatedat", "scoredat",
            ]
        case .query:
            [
                "query", "keyword", "keywords", "searchterm", "searchterms", "searchquery", "term", "search", "phrase",
            ]
        case .country:
            [
                "country", "countrycode", "countryorregion", "countriesorregions", "storefront", "market", "region",
                "territory", "store", "storedomain", "storecountry",
            ]
        case .platform: ["platform", "device", "devicetype"]
        case .rank:
            ["rank", "ranking", "position", "place", "currentrank", "currentranking", "currentposition", "keywordrank"]
        case .popularity:
            [
                "popularity", "searchpopularity", "searchpopularity1100", "searchpopularity5100", "popularityscore",
                "popularityindex", "searchtermpopularity",
            ]
        case .bundleID: ["bundleid", "bundle", "bundleidentifier", "appbundleid", "package", "packagename"]
        case .appID:
            ["appid", "appleid", "appleappid", "adamid", "trackid", "itunesid", "appstoreid", "storeid", "appnumber"]
        case .app: ["app", "appname", "application", "applicationname", "trackname"]
        case .link: ["url", "link", "appurl", "applink", "storeurl", "appstoreurl"]
        case .within: ["within", "depth"]
        // How many apps the store has for a query, in one tool; how many of them it looked at, in another.
        case .total: ["results", "totalresults", "total", "checked", "appsinranking"]
        }
    }

    /// Names of the column of dates that say no less than that.
    static let bestDates: Set<String> = ["date", "day", "datetime", "timestamp"]

    /// For people.
    var noun: String {
        switch self {
        case .bundleID: "app's bundle id"
        case .appID: "app's number"
        case .link: "app's link"
        case .within: "number of results that the tool looked at"
        case .total: "number of results"
        default: rawValue
        }
    }

    /// A name without all that is written now one way and now another.
    static func plain(_ name: String) -> String {
        String(name.lowercased().filter { $0.isLetter || $0.isNumber })
    }

    /// What tools call a last column of several words between commas, which they do not put in quotes.
    static let lists: Set<String> = ["tag", "tags", "label", "labels", "group", "groups", "note", "notes", "comment"]

    /// Whether `name` is that of a figure, or has the word for one in it: `Total Downloads`, `Proceeds (USD)`.
    static func hasFigure(_ name: String) -> Bool {
        figures.contains(plain(name)) || name.words.contains { figures.contains($0) }
    }

    /// Figures of an app by day, which a table of places in lists does not have.
    static let figures: Set<String> = [
        "impressions", "downloads", "installs", "pageviews", "productpageviews", "views", "sessions", "revenue",
        "sales",
        "proceeds", "units", "conversionrate", "rating", "ratings", "reviews", "crashes", "activedevices", "users",
        "score",
        "difficulty", "traffic", "volume", "visibility", "delta1d", "delta7d", "change",
        "conversions", "conversion", "redownloads", "uninstalls", "deletions", "purchases", "subscriptions",
        "subscribers", "refunds", "trials", "spend", "taps", "clicks", "arpu", "dau", "mau",
    ]
}

extension String {
    /// Its words of letters or of digits in lower case: those of `timedOut`, `TIMED_OUT` and `timed-out` are the same.
    var words: [String] {
        var words: [String] = []
        var last: Character?
        for character in self {
            defer { last = character }
            guard character.isLetter || character.isNumber else { continue }
            let begins =
                last.map { last in
                    if !last.isLetter, !last.isNumber { return true }
                    return last.isNumber != character.isNumber || (last.isLowercase && character.isUppercase)
                } ?? true
            if begins { words.append("") }
            words[words.count - 1] += character.lowercased()
        }
        return words
    }
}
