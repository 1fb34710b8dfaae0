import GRDB

extension HistoryReader {
    /// A reader all of whose answers are as if the watchlist held only the active pairs that have one of these tags, as
    /// `--tag` compares them: for whoever may see a part of it.
    ///
    /// It knows no other query and no retired pair. Of the apps of the watchlist it knows those of its pairs, under their
    /// own tags only as far as these are in `tags`; of notes, those on an app that no other active pair tracks; and of all
    /// other apps, those that a good check of its queries ever saw. Of names, prices and ratings it knows what the
    /// storefronts of its queries showed, and how ratings went of its own apps. How a country's store was, it counts over
    /// its own queries. What concerns the service as a whole stays, such as its pauses and backups; whoever shows that
    /// asks `isNarrowed`, and leaves out what counts everybody's. Moves are told from wobble by what its own pairs do.
    ///
    /// Like a `snapshot` it is of the moment that this is called, and is to be let go of as soon. It is for questions:
    /// `backUp` would copy the whole file.
    ///
    /// - Parameters:
    ///   - tags: none for nobody's pairs. Of a narrowed reader, those that a pair has to have as well.
    ///   - memory: what readers narrowed to the same tags have counted since the history last changed.
    package func narrowed(
        to tags: Set<String>, remembering memory: CountryDayMemory = CountryDayMemory()
    ) throws(HistoryError) -> HistoryReader {
        // Never a connection that others ask: these views stay in it.
        let whole = source is DatabasePool ? self : try HistoryReader(path: path)
        let own = try whole.snapshot()
        let narrowings = narrowings + [tags]
        try own.read { try Narrowing.narrow($0, to: narrowings) }
        return HistoryReader(
            path: path, isSettled: own.isSettled, source: own.source, narrowings: narrowings, countryDayMemory: memory
        ).counting(days).asOf(moment)
    }
}
