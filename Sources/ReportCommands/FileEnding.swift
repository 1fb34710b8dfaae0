import RankKit

/// What the name of a file ends with.
package enum FileEnding {
    /// What stands behind the last dot of the file's own name, in lower case and safe to show; `nil` if there is none.
    package static func of(_ path: String) -> String? {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        let ending = name[dot...].dropFirst()
        return ending.isEmpty ? nil : SafeText.escaped(ending.lowercased())
    }
}
