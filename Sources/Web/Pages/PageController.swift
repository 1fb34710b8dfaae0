import HTTPTypes
import History
import RankKit
import Reports
import Synchronization

/// The pages that people look at.
struct PageController: Sendable {
    let history: HistoryAccess
    /// Where a picture of the store's is to be had from this site; `nil` where it is not.
    let pathOfImage: @Sendable (_ address: String, ImageSize, _ name: String?) -> String?
    /// What the App Store answers now, for a visitor without a script.
    let search: @Sendable (Visit) async -> SearchOutcome
    /// Whether visitors log in, and so can log out.
    let canLogOut: Bool
    private let service = KnownService()

    init(
        history: HistoryAccess, canLogOut: Bool,
        pathOfImage: @escaping @Sendable (_ address: String, ImageSize, _ name: String?) -> String? = { _, _, _ in nil
        },
        search: @escaping @Sendable (Visit) async -> SearchOutcome
    ) {
        self.history = history
        self.canLogOut = canLogOut
        self.pathOfImage = pathOfImage
        self.search = search
    }

    func add(to routes: inout Routes) {
        routes.get("/") { visit in .ofHistory { try today(visit) } }
        routes.get("/apps") { visit in .ofHistory { try apps(visit) } }
        routes.get("/apps/:bundle", by: .nothing) { visit in
            if let refusal = try appRefusal(visit) { return .now(refusal) }
            return .ofHistory { try app(visit) }
        }
        routes.get("/queries") { visit in .ofHistory { try query(visit) } }
        routes.get("/pairs") { visit in .ofHistory { try pair(visit) } }
        routes.get("/reports/:name") { visit in .ofHistory { try report(visit) } }
        routes.get("/service") { visit in .ofHistory { try serviceLine(visit) } }
        routes.get("/search") { visit in .now(try await searchPage(visit)) }
        routes.get("/search/recorded") { visit in .ofHistory { try recorded(visit) } }
        for asset in SiteAssets.all { routes.get(asset.route) { visit in .now(asset.answer(visit)) } }
    }

    /// One moment of the history, as a page of it is made.
    struct Moment: Sendable {
        let reader: HistoryReader
        let context: ReportContext
        let visit: Visit
        /// What its reports say beside themselves.
        let remarks: Remarks
    }

    func moment(_ visit: Visit) throws -> Moment {
        let reader = try history.reader(for: visit.visitor).snapshot()
        let remarks = Remarks()
        return Moment(
            reader: reader,
            context: try ReportContext(
                reader, now: visit.now, zone: history.zone, database: history.name,
                mostReadings: HistoryAccess.mostReadings
            ) { remarks.add($0) }, visit: visit, remarks: remarks)
    }

    /// A page of one moment, whose days and times are those of the watchlist's zone.
    func zoned(_ visit: Visit, _ page: (Visit, Moment) throws -> Answer) throws -> Answer {
        let moment = try moment(visit)
        return try moment.context.zoned { () throws(any Error) in try page(visit, moment) }
    }

    /// A page with what stands around it.
    ///
    /// - Parameter shown: the moment that it is of; now where it is `nil`.
    func page(
        _ moment: Moment, _ title: String, of shown: Timestamp? = nil, status: Answer.Status = .ok,
        ornament: String = "", form: String = "",
        hasStars: Bool = false, content: String
    ) throws -> Answer {
        let frame = PageFrame(
            title: title, ornament: ornament, form: form,
            content: PageParts.remarks(moment.remarks.texts) + content, path: moment.visit.path,
            now: shown ?? moment.visit.now, zone: moment.context.zone, service: try service(moment),
            canLogOut: canLogOut,
            hasStars: hasStars)
        return Answer(status, type: "text/html; charset=utf-8", frame.html)
    }

    /// `/service`: the line about the service alone, which open pages ask for anew, as rankd can stop meanwhile.
    private func serviceLine(_ visit: Visit) throws -> Answer {
        try zoned(visit) { _, moment in
            Answer(type: "text/html; charset=utf-8", try service(moment).line)
        }
    }

    private func service(_ moment: Moment) throws -> PageFrame.Service {
        let visit = moment.visit
        return try service.known(for: visit.visitor.tags, now: visit.now) {
            let status = try StatusRequest().report(in: moment.context).status
            return PageFrame.Service(word: status.level.rawValue, words: status.brief)
        }
    }

    /// Draws the icons of the apps that `document` names before their names.
    func icons(for document: Document, _ moment: Moment) -> @Sendable (Cell.Subject, _ name: String) -> String {
        icons(of: Array(document.apps), moment)
    }

    /// Draws the icons of these apps before their names.
    func icons(of apps: [BundleID], _ moment: Moment) -> @Sendable (Cell.Subject, _ name: String) -> String {
        // Pictures that cannot be looked up are no reason to show no list.
        let addresses = (try? moment.reader.icons(of: apps)) ?? [:]
        return { subject, name in
            guard case .app(let app) = subject else { return "" }
            return PageParts.icon(addresses[app].flatMap { pathOfImage($0, .icon, name) }, of: name)
        }
    }

    /// Where the pages have what a report made with `parameters` says of the command line.
    ///
    /// - Parameter path: of the page with the report's form, if that is not the report's own.
    static func addressOfHint(
        in report: any ReportRequest.Type, _ parameters: [RequestParameter], path: String? = nil
    ) -> @Sendable (PageForm.Hint) -> String? {
        let path = path ?? PageAddress.report(report.about.name)
        let options = report.options
        return { hint in
            switch hint {
            case .option(let name):
                guard let option = options.first(where: { $0.name == name }) else { return nil }
                guard option.kind == .flag else {
                    return PageAddress.path(path, parameters) + "#" + OptionForm.id(name)
                }
                return PageAddress.path(path, parameters.setting("limit", nil).setting(name, "true"))
            case .report(let name): return Self.report(named: name).map { PageAddress.report($0.about.name) }
            }
        }
    }

    /// The words that the options of these names can be chosen from.
    func words(_ names: Set<String>, _ moment: Moment) throws -> OptionForm.Words {
        let reader = moment.reader
        var words: OptionForm.Words = [:]
        if names.contains("app") { words["app"] = try reader.watchedApps().map { $0.alias ?? $0.bundleID.text } }
        if names.contains("query") { words["query"] = try reader.queryTexts(beginning: "", limit: Self.mostWords) }
        if names.contains("country") { words["country"] = try reader.values(of: .country) }
        if names.contains("tag") { words["tag"] = try reader.tags() }
        return words.filter { !$0.value.isEmpty }
    }

    /// Words that a page carries to choose from; whoever has more types the rest.
    private static let mostWords = 200

    /// A report's document, or why there is none.
    enum Made {
        case report(any ReportValue)
        case refused(ReportRefusal)
    }

    func make(_ report: any ReportRequest.Type, _ parameters: [RequestParameter], _ moment: Moment) throws -> Made {
        do { return .report(try report.request(parameters).answer(in: moment.context)) } catch let refusal
            as ReportRefusal
        { return .refused(refusal) }
    }

    static func report(named name: String) -> (any ReportRequest.Type)? {
        ReportCatalogue.reports.first { $0.about.name == name }
    }
}

extension Answer {
    typealias Status = HTTPResponse.Status
}

extension ReportRefusal {
    /// What an answer with this refusal is.
    var status: Answer.Status { isUsage ? .badRequest : .notFound }
}

/// How rankd is: a seventh of the work of a page, and the same on every page of a moment. While a pass changes
/// the history every few seconds, that moment lasts for some of them.
private final class KnownService: Sendable {
    private struct Known {
        var tags: Set<String>?
        var at: Timestamp
        var service: PageFrame.Service
    }

    /// In seconds.
    private static let freshness: Int64 = 5

    private let known = Mutex<Known?>(nil)

    func known(
        for tags: Set<String>?, now: Timestamp, _ make: () throws -> PageFrame.Service
    ) rethrows -> PageFrame.Service {
        if let known = known.withLock({ $0 }), known.tags == tags, known.at.flooredToMinute == now.flooredToMinute,
            (0..<Self.freshness).contains(now - known.at)
        {
            return known.service
        }
        let service = try make()
        known.withLock { $0 = Known(tags: tags, at: now, service: service) }
        return service
    }
}
