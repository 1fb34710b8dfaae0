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
                "the description is of version \(version), this program knows 0: look at what the new version says"
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
