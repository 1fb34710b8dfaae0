import JSON5

/// A valid watchlist, and what should be said about it.
package struct DecodedWatchlist: Sendable {
    package let watchlist: Watchlist
    /// In the order of the file.
    package let warnings: [Warning]
}

extension Watchlist {
    /// Reads a watchlist: JSON5, an object with `apps`, `defaults`, `watch`, `notes`, `sensitivity`, `alerts` and
    /// `service`, or a bare list of what `watch` holds.
    ///
    /// - Throws: every mistake at once; a single one where the bytes are not JSON5.
    package static func decode(_ bytes: [UInt8]) throws(WatchlistError) -> DecodedWatchlist {
        let reading = try WatchlistReading(bytes)
        return DecodedWatchlist(watchlist: reading.watchlist, warnings: reading.warnings)
    }
}

extension WatchlistFile {
    /// Reads the watchlist at `path`.
    ///
    /// - Throws: `WatchlistFile.Failure`; `WatchlistError`, which names the file.
    package static func decode(_ path: String) throws -> DecodedWatchlist {
        let bytes = try read(path)
        do throws(WatchlistError) { return try Watchlist.decode(bytes) } catch { throw error.inFile(path) }
    }
}

/// One decoding with all that an edit needs to know about the document.
struct WatchlistReading {
    let root: JSON5Node
    let watchlist: Watchlist
    let warnings: [Warning]
    /// Only where asked for.
    let lines: [WatchLine]
    /// What the apps of `lines` point into.
    let apps: [WatchedApp]

    /// - Parameters:
    ///   - keepsLines: Whether `lines` is filled, which costs memory that only an edit needs.
    ///   - permitsNoPairs: Whether a list that watches nothing is fine, as it is before the first `add`.
    init(_ bytes: [UInt8], keepsLines: Bool = false, permitsNoPairs: Bool = false) throws(WatchlistError) {
        do {
            root = try JSON5Parser.parse(bytes)
        } catch {
            throw WatchlistError(mistakes: [Mistake(error, LineIndex(bytes))])
        }
        var decoder = WatchlistDecoder(root, bytes: bytes)
        var plan = Watchlist()
        var kept: [WatchLine] = []
        decoder.read(root, into: &plan) { if keepsLines { kept.append($0) } }
        if decoder.expansion.pairCount == 0, !decoder.hasMistakes, !permitsNoPairs {
            decoder.refuse(
                root, "nothing is watched",
                "add a line such as { \"query\": \"habit tracker\", \"bundleId\": \"com.example.app\" } to watch")
        }
        try decoder.checkMistakes()
        decoder.warnOfUnwatchedApps(root)
        plan.apps = decoder.apps
        plan.queries = decoder.expansion.queries
        watchlist = plan
        warnings = decoder.warnings
        lines = kept
        apps = decoder.apps
    }

    /// The JSON path of a value.
    func path(to place: JSON5Node) -> String { JSONPath.description(of: place.range.lowerBound, in: root) }
}

extension WatchlistDecoder {
    fileprivate mutating func read(_ root: JSON5Node, into plan: inout Watchlist, keep: (WatchLine) -> Void) {
        if case .array = root.value {
            readLines(root, defaults: LineSettings(), keep: keep)
            return
        }
        let remedy = "write { \"watch\": [ … ] }, or a list of { \"query\", \"bundleId\" }"
        guard let fields = fields(root, of: .root, remedy: remedy) else { return }
        if let apps = fields["apps"] { readApps(apps) }
        var defaults = LineSettings()
        if let place = fields["defaults"],
            let values = self.fields(
                place, of: .defaults, remedy: "write { \"country\": \"us\", \"every\": \"1d\" }")
        {
            defaults = settings(values, over: defaults)
            plan.timeZone = defaults.zone?.name
        }
        if let watch = fields["watch"] { readLines(watch, defaults: defaults, keep: keep) }
        if let notes = fields["notes"] { plan.notes = self.notes(notes) }
        if let place = fields["sensitivity"] { plan.sensitivity = sensitivity(place) ?? plan.sensitivity }
        if let service = fields["service"] { plan.service = self.service(service) }
        // Last: it names what the lines watch.
        if let alerts = fields["alerts"] { plan.alerts = self.alerts(alerts) }
    }

    private mutating func readLines(_ place: JSON5Node, defaults: LineSettings, keep: (WatchLine) -> Void) {
        let example = "{ \"query\": \"habit tracker\", \"bundleId\": \"com.example.app\" }"
        let elements = elements(place, example: example) ?? []
        expansion.pairIndices.reserveCapacity(elements.count)
        for element in elements {
            guard let line = line(element, defaults: defaults) else { continue }
            keep(line)
            expand(line)
        }
    }

    fileprivate mutating func warnOfUnwatchedApps(_ root: JSON5Node) {
        for (index, offset) in expansion.declarations.sorted(by: { $0.key < $1.key })
        where !expansion.watchedApps.contains(index) {
            let alias = apps[index].alias ?? apps[index].bundleID.text
            let remedy = "add a line with \"app\": \(JSONString.quoted(alias)), or remove it"
            warn(at: offset, "no line watches this app", remedy)
        }
        if !apps.isEmpty, apps.allSatisfy({ !$0.isMine }) {
            warn(
                root.member("apps") ?? root,
                "every app is somebody's competitor, so no app counts as yours",
                "remove your own apps from all lists of competitors")
        }
    }
}

extension Mistake {
    fileprivate init(_ error: JSON5Error, _ lineIndex: LineIndex) {
        let (line, column) = lineIndex.place(of: error.offset)
        var remedy = error.remedy
        if let opening = error.openedAt { remedy += ", which begins in line \(lineIndex.place(of: opening).line)" }
        self.init(
            path: "line \(line), column \(column)", line: line, column: column, problem: error.problem, remedy: remedy)
    }
}
