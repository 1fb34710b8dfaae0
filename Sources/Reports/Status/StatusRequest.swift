internal import ArgumentParser

package struct StatusRequest: ReportRequest {
    package static let about = ReportAbout(
        "status", "Shows how rankd and its history are doing.",
        ending: "Exits with 0 if all is fine, 1 if something needs a look, 2 if nothing is being recorded.",
        usage: "rankctl status [--database <file>] [--live] [<options>]", isTopLevel: true)

    package static let answers: [any ReportValue.Type] = [StatusReport.self]

    package init() {}

    package func answer(in context: ReportContext) throws -> any ReportValue { try report(in: context) }

    /// - Parameter unit: what systemd says of the service; `nil` if there is no such unit.
    package func report(in context: ReportContext, unit: ServiceUnit? = nil) throws -> StatusReport {
        StatusReport(try Status(from: context.reader, database: context.database, unit: unit, now: context.now))
    }
}
