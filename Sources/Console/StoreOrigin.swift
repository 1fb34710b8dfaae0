package import AppStore
import ArgumentParser

/// Which App Store is asked: the flag, else the environment, else Apple's.
package enum StoreOrigin {
    /// - Throws: a usage error where the text is not an origin.
    package static func resolve(flag: String?, environment: [String: String]) throws -> Origin {
        let variable = "RANKD_SEARCH_URL"
        let (text, name) = flag.map { ($0, "--search-url") } ?? (environment[variable] ?? "", variable)
        if text.isEmpty, flag == nil { return .apple }
        guard let origin = Origin(text) else {
            throw ValidationError(
                "\(name) is “\(text)”: write an origin such as https://itunes.apple.com or http://127.0.0.1:8080, "
                    + "without a path")
        }
        return origin
    }
}
