package import RankKit

/// Which moves are real, by the noise that was learnt.
extension NoiseModel {
    /// Judges how a pair moved up to `day`, by what is known on that day.
    ///
    /// - Parameters:
    ///   - since: the day to compare with: a move that began by then is not news. `nil` for the span's `recent` days
    ///     before.
    ///   - day: days since 1970-01-01; the newest reading may be up to the span's `staleness` days older.
    ///   - sensitivity: how keenly.
    package func judgement(
        of series: Series, since: Int64? = nil, at day: Int64, sensitivity: Sensitivity = .normal
    ) -> MoveJudgement {
        let since = since ?? day - series.span.recent
        let table = ReadingTable(
            series, since: Self.oldest(since: since, at: day), upTo: day, stores: stores.byReadings)
        let shifts = ShiftTable(table, lengths: MoveDetection.lengths)
        let question = Question(since: since, day: day, sensitivities: [sensitivity])
        return judgements(of: series, table, shifts, question)[0]
    }

    /// What is asked about a pair.
    struct Question {
        /// The day to compare with: a move that began by then is not news.
        var since: Int64
        /// The newest that is looked at.
        var day: Int64
        /// How keenly, the keenest first.
        var sensitivities: [Sensitivity]
        var wanted = MoveDetection.Wanted.all
    }

    /// As `judgement`, several times as keenly, of readings that are laid out already.
    ///
    /// - Parameters:
    ///   - table: the series' readings, or those of them that the question may look at.
    ///   - shifts: of `table`, with the lengths that are tried.
    /// - Returns: one for each of the sensitivities, in their order.
    func judgements(
        of series: Series, _ table: ReadingTable, _ shifts: ShiftTable, _ question: Question
    ) -> [MoveJudgement] {
        judgements(of: series.span, table, shifts, question, terms(of: series.store))
    }

    /// What is known of a store, and of the noise there, for whoever judges a pair.
    final class Terms {
        private let store: Store
        private(set) var priors: NoisePriors
        private(set) var storms: StormFactors
        private let states: [Int64: Weather.State]
        private let weather: Weather?
        private var end: Int64
        /// That of the pair, of the time that was judged last.
        private var noise: KnownNoise?

        fileprivate init(_ store: Store, _ model: NoiseModel) {
            self.store = store
            priors = model.pool.priors(of: store)
            storms = (model.stores.storms[store] ?? StormFactors()).before(model.end)
            states = model.stores.states[store] ?? [:]
            weather = model.stores.weather[store]
            end = model.end
        }

        /// The same by what `model` knows, which is of the same stores on another day.
        ///
        /// - Parameter end: the first day (UTC) of which it is not known how they were.
        func turn(to model: NoiseModel, before end: Int64) {
            priors = model.pool.priors(of: store)
            storms = storms.before(end)
            self.end = end
        }

        func noise(_ track: ReadingTrack, news: Int) -> KnownNoise {
            if let noise {
                noise.begin(track, priors, news: news)
                return noise
            }
            let noise = KnownNoise(track, priors, news: news)
            self.noise = noise
            return noise
        }

        /// How the store was on a day; `nil` if that is not known.
        func state(on day: Int64) -> Weather.State? { day < end ? states[day] ?? weather?.day(day)?.state : nil }
    }

    /// For whoever asks about many days of a pair: two that are busy with pairs of one store would wait for each other
    /// if they had one in common.
    func terms(of store: Store) -> Terms { Terms(store, self) }

    /// As above, on terms that were asked for before.
    ///
    /// - Parameter span: of the series that the readings are of.
    func judgements(
        of span: JudgedSpan, _ table: ReadingTable, _ shifts: ShiftTable, _ question: Question, _ terms: Terms
    ) -> [MoveJudgement] {
        let day = question.day
        func all(_ judgement: MoveJudgement) -> [MoveJudgement] {
            Array(repeating: judgement, count: question.sensitivities.count)
        }
        let oldest = min(Self.oldest(since: question.since, at: day), day - span.memory)
        let track = ReadingTrack(table, after: oldest, upTo: day, storms: terms.storms)
        guard let newest = track.newest, newest.day >= day - span.staleness else {
            return all(.notJudged(.noReading))
        }
        guard track.count > Self.minimumReadings else { return all(.notJudged(.history)) }
        guard let passage = track.passage(priors: terms.priors, since: question.since) else {
            return moves(track, shifts, terms, question)
        }
        switch passage {
        case .entered(let from), .left(_, let from):
            // Older than what was asked about: judged by what came after it.
            return from > question.since
                ? all(passage.judgement(track)) : moves(track.from(from), shifts, terms, question)
        case .uncovered(let from): return moves(track.from(from), shifts, terms, question)
        case .flickering: return all(.withinNoise)
        case .tooShort: return all(.notJudged(.history))
        }
    }

    private func moves(
        _ track: ReadingTrack, _ shifts: ShiftTable, _ terms: Terms, _ question: Question
    ) -> [MoveJudgement] {
        let noise = terms.noise(track, news: track.count - track.index(after: question.since))
        var judgements: [MoveJudgement] = []
        judgements.reserveCapacity(question.sensitivities.count)
        for sensitivity in question.sensitivities {
            if let keener = judgements.last, !noise.wasAsked {
                // Where the keenest saw nothing to weigh, there is nothing for the others.
                judgements.append(keener)
                continue
            }
            let detection = MoveDetection(
                track: track, shifts: shifts, noise: noise, since: question.since, sensitivity: sensitivity)
            judgements.append(detection.judgement(question.wanted) { terms.state(on: $0) })
        }
        return judgements
    }

    /// The oldest day that is looked at where a pair is asked every day: far enough back for what was usual before
    /// `since`.
    static func oldest(since: Int64?, at day: Int64) -> Int64 {
        min(day - memory, since.map { $0 - usualDays } ?? .max)
    }

    // MARK: The month

    /// Days of a month, over which moves are looked for that no week tells of.
    package static let monthDays: Int64 = 30

    /// The pair's move over `monthDays`, at one step or slowly, its entry or its exit, where nothing is to be said of its
    /// week. An older entry says nothing of what is likely now.
    package func monthMove(
        of series: Series, at day: Int64, sensitivity: Sensitivity = .normal
    ) -> MoveJudgement? {
        let month = judgement(of: series, since: day - Self.monthDays, at: day, sensitivity: sensitivity)
        guard month.isBeyondNoise else { return nil }
        let week = judgement(of: series, since: day - series.span.news, at: day, sensitivity: sensitivity)
        // What is beyond noise is news already.
        return month.isReal ? (week.isBeyondNoise ? nil : month) : (week.isMove ? nil : month)
    }
}
