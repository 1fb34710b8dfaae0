import RankKit

/// A value that is none of the few words that an option takes.
package enum MistypedWord {
    /// What was likely meant, for people and without a full stop; `nil` where nothing comes near, or `value` is one of
    /// `words`.
    ///
    /// - Parameter option: as people write it.
    package static func mistake(_ value: String, for option: String, in words: [String]) -> String? {
        guard !words.contains(value), let near = Spelling.nearest(to: value, in: words) else { return nil }
        return "\(option) cannot be “\(SafeText.escaped(value))”; did you mean “\(near)”?"
    }
}
