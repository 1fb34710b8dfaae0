import ArgumentParser
import RankKit
import Synchronization

/// One thing that a report can be asked with, as the command line declares it: forms, API parameters and tools of agents
/// are made of it.
package struct RequestOption: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// There or not.
        case flag
        case text
        /// From 1, as every report has it: it counts rows, pages or days.
        case wholeNumber
        /// One of `values`.
        case word
    }

    /// As the command line has it, without the hyphens: `since`. An argument that stands by its place has a name as well.
    package let name: String
    package let kind: Kind
    /// Whether it may be given several times.
    package let isRepeating: Bool
    package let isRequired: Bool
    /// The largest it can be, if it is a number and there is one.
    package let most: Int?
    /// What it can be, if it is one of a few words.
    package let values: [String]
    /// What holds where it is not given, as people write it.
    package let defaultValue: String?
    /// What is written there, in a word or three: `alias or bundle id`.
    package let valueName: String
    /// What it does, for people: a sentence.
    package let meaning: String
    /// Whether the command line knows it by its place.
    let isArgument: Bool
}

extension ReportRequest {
    /// What the report can be asked with, in the order of its help.
    package static var options: [RequestOption] {
        RequestOption.known.withLock { known in
            if let options = known[about.name] { return options }
            let options = RequestOption.all(of: Self.self).filter { !about.refused.contains($0.name) }
            known[about.name] = options
            return options
        }
    }

    /// The request that these parameters make, by the rules of the command line.
    ///
    /// A flag is given by an empty value, `true` or `1`, and not by `false` or `0`. An empty value of anything else counts
    /// as none, as a form sends it.
    ///
    /// - Parameter parameters: names and values, in any order; a name that may be repeated stands there several times.
    /// - Throws: `ReportRefusal` for a name that the report does not know and for a value that it cannot read.
    package static func request(_ parameters: [RequestParameter]) throws(ReportRefusal) -> Self {
        let options = options
        var words: [String] = []
        var places: [String: String] = [:]
        var seen: Set<String> = []
        for parameter in parameters {
            guard let option = options.first(where: { $0.name == parameter.name }) else {
                throw .option(
                    "there is no option \(Self.quoted(parameter.name)); the options are "
                        + options.map(\.name).joined(separator: ", "))
            }
            if option.kind != .flag, parameter.value.isEmpty { continue }
            guard seen.insert(option.name).inserted || option.isRepeating else {
                throw .option("\(option.name) is given twice: give it once")
            }
            guard !parameter.value.utf8.contains(0) else { throw .option("\(option.name) has a zero byte in it") }
            if option.kind == .flag {
                switch parameter.value.lowercased() {
                case "", "true", "1", "on": words.append("--" + option.name)
                case "false", "0", "off": break
                default: throw .option("\(option.name) is \(Self.quoted(parameter.value)): write true or false")
                }
            } else if option.isArgument {
                places[option.name] = parameter.value
            } else {
                words.append("--\(option.name)=\(parameter.value)")
            }
        }
        let arguments = about.arguments.prefix { places[$0] != nil }
        if let missing = options.first(where: { option in
            option.isRequired && !parameters.contains { $0.name == option.name && !$0.value.isEmpty }
        }) {
            throw .option("\(missing.name) is missing: \(missing.meaning)")
        }
        if let stray = about.arguments.dropFirst(arguments.count).first(where: { places[$0] != nil }) {
            throw .option("\(stray) needs \(about.arguments[arguments.count]) as well")
        }
        do { return try parse(words + ["--"] + arguments.compactMap { places[$0] }) } catch {
            let countries = parameters.filter { $0.name == "country" }.lazy.compactMap {
                CountryList.mistake(in: $0.value)
            }
            if let mistake = countries.first { throw .option(mistake) }
            let words = parameters.lazy.compactMap { parameter in
                options.first { $0.name == parameter.name && $0.kind == .word }
                    .flatMap { MistypedWord.mistake(parameter.value, for: $0.name, in: $0.values) }
            }
            if let mistake = words.first { throw .option(mistake) }
            throw .option(message(for: error))
        }
    }

    private static func quoted(_ text: String) -> String { "“\(SafeText.escaped(text))”" }
}

/// A name and a value, as a query string or a tool's call has them.
package struct RequestParameter: Sendable, Hashable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension RequestOption {
    /// By the report's name: reading what the parser says of itself takes longer than most reports do.
    fileprivate static let known = Mutex<[String: [RequestOption]]>([:])

    fileprivate static func all<Request: ReportRequest>(
        of request: Request.Type
    ) -> [RequestOption] {
        let about = Request.about
        let arguments = about.arguments
        let shown = CommandInfo.arguments(of: Request.self)
            .filter { $0.shouldDisplay && $0.preferredName?.name != "help" }
        var places = arguments[...]
        let options = shown.map { argument in
            let name = argument.kind == .positional ? places.popFirst() : nil
            let called = name ?? argument.preferredName?.name ?? ""
            return RequestOption(argument, named: called, in: about, isArgument: name != nil)
        }
        // An argument takes the place of an option of the same name, which would be refused beside it.
        return options.filter { $0.isArgument || !arguments.contains($0.name) }
    }

    private init(_ argument: CommandInfo.Argument, named name: String, in about: ReportAbout, isArgument: Bool) {
        self.name = name
        most = about.most[name]
        self.isArgument = isArgument
        values = argument.allValues ?? []
        kind =
            switch argument.kind {
            case .flag: .flag
            case .option, .positional:
                !values.isEmpty ? .word : Self.isNumber(argument) ? .wholeNumber : .text
            }
        isRepeating = argument.isRepeating
        isRequired = !argument.isOptional || about.required.contains(name)
        defaultValue = argument.kind == .flag ? nil : argument.defaultValue
        valueName = argument.valueName ?? ""
        meaning = argument.abstract ?? ""
    }

    /// What the parser says of itself has no types: a whole number has one as its default, or is called a number.
    private static func isNumber(_ argument: CommandInfo.Argument) -> Bool {
        argument.defaultValue.flatMap(Int.init) != nil || ["number", "count"].contains(argument.valueName ?? "")
    }
}
