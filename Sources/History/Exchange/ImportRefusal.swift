/// What is wrong with a file that was to be imported. What came before it is in the history, whole.
package struct ImportRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    package let file: String
    /// From 1; `nil` if it is about the file as a whole.
    package let line: Int?
    package let problem: String
    package let remedy: String

    package init(file: String, line: Int?, problem: String, remedy: String) {
        self.file = file
        self.line = line
        self.problem = problem
        self.remedy = remedy
    }

    package var description: String {
        "\(file)\(line.map { ", line \($0)" } ?? ""): \(problem); \(remedy)"
    }
}
