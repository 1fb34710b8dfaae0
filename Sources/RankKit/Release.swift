/// This release of rankd.
package enum Release {
    /// Semantic version.
    package static let version = "0.1.0"
}
