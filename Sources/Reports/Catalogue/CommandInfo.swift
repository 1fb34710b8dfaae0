package import ArgumentParser
package import Foundation

/// What a program says about itself with `--experimental-dump-help`: all that its `--help` is made of.
/// Source: swift-argument-parser, `ArgumentParserToolInfo`, version 0 of the format.
package struct CommandInfo: Decodable, Sendable {
    package struct Argument: Decodable, Sendable {
        package enum Kind: String, Decodable, Sendable { case positional, option, flag }

        package struct Name: Decodable, Sendable {
            package enum Kind: String, Decodable, Sendable { case long, short, longWithSingleDash }
            package let kind: Kind
            package let name: String

            package var text: String { (kind == .long ? "--" : "-") + name }
        }

        package let kind: Kind
        package let shouldDisplay: Bool
        package let isOptional: Bool
        package let isRepeating: Bool
        package let names: [Name]?
        package let preferredName: Name?
        package let valueName: String?
        package let defaultValue: String?
        package let allValues: [String]?
        package let abstract: String?
        package let discussion: String?
    }

    package let superCommands: [String]?
    package let shouldDisplay: Bool?
    package let commandName: String
    package let abstract: String?
    package let discussion: String?
    package let defaultSubcommand: String?
    package let subcommands: [CommandInfo]?
    package let arguments: [Argument]?

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
        let command = try read(data)
        guard command.commandName == program else { throw Refusal.otherProgram(command.commandName, wanted: program) }
        return command
    }

    /// What a command of this program takes, as it says of itself.
    package static func arguments(of command: any ParsableArguments.Type) -> [Argument] {
        do { return try read(Data(command._dumpHelp().utf8)).arguments ?? [] } catch {
            preconditionFailure("what ArgumentParser says of \(command): \(error)")
        }
    }

    private static func read(_ data: Data) throws -> CommandInfo {
        let tool = try JSONDecoder().decode(Tool.self, from: data)
        guard tool.serializationVersion == 0 else { throw Refusal.newer(version: tool.serializationVersion) }
        return tool.command
    }
}
