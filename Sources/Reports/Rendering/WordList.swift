extension [String] {
    /// `US, GB and DE`.
    var inWords: String {
        guard let last, count > 1 else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " and " + last
    }
}
