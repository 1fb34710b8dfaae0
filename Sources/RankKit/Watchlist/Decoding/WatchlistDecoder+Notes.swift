import JSON5

extension WatchlistDecoder {
    mutating func notes(_ place: JSON5Node) -> [Note] {
        let example = "{ \"on\": \"2026-11-20\", \"text\": \"new subtitle\" }"
        return (elements(place, example: example) ?? []).compactMap { note($0, example: example) }
    }

    private mutating func note(_ place: JSON5Node, example: String) -> Note? {
        guard let fields = fields(place, of: .note, remedy: "write \(example)") else { return nil }
        let day = required("on", in: fields, add: "\"on\": \"2026-11-20\"").flatMap { self.day($0) }
        let words = required("text", in: fields, add: "\"text\": \"what changed\"")
            .flatMap { line($0, example: "new subtitle") }
        let app = onlyOne(of: ["app", "bundleId"], in: fields).flatMap { key, value in
            key == "app" ? self.app(alias: value).map { apps[$0].bundleID } : bundleID(value)
        }
        let version = fields["version"].flatMap { line($0, example: "2.4") }
        let added = fields["added"].map { terms($0) } ?? []
        let removed = fields["removed"].map { terms($0) } ?? []
        for term in added { warnIfUnasked(term, app: app) }
        guard let day, let words else { return nil }
        return Note(
            on: day, bundleID: app, version: version, text: words, added: added.map(\.text),
            removed: removed.map(\.text))
    }

    /// A query to gain that nobody asks for: what became of it would never be known.
    private mutating func warnIfUnasked(_ term: (text: String, place: JSON5Node), app: BundleID?) {
        let asked = queriesByText[Query.fold(term.text)] ?? []
        let shown = TextRule.shown(term.text)
        guard !asked.isEmpty else {
            let meant = nearest(to: term.text, in: expansion.queries.lazy.map(\.query.text).prefix(1_000))
            return warn(
                term.place, "no line asks for “\(shown)”",
                meant.map { "did you mean “\($0)”?" }
                    ?? "add a line for it, because rankd records only the queries of lines")
        }
        guard let app, !asked.contains(where: { expansion.queries[$0].pairs.contains { $0.bundleID == app } }) else {
            return
        }
        warn(
            term.place, "no line asks for “\(shown)” for \(app)",
            "add a line for it, because rankd records only the queries of lines")
    }

    private mutating func required(_ key: String, in fields: Fields, add example: String) -> JSON5Node? {
        if let value = fields[key] { return value }
        refuse(fields.place, "no “\(key)”", "add \(example)")
        return nil
    }

    private mutating func terms(_ place: JSON5Node) -> [(text: String, place: JSON5Node)] {
        (texts(place, example: "habit tracker") ?? []).compactMap { place in term(place).map { ($0, place) } }
    }

    /// Text for people, which must not be empty; line breaks are fine, since notes may be long.
    private mutating func line(_ place: JSON5Node, example: String) -> String? {
        guard let text = textOrNumber(place, example: example) else { return nil }
        guard text.contains(where: { !$0.isWhitespace }) else {
            refuse(place, "the text is empty", "write something, such as \(JSONString.quoted(example))")
            return nil
        }
        return text
    }

    mutating func day(_ place: JSON5Node) -> String? {
        guard let text = text(place, example: "2026-11-20") else { return nil }
        if Self.isDay(text) { return text }
        refuse(place, "“\(TextRule.shown(text))” is not a day", "write a real date as YYYY-MM-DD, such as 2026-11-20")
        return nil
    }

    /// Whether `text` is a day of the Gregorian calendar, as `YYYY-MM-DD`.
    static func isDay(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") else { return false }
        let digits = [0, 1, 2, 3, 5, 6, 8, 9].map { bytes[$0] }
        guard digits.allSatisfy(JSON5Parser.isDigit) else { return false }
        let numbers = digits.map { Int($0 - UInt8(ascii: "0")) }
        let year = numbers[0...3].reduce(0) { $0 * 10 + $1 }
        let month = numbers[4] * 10 + numbers[5]
        let day = numbers[6] * 10 + numbers[7]
        guard year >= 1, (1...12).contains(month), day >= 1 else { return false }
        let isLeap = (year.isMultiple(of: 4) && !year.isMultiple(of: 100)) || year.isMultiple(of: 400)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return day <= lengths[month - 1]
    }

    mutating func service(_ place: JSON5Node) -> ServiceSettings {
        var settings = ServiceSettings()
        guard let fields = fields(place, of: .service, remedy: "write { \"requestsPerMinute\": 15 }") else {
            return settings
        }
        if let value = fields["retention"] { settings.retention = retention(value) }
        if let value = fields["requestsPerMinute"],
            let number = wholeNumber(value, in: WatchlistLimits.requestsPerMinute)
        {
            settings.requestsPerMinute = number
            if number > BudgetRemedies.fastestPace {
                warn(
                    value, "this is more than the \(BudgetRemedies.fastestPace) requests a minute that Apple allows",
                    "write 15, which is known to work: Apple blocks faster pace for half an hour at a time")
            }
        }
        if let value = fields["parallelism"], let number = wholeNumber(value, in: ServiceSettings.permittedParallelism)
        {
            settings.parallelism = number
        }
        if let value = fields["backup"] { settings.backup = backup(value) }
        return settings
    }
}
