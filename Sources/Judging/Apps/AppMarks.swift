package import History
package import RankKit

/// Whose the apps of an answer are: by Apple's number, which is the app, else by the bundle identifier.
package struct AppMarks: Sendable, Hashable {
    private var marks: [BundleID: AppMark]
    /// What the watchlist calls the app of a number.
    private var names: [AppID: BundleID] = [:]

    /// - Parameter marks: by what the watchlist calls the apps.
    package init(_ marks: [BundleID: AppMark]) { self.marks = marks }

    /// The same, with the numbers under which a history knows these apps.
    package init(_ marks: [BundleID: AppMark], knownTo reader: HistoryReader) throws(HistoryError) {
        self.init(marks)
        names = try reader.namesByAppID(of: marks.keys.sorted())
    }

    /// What the watchlist calls the app; `nil` if it does not name it.
    package func name(of app: SeenApp) -> BundleID? {
        if marks[app.bundleID] != nil { return app.bundleID }
        return app.id.flatMap { names[$0] }
    }

    /// `nil` for an app that the watchlist does not name.
    package subscript(app: SeenApp) -> AppMark? { name(of: app).flatMap { marks[$0] } }
}

extension AppMarks: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (BundleID, AppMark)...) {
        self.init(Dictionary(elements, uniquingKeysWith: { first, _ in first }))
    }
}
