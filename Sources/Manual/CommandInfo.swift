package import Foundation

/// What a program says about itself with `--experimental-dump-help`: all that its `--help` is made of.
/// Source: swift-argument-parser, `ArgumentParserToolInfo`, version 0 of the format.
package struct CommandInfo: Decodable, Sendable {
    struct Argument: Decodable, Sendable {
        enum Kind: String, Decodable { case positional, option, flag }

        struct Name: Decodable {
            enum Kind: String, Decodable { case long, short, longWithSingleDash }
            let kind: Kind
            let name: String

            var text: String { (kind == .long ? "--" : "-") + name }
        }

        let kind: Kind
        let shouldDisplay: Bool
        let isOptional: Bool
        let isRepeating: Bool
        let names: [Name]?
        let preferredName: Name?
        let valueName: String?
        let defaultValue: String?
        let allValues: [String]?
        let abstract: String?
        let discussion: String?
    }

    let superCommands: [String]?
    let shouldDisplay: Bool?
    let commandName: String
    let abstract: String?
    let discussion: String?
    let defaultSubcommand: String?
    let subcommands: [CommandInfo]?
    let arguments: [Argument]?

    private struct Tool: Decodable {
        let serializationVersion: Int
        let command: CommandInfo
    }

    /// Why a description cannot be used.
    package enum Refusal: Error, Equatable, CustomStringConvertible {
        case newer(version: Int)
        case otherProgram(String, wanted: String)

        package var description: String {
            switch self {
            case .newer(let version):
                "the description has version \(version), and this program reads version 0: see what the new version changes"
            case .otherProgram(let name, let wanted):
                "the description is of \(name): give that of \(wanted) (\(wanted) --experimental-dump-help)"
            }
        }
    }

    /// Reads what `program` said.
    package static func read(_ data: Data, of program: String) throws -> CommandInfo {
        let tool = try JSONDecoder().decode(Tool.self, from: data)
        guard tool.serializationVersion == 0 else { throw Refusal.newer(version: tool.serializationVersion) }
        guard tool.command.commandName == program else {
            throw Refusal.otherProgram(tool.command.commandName, wanted: program)
        }
        return tool.command
    }

    /// The name with the names of the commands that it belongs to.
    var fullName: String { ((superCommands ?? []) + [commandName]).joined(separator: " ") }

    /// The commands that do something, each with the one that a group stands for where it stands for one.
    var leaves: [CommandInfo] {
        let shown = (subcommands ?? []).filter { $0.shouldDisplay ?? true && $0.commandName != "help" }
        return shown.isEmpty ? [self] : shown.flatMap(\.leaves)
    }
}

extension CommandInfo {
    private var ownArguments: [Argument] { (arguments ?? []).filter { $0.shouldDisplay && !$0.isCommon } }

    /// What `--help` and `--version` do, for a page that says it once.
    var commonOptions: [ManualPage.Block] { commonOptions("help", "version") }

    /// The same of some of them.
    func commonOptions(_ wanted: String...) -> [ManualPage.Block] {
        (arguments ?? []).filter { argument in
            argument.shouldDisplay && argument.isCommon
                && (argument.names ?? []).contains { wanted.contains($0.name) }
        }.map(\.definition)
    }

    /// - Parameter name: the command as it is written, where that is not its whole name.
    func synopsis(as name: String? = nil) -> Synopsis {
        let all = ownArguments
        // What must be there first, so that it is seen.
        let required = all.filter { $0.kind == .option && !$0.isOptional }
        let optional = all.filter { $0.kind != .positional && $0.isOptional }
        let positional = all.filter { $0.kind == .positional }
        return Synopsis(parts: [.word(name ?? fullName)] + (required + optional + positional).map(\.synopsis))
    }

    /// The abstract, the discussion, and every argument with its meaning.
    func reference() -> [ManualPage.Block] {
        [.paragraph(abstract ?? "")] + paragraphs(discussion) + options
    }

    var options: [ManualPage.Block] { ownArguments.map(\.definition) }

    /// The paragraphs of a discussion.
    func paragraphs(_ text: String?) -> [ManualPage.Block] { Self.split(text).map { .paragraph($0) } }

    static func split(_ text: String?) -> [String] {
        (text ?? "").split(separator: "\n\n").map { String($0).replacing("\n", with: " ") }.filter { !$0.isEmpty }
    }
}

extension CommandInfo.Argument {
    /// Whether the parser brings it for every command. An option that takes a value is a command's own, whatever its
    /// name.
    fileprivate var isCommon: Bool {
        kind == .flag && (names ?? []).contains { $0.name == "help" || $0.name == "version" }
    }

    /// What a person puts in, as one word.
    fileprivate var placeholder: String { (valueName ?? "value").replacing(" ", with: "-") }

    private var parts: [Synopsis.Part] {
        let name = preferredName.map { Synopsis.Part.word($0.text) }
        switch kind {
        case .positional: return [.value(placeholder)]
        case .flag: return [name].compactMap(\.self)
        case .option: return [name, .value(placeholder)].compactMap(\.self)
        }
    }

    fileprivate var synopsis: Synopsis.Part { .group(parts, isOptional: isOptional, isRepeating: isRepeating) }

    fileprivate var definition: ManualPage.Block {
        var meaning = abstract ?? ""
        let unsaid = (allValues ?? []).filter { !meaning.contains($0) }
        if let values = allValues, !unsaid.isEmpty, kind != .flag {
            meaning += " One of \(values.joined(separator: ", "))."
        }
        if let defaultValue, kind != .flag { meaning += " Default: \(defaultValue)." }
        if isRepeating { meaning += " May be given several times." }
        let paragraphs = [meaning.trimmingPrefix(" ").description] + CommandInfo.split(discussion)
        let names = (names ?? []).map(\.text).joined(separator: ", ")
        switch kind {
        case .positional: return .definition(term: "", value: placeholder, meaning: paragraphs)
        case .flag: return .definition(term: names, meaning: paragraphs)
        case .option: return .definition(term: names, value: placeholder, meaning: paragraphs)
        }
    }
}
