import Foundation
import History
import RankKit
import Reports
import Synchronization

/// The history as the controllers of the site read it: opened when it is first asked for, and anew when the file is
/// another one.
final class HistoryAccess: Sendable {
    let path: String
    /// What visitors are told of it: where it lies is none of their business.
    var name: String { path.split(separator: "/").last.map(String.init) ?? path }
    /// The machine's, for a watchlist that names none.
    let zone: TimeZone

    private struct Opened: Sendable {
        var reader: HistoryReader
        var identity: FileIdentity
        var at: ContinuousClock.Instant
    }

    private let opened = Mutex<Opened?>(nil)
    /// What is known of what is seen with some tags.
    private struct Narrowed: Sendable {
        /// The version of the whole history that it is of.
        var whole: String
        /// Its own version; `nil` if nobody asked yet.
        var own: String?
        var memory = CountryDayMemory()
    }

    private let narrowed = Mutex<[Set<String>: Narrowed]>([:])
    private static let mostNarrowings = 50
    /// Keeps how often the history has changed from those who are told that it has.
    private let salt = UInt64.random(in: .min ... .max)

    /// Readings of one answer: with more, its text would not fit the memory of the service.
    static let mostReadings = 100_000

    /// A file that was read as one that cannot change may be changed by a rankd that was started since.
    private static let settledFor = Duration.seconds(5)

    init(path: String, zone: TimeZone) {
        self.path = path
        self.zone = zone
    }

    /// A context of one moment, for `visit`, in which a report is made.
    ///
    /// - Parameter remark: told what is worth a word beside the report.
    /// - Throws: `HistoryError` where there is no history, or one that cannot be read.
    func context(
        for visit: Visit, isForPeople: Bool = true, remark: @escaping @Sendable (String) -> Void = { _ in }
    ) throws -> ReportContext {
        try ReportContext(
            try reader(for: visit.visitor), now: visit.now, zone: zone, isForPeople: isForPeople, database: name,
            mostReadings: Self.mostReadings, remark: remark)
    }

    /// What `visitor` may see of the history; of this moment alone where that is not all of it.
    func reader(for visitor: Visitor) throws(HistoryError) -> HistoryReader {
        let whole = try whole()
        guard let tags = visitor.tags else { return whole }
        return try whole.narrowed(to: tags, remembering: memory(for: tags, asOf: try whole.version().text))
    }

    /// What was counted for these tags since the history last changed: most of the time nothing is recorded, and every page
    /// would read the same lists again.
    private func memory(for tags: Set<String>, asOf version: String) -> CountryDayMemory {
        narrowed.withLock { narrowed in
            if let known = narrowed[tags], known.whole == version { return known.memory }
            if narrowed.count >= Self.mostNarrowings { narrowed.removeAll() }
            let made = Narrowed(whole: version)
            narrowed[tags] = made
            return made.memory
        }
    }

    private func whole() throws(HistoryError) -> HistoryReader {
        guard let identity = FileIdentity(path: path) else { throw .missing(path: path) }
        if let known = opened.withLock({ $0 }), known.identity == identity,
            !known.reader.isSettled || known.at.duration(to: .now) < Self.settledFor
        {
            return known.reader
        }
        let reader = try HistoryReader(path: path)
        opened.withLock { $0 = Opened(reader: reader, identity: identity, at: .now) }
        return reader
    }

    /// Changes whenever an answer for `visitor` could: with every commit that a report could show, and with the file itself.
    ///
    /// For whoever sees a part of the watchlist it changes with the checks and the plan of that part alone: when others'
    /// queries are asked is their business. The rest of what a narrowed answer is made of is read anew each minute.
    func version(for visitor: Visitor = .owner) throws -> String {
        let whole = try reader(for: .owner).version().text
        guard let tags = visitor.tags else { return whole }
        if let known = narrowed.withLock({ $0[tags] }), known.whole == whole, let own = known.own { return own }
        let own = "\(salt)\n\(try reader(for: visitor).ownVersion())"
        narrowed.withLock { if $0[tags]?.whole == whole { $0[tags]?.own = own } }
        return own
    }
}

extension HistoryAccess {
    /// What pages that are open are told of. The version tells that something changed, and not how often.
    func look(now: Timestamp) throws -> LiveHub.Look {
        let progress = try reader(for: .owner).passesUnderWay(now: now).first
        return LiveHub.Look(
            version: try toldVersion(for: .owner),
            progress: progress.map { LiveHub.Progress(done: $0.done, due: $0.due, secondsLeft: $0.secondsLeft) })
    }

    /// What `visitor` is told that the history is.
    func toldVersion(for visitor: Visitor) throws -> String {
        String(EntityTag.tag("\(salt)\n\(try version(for: visitor))").filter { $0.isLetter || $0.isNumber })
    }
}
