extension String {
    /// What stands between each `start` and the next `end`.
    package func components(between start: String, _ end: String) -> [String] {
        var found: [String] = []
        var rest = self[...]
        while let begin = rest.firstRange(of: start), let stop = rest[begin.upperBound...].firstRange(of: end) {
            found.append(String(rest[begin.upperBound..<stop.lowerBound]))
            rest = rest[stop.upperBound...]
        }
        return found
    }
}
