import Algorithms
import Foundation
import JSON5

extension Cadence {
    /// A zone with the name that it was asked for by.
    struct Zone: Hashable {
        let name: String
        let timeZone: TimeZone
    }
}

extension WatchlistDecoder {
    /// What a line says about its queries, the defaults included.
    struct LineSettings {
        var countries: [Country] = [Country(code: "us")].compactMap { $0 }
        var platforms: [Platform] = [.iphone]
        var source = Source.usual
        var timing = Timing.every(Timestamp.secondsPerDay)
        /// Where `timing` is written; `nil` for the built-in default.
        var timingPlace: JSON5Node?
        var zone: Cadence.Zone?
        var language: String?
        /// Those of the defaults, the line and the query together.
        var tags: [String] = []
        var popularity: Popularity?
    }

    enum Timing {
        case every(Int64)
        case at([TimeOfDay])
    }

    /// `base` with what `fields` say instead. Keys that are not there change nothing.
    mutating func settings(_ fields: Fields, over base: LineSettings) -> LineSettings {
        var settings = base
        if let (key, place) = onlyOne(of: WatchlistObject.countryKeys, in: fields) {
            let places = key == "country" ? [place] : nonEmpty(place, example: "\"us\", \"gb\"") ?? []
            settings.countries = distinct(places.compactMap { country($0) })
        }
        if let (key, place) = onlyOne(of: WatchlistObject.platformKeys, in: fields) {
            let places = key == "platform" ? [place] : nonEmpty(place, example: "\"iphone\", \"ipad\"") ?? []
            settings.platforms = distinct(places.compactMap { platform($0) })
        }
        if let place = fields["source"] { settings.source = source(place) ?? base.source }
        if let place = fields["timeZone"] { settings.zone = zone(place) }
        if let place = fields["language"] { settings.language = language(place) }
        if let (key, place) = onlyOne(of: WatchlistObject.tagKeys, in: fields) {
            let places = key == "tag" ? [place] : texts(place, example: "core") ?? []
            settings.tags = distinct(base.tags + places.compactMap { tag($0) })
        }
        if let place = fields["popularity"] { settings.popularity = popularity(place) }
        if let (key, place) = timing(in: fields) {
            if let timing = key == "every" ? every(place) : at(place) {
                settings.timing = timing
                settings.timingPlace = place
            }
        }
        return settings
    }

    private mutating func timing(in fields: Fields) -> (key: String, value: JSON5Node)? {
        guard let every = fields["every"], let at = fields["at"] else {
            return fields["every"].map { ("every", $0) } ?? fields["at"].map { ("at", $0) }
        }
        let later = every.range.lowerBound < at.range.lowerBound ? at : every
        refuse(
            later, "“every” and “at” on one line",
            "keep one of them; for both cadences write two lines")
        return nil
    }

    /// Most lines name one: a set of it would cost more than all else that is done for it.
    func distinct<Value: Hashable>(_ values: [Value]) -> [Value] {
        values.count < 2 ? values : Array(values.uniqued())
    }

    mutating func country(_ place: JSON5Node) -> Country? {
        guard let code = text(place, example: "us") else { return nil }
        if let country = Country(written: code) {
            if Self.trimmed(code, of: .whitespaces).lowercased() == Country.nickname {
                warn(
                    place, "“\(code)” is read as “\(country)”, the App Store's code for the United Kingdom",
                    "write “\(country)”")
            }
            return country
        }
        refuse(place, "“\(code)” is no country with an App Store", Country.remedy(for: code))
        return nil
    }

    mutating func platform(_ place: JSON5Node) -> Platform? {
        guard let name = text(place, example: "iphone") else { return nil }
        if let platform = Platform(rawValue: name) { return platform }
        let names = Platform.allCases.map(\.rawValue)
        refuse(
            place, "unknown platform “\(name)”",
            nearest(to: name, in: names).map { "did you mean “\($0)”?" }
                ?? "the platforms are \(names.joined(separator: ", "))")
        return nil
    }

    /// How keenly moves are told from wobble: a word of the root, of alerts and of a rule.
    mutating func sensitivity(_ place: JSON5Node) -> Sensitivity? {
        guard let name = text(place, example: Sensitivity.normal.rawValue) else { return nil }
        if let sensitivity = Sensitivity(rawValue: name) { return sensitivity }
        let names = Sensitivity.allCases.map(\.rawValue)
        refuse(
            place, "unknown sensitivity “\(name)”",
            nearest(to: name, in: names).map { "did you mean “\($0)”?" }
                ?? "write one of \(names.joined(separator: ", "))")
        return nil
    }

    private mutating func source(_ place: JSON5Node) -> Source? {
        guard let name = text(place, example: "itunes") else { return nil }
        if let source = Source.askable.first(where: { $0.rawValue == name }) { return source }
        let names = Source.askable.map(\.rawValue).joined(separator: ", ")
        refuse(place, "unknown source “\(name)”", "the sources are: \(names)")
        return nil
    }

    /// Apple's form of a language: two letters, underscore, two letters, all in lower case.
    private mutating func language(_ place: JSON5Node) -> String? {
        guard let code = text(place, example: "en_us") else { return nil }
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        func isLanguage(_ text: String) -> Bool {
            let bytes = Array(text.utf8)
            return bytes.count == 5 && bytes[2] == UInt8(ascii: "_")
                && [0, 1, 3, 4].allSatisfy { letters.contains(bytes[$0]) }
        }
        if isLanguage(code) { return code }
        let plain = code.lowercased().replacing("-", with: "_")
        refuse(
            place, "“\(code)” is not a language of the App Store",
            isLanguage(plain) ? "did you mean “\(plain)”?" : "write language and country such as en_us or ja_jp")
        return nil
    }

    mutating func tag(_ place: JSON5Node) -> String? {
        guard let tag = textOrNumber(place, example: "core") else { return nil }
        let trimmed = Self.trimmed(tag, of: .whitespaces)
        guard !trimmed.isEmpty, trimmed.utf8.count <= WatchlistLimits.longestTag, !TextRule.hasControl(trimmed),
            !trimmed.contains(",")
        else {
            refuse(
                place, "“\(TextRule.shown(tag))” is not a valid tag",
                "write one or a few words of at most \(WatchlistLimits.longestTag) bytes, without commas or control characters"
            )
            return nil
        }
        return trimmed
    }

    private mutating func popularity(_ place: JSON5Node) -> Popularity? {
        guard case .object(let members) = place.value else { return figure(place).map(Popularity.everywhere) }
        var values: [Country: Double] = [:]
        for member in members {
            let key = JSON5Node(range: member.keyRange, value: .string(member.key))
            guard let country = country(key), let value = figure(member.value) else { continue }
            if values.updateValue(value, forKey: country) != nil { refuseDuplicate(member) }
        }
        if members.isEmpty { refuse(place, "no country", "write a number, or { \"us\": 46, \"gb\": 31 }") }
        return .byCountry(values)
    }

    private mutating func figure(_ place: JSON5Node) -> Double? {
        let remedy = "write a number from 0 to 100"
        guard case .number(let number) = place.value else {
            refuseKind(place, wanted: "a number", remedy)
            return nil
        }
        guard WatchlistLimits.popularity.contains(number) else {
            refuse(place, "\(Self.plain(number)) is not in the range", remedy)
            return nil
        }
        return number == 0 ? 0 : number
    }
}

/// What texts must not hold.
enum TextRule {
    /// Characters that move a cursor or end a line, which no search box sends.
    static func hasControl(_ text: String) -> Bool {
        text.unicodeScalars.contains { isControl($0) }
    }

    static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }

    /// At most 60 characters of a refused text, without control characters.
    static func shown(_ text: String) -> String {
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(60) { shown.append(isControl(scalar) ? "\u{FFFD}" : scalar) }
        return String(shown) + (text.unicodeScalars.count > 60 ? "…" : "")
    }
}
