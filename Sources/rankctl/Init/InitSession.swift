internal import ArgumentParser
import Console
import RankKit
import Reports

/// From what somebody wants to the file: asks the store, and the person where there is one.
struct InitSession: Sendable {
    let wishes: InitWishes
    let place: InitPlace
    let store: InitStore
    /// `nil` if nobody is to be asked.
    let questions: InitQuestions?
    /// `YYYY-MM-DD`.
    let day: String

    func run() async throws {
        if questions != nil {
            Terminal.explain(
                "This makes a watchlist: \(place.path). Ctrl-C ends it; nothing is written before the last answer.\n")
        }
        let (app, countries) = try await InitAppChoice(wishes: wishes, store: store, questions: questions).app()
        let queries = try await queries(for: app, in: countries[0])
        let competitors = try await competitors(of: app, on: queries, in: countries[0])
        let draft = NewWatchlist(
            app: Self.named(app), competitors: competitors.map(Self.named), queries: queries, countries: countries,
            platform: wishes.platform, every: wishes.every)
        let (bytes, decoded) = try draft.document(on: day, as: place.name)
        try sayCost(of: decoded.watchlist, draft)
        Complaint.warn(decoded.warnings)
        try await confirm()
        try place.write(bytes)
        // A path and a command are pasted, and stay on a line of their own.
        Terminal.say("wrote \(place.path)\n\nNext:")
        for command in place.next { Terminal.say("  " + command) }
    }

    private static func named(_ app: SeenApp) -> NewWatchlist.App {
        NewWatchlist.App(app.bundleID, name: app.details().plausible.name)
    }

    private func list(for text: String, in country: Country) async throws -> ResultList {
        try await store.search(Query(text: text, country: country, platform: wishes.platform))
    }

    // MARK: Queries

    private func queries(for app: SeenApp, in country: Country) async throws -> [String] {
        guard wishes.queries.isEmpty else { return wishes.queries }
        let name = app.details().plausible.name
        var proposals: [QueryProposal] = []
        var others = 0
        if let name, let text = QueryProposal.searchText(for: name) {
            let list = try await list(for: text, in: country)
            let names = list.places.compactMap(\.self).filter { $0.bundleID != app.bundleID }.prefix(Self.neighbours)
                .compactMap { $0.details().plausible.name }
            others = names.count
            proposals = QueryProposal.list(for: name, among: names)
        }
        guard let questions else {
            guard !proposals.isEmpty else {
                throw Self.refusal("no query could be found in the app's name: name some with --query", .usage)
            }
            return proposals.map(\.text)
        }
        if !proposals.isEmpty {
            Terminal.explain("\nQueries to begin with, from its name and the names around it:")
            let width = proposals.map(\.text.count).max() ?? 0
            for (number, proposal) in proposals.enumerated() {
                let text = SafeText.escaped(proposal.text)
                let blanks = String(repeating: " ", count: max(0, width - text.count) + 3)
                Terminal.explain("  \(number + 1)  \(text)\(blanks)\(Self.words(proposal, of: others))")
            }
        }
        while true {
            let answer = try await questions.answer(
                proposals.isEmpty
                    ? "Queries to begin with, with commas between them:"
                    : "Which? Numbers such as 1,3-5, queries of your own, or Return for all:")
            do throws(ListChoice.Mistake) {
                let choice = try ListChoice(answer, of: proposals.count)
                var known: Set<String> = []
                let queries = (choice.picked.map { proposals[$0].text } + choice.written)
                    .filter { known.insert(Query.fold($0)).inserted }
                var trial = wishes
                trial.queries = queries
                if queries.isEmpty {
                    Terminal.explain("a watchlist needs at least one query")
                } else if let problem = trial.problem {
                    Terminal.explain(SafeText.escaped(problem))
                } else {
                    return queries
                }
            } catch { Terminal.explain(SafeText.escaped(error.description)) }
        }
    }

    /// How many names of an answer are looked at: the first ones are about the query.
    private static let neighbours = 50

    private static func words(_ proposal: QueryProposal, of count: Int) -> String {
        switch proposal.origin {
        case .name: "\(proposal.names) of \(count) names around it have these words"
        case .neighbours: "\(proposal.names) of \(count) names around it, not its own"
        case .brand: "what it calls itself"
        }
    }

    // MARK: Competitors

    /// How many of the queries are searched for to find who stands with the app.
    private static let searches = 6

    private func competitors(
        of app: SeenApp, on queries: [String], in country: Country
    ) async throws -> [SeenApp] {
        guard wishes.competitors.isEmpty else {
            var found: [SeenApp] = []
            for wanted in wishes.competitors {
                guard let seen = try await store.find(wanted, in: country) else {
                    throw Self.refusal(
                        "the \(country) store sells no app \(wanted.shown): check --competitor", .noInput)
                }
                if seen.bundleID != app.bundleID, !found.contains(where: { $0.bundleID == seen.bundleID }) {
                    found.append(seen)
                }
            }
            return found
        }
        guard questions != nil || wishes.takesAll else { return [] }
        var answers: [ResultList] = []
        var standings: [String] = []
        for query in queries.prefix(Self.searches) {
            let list = try await list(for: query, in: country)
            answers.append(list)
            let place =
                list.positions()[app.bundleID].map { "#\($0.number) of \(list.count)" } ?? "not in \(list.count)"
            standings.append("  \(place)  \(SafeText.escaped(query))")
        }
        Terminal.explain("\nWhere it stands in the \(country) store now:\n" + standings.joined(separator: "\n"))
        let proposals = CompetitorProposal.list(for: app.bundleID, by: app.details().developer, in: answers)
        if proposals.isEmpty { Terminal.explain("\nNobody stands beside it on these queries.") }
        if !proposals.isEmpty {
            Terminal.explain(
                "\nCompetitors: who is among the first \(CompetitorProposal.depth) with it most often. They cost no search "
                    + "more.")
            for (number, proposal) in proposals.enumerated() {
                Terminal.explain(
                    "  \(number + 1)  \(InitAppChoice.line(proposal.app)): in \(proposal.lists) of \(answers.count) lists, "
                        + "before it in \(proposal.ahead)")
            }
        }
        guard let questions else { return proposals.map(\.app) }
        return try await choose(proposals.map(\.app), for: app, in: country, questions)
    }

    private func choose(
        _ proposals: [SeenApp], for app: SeenApp, in country: Country, _ questions: InitQuestions
    ) async throws -> [SeenApp] {
        asking: while true {
            let all = proposals.isEmpty ? "Return for none" : "Return for all, none for none"
            let answer = try await questions.answer("Which? Numbers such as 1,3, links or bundle ids, \(all):")
            let choice: ListChoice
            do throws(ListChoice.Mistake) { choice = try ListChoice(answer, of: proposals.count) } catch {
                Terminal.explain(SafeText.escaped(error.description))
                continue
            }
            var chosen = choice.picked.map { proposals[$0] }
            for text in choice.written {
                let wanted: InitApp
                do throws(ValidationError) { wanted = try InitApp(written: text) } catch {
                    Terminal.explain(error.message)
                    continue asking
                }
                if case .name = wanted {
                    Terminal.explain(
                        "“\(SafeText.escaped(text))” is a name: type a number of the list, a link or a bundle id")
                    continue asking
                }
                guard let seen = try await store.find(wanted, in: country) else {
                    Terminal.explain("the \(country) store sells no app \(wanted.shown)")
                    continue asking
                }
                chosen.append(seen)
            }
            var known: Set<BundleID> = [app.bundleID]
            return chosen.filter { known.insert($0.bundleID).inserted }
        }
    }

    // MARK: The end

    private func sayCost(of watchlist: Watchlist, _ draft: NewWatchlist) throws {
        let summary = WatchlistSummary(watchlist)
        let perDay = Figures.counted(Int(summary.requestsPerDay.rounded(.up)), "search", "searches")
        let budget = Figures.grouped(Int64(summary.budgetPerDay))
        guard summary.fitsBudget else {
            throw Self.refusal(
                "it would ask \(perDay) a day, and the pace allows \(budget): ask less often with --every, or in fewer "
                    + "countries; nothing was written", .usage)
        }
        let queries = Figures.counted(draft.queries.count, "query", "queries")
        let countries = Figures.counted(draft.countries.count, "country", "countries")
        Terminal.explain(
            "\nIt asks \(perDay) a day of the \(budget) that the pace allows: \(queries) in \(countries), every "
                + "\(draft.every); one pass takes \(WatchlistSummary.duration(summary.passMinutes * 60)).")
    }

    private func confirm() async throws {
        guard let questions else { return }
        while true {
            switch try await questions.answer("Write \(place.path)? [Y/n]").lowercased() {
            case "", "y", "yes": return
            case "n", "no": throw CancellationError()
            default: Terminal.explain("type y or n")
            }
        }
    }

    private static func refusal(_ words: String, _ status: ExitStatus) -> any Error {
        Terminal.explain(words)
        return status
    }
}
