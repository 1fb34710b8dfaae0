/// This release of rankd.
package enum Release {
    /// Semantic version.
    package static let version = "0.1.0"
    /// Where the project can be found, as `packaging/macos/rankd.rb` has it.
    package static let address = "https://example.com/rankd"
}
