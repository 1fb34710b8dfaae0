internal import ArgumentParser
import Console
import RankKit
import Reports

/// Finds the app that a first watchlist is for, and the countries that sell it.
struct InitAppChoice: Sendable {
    let wishes: InitWishes
    let store: InitStore
    let questions: InitQuestions?

    /// The app as the store of the first country has it, and the countries, each of which sells it.
    ///
    /// - Throws: `ExitStatus`, after saying why there is no such app, if nobody can be asked again.
    func app() async throws -> (app: SeenApp, countries: [Country]) {
        var wanted = wishes.app
        while true {
            let named = try await named(wanted)
            wanted = nil
            var countries = wishes.countries
            if countries.isEmpty { countries = try await askForCountries(usual: Self.usual(named)) }
            guard let app = try await find(named, in: countries[0]) else { continue }
            Terminal.explain(Self.line(app))
            return (app, try await selling(app, in: countries))
        }
    }

    /// An app in a list: what the store calls it, by whom, and its bundle id.
    static func line(_ app: SeenApp) -> String {
        let details = app.details().plausible
        return [details.name, details.developer, app.bundleID.text].compactMap(\.self).map(SafeText.escaped)
            .joined(separator: " · ")
    }

    private static func usual(_ app: InitApp) -> [Country] {
        if case .link(let link) = app { return [link.country] }
        return [Country(code: "us")].compactMap(\.self)
    }

    private func named(_ wanted: InitApp?) async throws -> InitApp {
        if let wanted { return wanted }
        guard let questions else { throw ExitStatus.usage }
        while true {
            let answer = try await questions.answer("Your app: its name, App Store link, number or bundle id:")
            do throws(ValidationError) { return try InitApp(written: answer) } catch { Terminal.explain(error.message) }
        }
    }

    private func askForCountries(usual: [Country]) async throws -> [Country] {
        guard let questions else { return usual }
        let codes = usual.map(\.code).joined(separator: ",")
        while true {
            let answer = try await questions.answer("Countries to ask in, such as us,de [\(codes)]:")
            if answer.isEmpty { return usual }
            // A comma at the end is no slip.
            let text = answer.split(separator: ",").map { $0.trimmingPrefix(" ") }.filter { !$0.isEmpty }
                .joined(separator: ",")
            if let list = CountryList(argument: text), !list.countries.isEmpty { return [list].countries }
            // Codes with blanks between them are no slip either.
            let codes = answer.split { $0 == "," || $0.isWhitespace }
            if codes.allSatisfy({ $0.count == 2 }), let list = CountryList(argument: codes.joined(separator: ",")),
                !list.countries.isEmpty
            {
                return [list].countries
            }
            Terminal.explain(SafeText.escaped(CountryList.mistake(in: text) ?? "type a country, such as us"))
        }
    }

    // MARK: The store

    /// `nil` if there is none and somebody can name another.
    private func find(_ named: InitApp, in country: Country) async throws -> SeenApp? {
        var named = named
        while true {
            if case .name(let text) = named {
                switch try await choose(text, in: country) {
                case .app(let app): return app
                case .other(let other): named = other
                case .none: return nil
                }
                continue
            }
            if let app = try await store.find(named, in: country) { return app }
            if case .bundleID(let bundleID) = named, bundleID.text.split(separator: ".").count == 2 {
                // “booking.com” is a name as well.
                named = .name(bundleID.text)
                continue
            }
            try refuse(
                "the \(country) store sells no app \(named.shown): check it, or name a country that sells it", .noInput)
            return nil
        }
    }

    private enum Choice {
        case app(SeenApp)
        case other(InitApp)
        case none
    }

    /// How many hits are shown.
    private static let mostHits = 9

    private func choose(_ name: String, in country: Country) async throws -> Choice {
        let list = try await store.search(Query(text: name, country: country, platform: wishes.platform))
        var known: Set<BundleID> = []
        let all = list.places.compactMap(\.self).filter { known.insert($0.bundleID).inserted }
        let hits = Array(all.prefix(Self.mostHits))
        guard !hits.isEmpty else {
            try refuse("the \(country) store finds nothing for “\(SafeText.escaped(name))”", .noInput)
            return .none
        }
        let lines = hits.enumerated().map { "  \($0 + 1)  \(Self.line($1))" }.joined(separator: "\n")
        guard let questions else {
            let same = all.filter { $0.details().plausible.name.map(Query.fold) == Query.fold(name) }
            if same.count == 1 { return .app(same[0]) }
            if all.count == 1 { return .app(all[0]) }
            Terminal.explain(
                "the \(country) store finds several apps for “\(SafeText.escaped(name))”: name one by its bundle id\n\(lines)"
            )
            throw ExitStatus.usage
        }
        Terminal.explain(lines)
        while true {
            let answer = try await questions.answer("Which one? Its number, or another name:")
            if let number = Int(answer), AppID(written: answer) == nil {
                if hits.indices.contains(number - 1) { return .app(hits[number - 1]) }
                Terminal.explain("there is no number \(number): the list has 1 to \(hits.count)")
                continue
            }
            do throws(ValidationError) { return .other(try InitApp(written: answer)) } catch {
                Terminal.explain(error.message)
            }
        }
    }

    /// The countries, once each of them sells the app.
    private func selling(_ app: SeenApp, in countries: [Country]) async throws -> [Country] {
        var countries = countries
        var sold: Set<Country> = [countries[0]]
        while true {
            let unknown = countries.filter { !sold.contains($0) }
            if !unknown.isEmpty {
                Terminal.explain(
                    "asking whether \(unknown.count == 1 ? unknown[0].code : "\(unknown.count) more countries") "
                        + "\(unknown.count == 1 ? "sells" : "sell") it …")
            }
            var missing: [Country] = []
            for country in unknown {
                // By what rankd will look for.
                let found = try await store.find(.bundleID(app.bundleID), in: country)
                if found == nil { missing.append(country) } else { sold.insert(country) }
            }
            if missing.isEmpty { return countries }
            let codes = missing.map(\.code).joined(separator: ", ")
            try refuse(
                "no app \(app.bundleID) is sold in \(codes): leave \(missing.count == 1 ? "it" : "them") out", .noInput)
            countries = try await askForCountries(usual: countries.filter { !missing.contains($0) })
        }
    }

    /// Says what is wrong.
    ///
    /// - Throws: `status`, if nobody can answer otherwise.
    private func refuse(_ words: String, _ status: ExitStatus) throws {
        Terminal.explain(words)
        guard questions != nil else { throw status }
    }
}

extension InitApp {
    /// As it stands in a sentence.
    var shown: String {
        switch self {
        case .link(let link): "with the id \(link.id)"
        case .id(let id): "with the id \(id)"
        case .bundleID(let bundleID): "with the bundle id \(bundleID)"
        case .name(let name): "called “\(SafeText.escaped(name))”"
        }
    }
}
