import HTTPTypes
import History
import RankKit
import Reports
import Synchronization

/// The reports for programs: one address for each, with the names and meanings of the command line.
struct APIController: Sendable {
    private let history: HistoryAccess
    private let description: OpenAPI
    private let page: String

    /// - Parameters:
    ///   - description: what is told of the API.
    ///   - frame: a page of the site around this part of it.
    init(
        history: HistoryAccess, description: OpenAPI = OpenAPI(),
        frame: @Sendable (_ title: String, _ body: String) -> String
    ) {
        self.history = history
        self.description = description
        page = frame(APIPage.title, APIPage.body)
    }

    static let root = "/api/v1"

    /// Whether what goes wrong at `path` is told to a program.
    static func owns(_ path: String) -> Bool { path.hasPrefix("/api/") }

    func add(to routes: inout Routes) {
        let page = Answer(type: ReportFormat.html.contentType, page)
        routes.get("/api") { _ in .now(page) }
        let described = ByBase { base in
            var description = description
            description.base = base
            return Answer(type: ReportFormat.json.contentType, body: description.document.bytes)
        }
        routes.get(APIAddress.description) { .now(Self.json(described[$0.base], for: $0)) }
        let listed = ByBase { Answer(type: ReportFormat.json.contentType, body: ReportList.json(under: $0).bytes) }
        routes.get(APIAddress.list) { .now(Self.json(listed[$0.base], for: $0)) }
        routes.get(APIAddress.list + "/:name", by: .parametersAndForm) { visit in
            let name = visit.captures["name"] ?? ""
            guard let report = ReportCatalogue.reports.first(where: { $0.about.name == name }) else {
                return .now(Self.noReport(name, visit.path).answer)
            }
            return try reply(report, visit)
        }
        for report in ReportCatalogue.reports where report.about.isTopLevel {
            routes.get(APIAddress.short(report), by: .parametersAndForm) { try reply(report, $0) }
        }
    }

    /// What is only to be had as JSON.
    private static func json(_ answer: Answer, for visit: Visit) -> Answer {
        let type = ReportFormat.json.mediaType
        guard Acceptance(visit.headers).quality(of: type) > 0 else {
            var problem = Acceptance.nothingFits([type])
            problem.instance = visit.path
            return problem.answer
        }
        return answer
    }

    private static func noReport(_ name: String, _ path: String) -> Problem {
        let known = ReportCatalogue.reports.map { $0.about.name }.joined(separator: ", ")
        return Problem(
            .noSuchAddress, "there is no report “\(SafeText.escaped(name))”; the reports are \(known)", instance: path)
    }

    private func reply<Request: ReportRequest>(_ report: Request.Type, _ visit: Visit) throws -> Reply {
        let form: AnswerForm
        let request: Request
        do throws(Problem) {
            form = try AnswerForm(visit)
            request = try Self.request(report, form.options)
        } catch {
            var problem = error
            problem.instance = visit.path
            return .now(problem.answer)
        }
        let make: @Sendable () throws -> Answer = { try answer(to: request, in: form, visit) }
        return .ofHistory(make)
    }

    private static func request<Request: ReportRequest>(
        _ report: Request.Type, _ parameters: [RequestParameter]
    ) throws(Problem) -> Request {
        // The pages' forms send what nobody filled in; a program that sends nothing where a number belongs has a mistake.
        for parameter in parameters where parameter.value.isEmpty {
            guard let option = report.options.first(where: { $0.name == parameter.name }) else { continue }
            if option.kind == .wholeNumber || option.kind == .word {
                throw Problem(.usage, "\(option.name) is empty: give it a value, or leave it out")
            }
        }
        do { return try report.request(parameters) } catch { throw Problem(error) }
    }

    private func answer(to request: some ReportRequest, in form: AnswerForm, _ visit: Visit) throws -> Answer {
        let remarks = Remarks()
        do {
            let context = try history.context(for: visit, isForPeople: form.format.isForPeople) { remarks.add($0) }
            return try context.zoned { () throws(any Error) in
                try Self.answer(try request.answer(in: context), form, remarks)
            }
        } catch let refusal as ReportRefusal {
            return Problem(refusal, instance: visit.path).answer
        } catch let error as HistoryError {
            return Problem(error, hiding: history.path, instance: visit.path).answer
        }
    }

    private static func answer(_ report: some ReportValue, _ form: AnswerForm, _ remarks: Remarks) throws -> Answer {
        var answer = Answer(type: form.format.contentType, body: [])
        if form.format == .csv {
            answer.body = Array(try report.csv(form.columns ?? .short).utf8)
            for words in report.damaged.words() { remarks.add(words) }
        } else {
            report.write(as: form.format) { answer.body += $0 }
        }
        // It brings its own style and is a page of its own.
        if form.format == .html { answer.fields[.contentSecurityPolicy] = PageStyle.policy }
        answer.fields[.vary] = "Accept"
        if let field = remarks.field, let name = HTTPField.Name(Remarks.name) { answer.fields[name] = field }
        return answer
    }
}

/// An answer that is the same for all who find the site under one path, made when it is first asked for.
private final class ByBase: Sendable {
    private let make: @Sendable (_ base: String) -> Answer
    private let made = Mutex<[String: Answer]>([:])

    init(_ make: @escaping @Sendable (_ base: String) -> Answer) { self.make = make }

    subscript(base: String) -> Answer {
        if let known = made.withLock({ $0[base] }) { return known }
        let answer = make(base)
        made.withLock { $0[base] = answer }
        return answer
    }
}

/// Where everything is.
enum APIAddress {
    static let list = APIController.root + "/reports"
    static let description = APIController.root + "/openapi.json"
    static let search = APIController.root + "/search"

    static func full(_ report: any ReportRequest.Type) -> String { "\(list)/\(report.about.name)" }

    /// Of a report that is a command of its own.
    static func short(_ report: any ReportRequest.Type) -> String { "\(APIController.root)/\(report.about.name)" }

    static func all(of report: any ReportRequest.Type) -> [String] {
        [full(report)] + (report.about.isTopLevel ? [short(report)] : [])
    }

    /// With what stands behind the question mark.
    static func with(_ parameters: [RequestParameter], _ address: String) -> String {
        guard !parameters.isEmpty else { return address }
        return address + "?"
            + parameters.map { "\(FormText.encoded($0.name))=\(FormText.encoded($0.value))" }.joined(separator: "&")
    }
}

/// Every report, for programs that look for one.
enum ReportList {
    /// - Parameter base: the path under which the site is found.
    static func json(under base: String) -> JSONTree {
        let reports = ReportCatalogue.reports.map { report -> JSONTree in
            [
                "name": .text(report.about.name), "abstract": .text(report.about.abstract),
                "command": .text(report.about.command),
                "addresses": .list(APIAddress.all(of: report).map { .text(base + $0) }),
            ]
        }
        return ["version": 1, "reports": .list(reports)]
    }

    /// What that is, as JSON Schema.
    static let schema: JSONTree = [
        "type": "object", "required": ["version", "reports"], "additionalProperties": false,
        "properties": [
            "version": ["const": 1],
            "reports": [
                "type": "array",
                "items": [
                    "type": "object", "required": ["name", "abstract", "command", "addresses"],
                    "additionalProperties": false,
                    "properties": [
                        "name": ["type": "string"],
                        "abstract": ["type": "string", "description": "What it shows, in a line."],
                        "command": ["type": "string", "description": "What people type in a terminal to get it."],
                        "addresses": [
                            "type": "array", "minItems": 1, "items": ["type": "string"],
                            "description": "Its addresses; all of them give the same answer.",
                        ],
                    ],
                ],
            ],
        ],
    ]
}
