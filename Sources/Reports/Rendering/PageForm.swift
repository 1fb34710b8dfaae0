/// How a document becomes a part of a page: by itself it knows of no other page.
package struct PageForm: Sendable {
    /// 1–6: what the document's headings are.
    var headingLevel: Int
    /// Before the identifiers of its sections and charts, which are unique in a page by it.
    var prefix: String
    /// Where the page of a subject is; `nil` if it has none.
    var address: @Sendable (Cell.Subject) -> String?
    /// What is drawn before the link to a subject with this text, such as an app's icon: a part of the page.
    var ornament: @Sendable (Cell.Subject, _ text: String) -> String
    /// Where the page is for what a report says of the command line; `nil` if there is none.
    var addressOfHint: @Sendable (Hint) -> String?
    /// Where the same page is in the order of the column that a report knows by this word.
    var sorting: @Sendable (_ word: String) -> Sorting?
    /// Whether it is a part of a page of the site: its charts carry what a script reads off them, and no two of its
    /// tables have one name.
    let isPart: Bool

    /// A column that the rows can be had in the order of.
    package struct Sorting: Sendable {
        var address: String
        /// Whether the rows are in the reverse of its order now; `nil` if they are in another one.
        var isReversed: Bool?

        package init(address: String, isReversed: Bool? = nil) {
            self.address = address
            self.isReversed = isReversed
        }
    }

    /// What a report says of the command line, where a page has a form and a menu.
    package enum Hint: Sendable, Hashable {
        /// `--all`: an option of the report.
        case option(String)
        /// `rankctl report movers`: another report.
        case report(String)
    }

    package init(
        headingLevel: Int = 2, prefix: String = "part-",
        sorting: @escaping @Sendable (_ word: String) -> Sorting? = { _ in nil },
        hint: @escaping @Sendable (Hint) -> String? = { _ in nil },
        ornament: @escaping @Sendable (Cell.Subject, _ text: String) -> String = { _, _ in "" },
        address: @escaping @Sendable (Cell.Subject) -> String? = { _ in nil }
    ) {
        self.headingLevel = headingLevel
        self.prefix = prefix
        isPart = true
        self.sorting = sorting
        addressOfHint = hint
        self.ornament = ornament
        self.address = address
    }

    /// A page of its own, which needs nothing else.
    static let standalone = PageForm()

    private init() {
        headingLevel = 2
        prefix = ""
        address = { _ in nil }
        ornament = { _, _ in "" }
        sorting = { _ in nil }
        addressOfHint = { _ in nil }
        isPart = false
    }
}
