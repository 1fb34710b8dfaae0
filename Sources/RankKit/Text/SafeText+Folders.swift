extension SafeText {
    /// The same, where the folders of these files may have a space in them.
    ///
    /// - Parameter paths: of files that are sure to be named, by each of the paths that lead to them.
    package static func withoutFolders(_ text: String, of paths: [String]) -> String {
        let folders = paths.compactMap { path in path.lastIndex(of: "/").map { path[...$0] } }
        // The longest first: one may be the beginning of another.
        let named = folders.filter { $0.count > 1 }.sorted { $0.count > $1.count }.reduce(text) { text, folder in
            text.replacing(folder, with: "")
        }
        return withoutFolders(named)
    }

    /// `text` with each file that it names by its path named without the folders: for whoever is not on this machine.
    ///
    /// A path begins with a slash that no letter stands before, and ends at a space, a quotation mark, a bracket or one of
    /// `,;:`.
    package static func withoutFolders(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let slash = rest.firstIndex(of: "/") {
            result += rest[..<slash]
            guard !continues(result.last) else {
                result += "/"
                rest = rest[slash...].dropFirst()
                continue
            }
            let path = rest[slash...].prefix { !endsPath($0) }
            result += path.split(separator: "/").last ?? "/"
            rest = rest[path.endIndex...]
        }
        return result + rest
    }

    /// Whether a slash behind it is within something else, such as `1/2` or an address.
    private static func continues(_ before: Character?) -> Bool {
        before.map { !endsPath($0) && $0 != "(" && $0 != "=" || $0 == ":" } ?? false
    }

    private static func endsPath(_ character: Character) -> Bool {
        character.isWhitespace || "\"'“”‘’`),;:>]".contains(character)
    }
}
