internal import ArgumentParser

package struct StatusRequest: ReportRequest {
    package static let about = ReportAbout(
        "status", "Shows how rankd and its history are doing.",
        discussion: "Exits with 0 if all is fine, 1 if something needs a look, 2 if nothing is being recorded.",
        isTopLevel: true)

    package static let answers: [any ReportValue.Type] = [StatusReport.self]

    package init() {}

    package func answer(in context: ReportContext) throws -> any ReportValue { try report(in: context) }

    func report(in context: ReportContext) throws -> StatusReport {
        StatusReport(try Status(from: context.reader, now: context.now))
    }
}
