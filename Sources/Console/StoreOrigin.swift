package import AppStore
import ArgumentParser
import RankKit

/// Which App Store is asked: the flag, else the environment, else Apple's.
package enum StoreOrigin {
    /// - Throws: a usage error where the text is not an origin.
    package static func resolve(flag: String?, environment: [String: String]) throws -> Origin {
        let variable = "RANKD_SEARCH_URL"
        let (text, name) = flag.map { ($0, "--search-url") } ?? (environment[variable] ?? "", variable)
        if text.isEmpty, flag == nil { return .apple }
        guard let origin = Origin(text) else {
            // What stands before an @ may be a password, which belongs on no screen and in no log.
            let shown = text.contains("@") ? "an address with a user name" : "“\(SafeText.escaped(text))”"
            throw ValidationError(
                "\(name) is \(shown): write a server such as https://itunes.apple.com or http://127.0.0.1:8080, "
                    + "without a path")
        }
        return origin
    }
}
