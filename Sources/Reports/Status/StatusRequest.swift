internal import ArgumentParser

package struct StatusRequest: ReportRequest {
    package static let about = ReportAbout(
        "status", "Shows how rankd and its history are doing.",
        discussion: "Ends with 0 when all is fine, 1 when something needs a look, 2 when nothing is being recorded.",
        isTopLevel: true)

    package static let answers: [any ReportValue.Type] = [StatusReport.self]

    package init() {}

    package func answer(in context: ReportContext) throws -> any ReportValue { try report(in: context) }

    package func report(in context: ReportContext) throws -> StatusReport {
        StatusReport(try Status(from: context.reader, now: context.now))
    }
}
