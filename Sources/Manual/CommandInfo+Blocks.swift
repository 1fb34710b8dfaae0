import Reports

extension CommandInfo {
    /// The name with the names of the commands that it belongs to.
    var fullName: String { ((superCommands ?? []) + [commandName]).joined(separator: " ") }

    /// The commands that do something, each with the one that a group stands for where it stands for one.
    var leaves: [CommandInfo] {
        let shown = (subcommands ?? []).filter { $0.shouldDisplay ?? true && $0.commandName != "help" }
        return shown.isEmpty ? [self] : shown.flatMap(\.leaves)
    }

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
