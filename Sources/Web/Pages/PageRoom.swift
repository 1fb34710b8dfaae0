import HTTPTypes
import History
import RankKit
import Reports

/// The pages that people look at.
struct PageRoom: Sendable {
    let door: HistoryDoor
    /// Where a picture of the store's is to be had from this site; `nil` where it is not.
    let pathOfImage: @Sendable (_ address: String, ImageSize, _ name: String?) -> String?
    let source: PageSource
    /// What the App Store answers now, for a visitor without a script.
    let search: @Sendable (Visit) async -> SearchOutcome
    /// Whether visitors log in, and so can log out.
    let canLogOut: Bool

    init(
        door: HistoryDoor, canLogOut: Bool, source: PageSource = .history,
        pathOfImage: @escaping @Sendable (_ address: String, ImageSize, _ name: String?) -> String? = { _, _, _ in nil
        },
        search: @escaping @Sendable (Visit) async -> SearchOutcome
    ) {
        self.door = door
        self.canLogOut = canLogOut
        self.source = source
        self.pathOfImage = pathOfImage
        self.search = search
    }

    func add(to routes: inout Routes) {
        routes.get("/") { visit in .ofHistory { try today(visit) } }
        routes.get("/apps/:bundle") { visit in .ofHistory { try app(visit) } }
        routes.get("/queries") { visit in .ofHistory { try query(visit) } }
        routes.get("/reports/:name") { visit in .ofHistory { try report(visit) } }
        routes.get("/search") { visit in .now(try await searchPage(visit)) }
        for asset in SiteAssets.all { routes.get(asset.route) { visit in .now(asset.answer(visit)) } }
    }

    /// One moment of the history, as a page of it is made.
    struct Moment: Sendable {
        let reader: HistoryReader
        let context: ReportContext
        let visit: Visit
    }

    func moment(_ visit: Visit) throws -> Moment {
        let reader = try door.reader(for: visit.visitor).snapshot()
        return Moment(
            reader: reader, context: try ReportContext(reader, now: visit.now, zone: door.zone), visit: visit)
    }

    /// A page with what stands around it.
    func page(
        _ moment: Moment, _ title: String, status: Answer.Status = .ok, ornament: String = "", form: String = "",
        hasStars: Bool = false, content: String
    ) throws -> Answer {
        let frame = PageFrame(
            title: title, ornament: ornament, form: form, content: content, path: moment.visit.path,
            now: moment.visit.now, zone: moment.context.zone, service: try service(moment), canLogOut: canLogOut,
            hasStars: hasStars)
        return Answer(status, type: "text/html; charset=utf-8", frame.html)
    }

    private func service(_ moment: Moment) throws -> PageFrame.Service {
        PageFrame.Service(word: try StatusRequest().report(in: moment.context).status.level.rawValue)
    }

    /// An app's icon for a list.
    func icon(_ app: BundleID, named name: String, in country: Country?, _ moment: Moment) -> String {
        // A picture that cannot be looked up is no reason to show no list.
        let address = try? source.icon(moment.reader, app, country)
        return PageParts.icon(address.flatMap { pathOfImage($0, .icon, name) }, of: name)
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
