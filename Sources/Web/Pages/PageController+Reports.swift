import HTTPTypes
import RankKit
import Reports

extension PageController {
    /// `/reports/NAME`: any report of the catalogue, with its form.
    func report(_ visit: Visit) throws -> Answer { try zoned(visit, report) }

    private func report(_ visit: Visit, _ moment: Moment) throws -> Answer {
        guard let report = Self.report(named: visit.captures["name"] ?? "") else {
            return try page(
                moment, "No such report", status: .notFound,
                content: PageParts.section(
                    "refusal", PageParts.refusal("There is no report with that name. The menu above has all reports.")))
        }
        let about = report.about
        let wanted = visit.parameters.filter { !$0.value.isEmpty }
        let options = report.options
        let form = OptionForm(
            action: PageAddress.report(about.name), options: options, given: wanted,
            words: try words(Set(options.map(\.name)), moment))
        let intro = "<p class=\"abstract\">\(PageParts.text(about.abstract.namingParameters()))</p>\n"
        let missing = options.filter { option in option.isRequired && !wanted.contains { $0.name == option.name } }
        if wanted.isEmpty, !missing.isEmpty {
            let names = missing.map(\.name).joined(separator: " and ")
            let words = "Choose which \(names) this report is about. \(about.discussion.namingParameters())"
            return try page(
                moment, about.title, form: intro + form.html,
                content: PageParts.section("ask", "<p>\(PageParts.text(words))</p>\n"))
        }
        switch try make(report, wanted, moment) {
        case .refused(let refusal):
            return try page(
                moment, about.title, status: refusal.status, form: intro + form.html,
                content: PageParts.section(
                    "refusal", PageParts.refusal(refusal.description, Self.addressOfHint(in: report, wanted))))
        case .report(let value):
            let document = value.document.withoutMoment
            let pages = PageParts.pager(value.paging) { page in
                PageAddress.report(about.name, wanted.setting("page", page == 1 ? nil : "\(page)"))
            }
            return try page(
                moment, document.title, of: try Self.shown(report, wanted, moment), form: intro + form.html,
                content: document.fragment(
                    PageForm(hint: Self.addressOfHint(in: report, wanted), address: PageAddress.subject))
                    + PageParts.section("more", pages + PageParts.forms(of: about.name, wanted, canShare: canLogOut)))
        }
    }

    /// The moment that the report is of.
    private static func shown(
        _ report: any ReportRequest.Type, _ parameters: [RequestParameter], _ moment: Moment
    ) throws -> Timestamp? {
        // Elsewhere these words mean something else.
        guard report.options.contains(where: { $0.name == "until" }) else { return nil }
        return try TimeReading.moment(of: parameters, in: moment.context)
    }
}
