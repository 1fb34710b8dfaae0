internal import ArgumentParser
import Console
import Foundation
import History
import RankKit
import Reports

/// What a report is read from, in which form it comes, and where it goes.
struct DeliveryOptions: ParsableArguments {
    @OptionGroup var database: DatabaseOption
    @OptionGroup var output: OutputOptions

    @Flag(help: "Show the report in place, and keep it fresh until Ctrl-C.")
    var live = false

    /// Makes a report and delivers it; says on a terminal that it is at work where that takes longer than a second.
    ///
    /// - Returns: what was delivered; `nil` where it was shown live.
    @discardableResult
    func deliver(_ make: (ReportContext) throws -> any ReportValue) async throws -> (any ReportValue)? {
        if live {
            try await watch(make)
            return nil
        }
        let work = LongWork("reading the history")
        let report: any ReportValue
        do { report = try self.report(make) } catch {
            await work.end()
            throw error
        }
        await work.end()
        try output.deliver(report, Surroundings())
        return report
    }

    func report(_ make: (ReportContext) throws -> any ReportValue) throws -> any ReportValue {
        try make(try context(Surroundings()))
    }

    /// One snapshot of the history, now.
    func context(_ surroundings: Surroundings) throws -> ReportContext {
        try ReportContext(
            try database.reader(surroundings), now: surroundings.now, zone: .current,
            isForPeople: output.format.isForPeople, remark: { Terminal.say($0) })
    }
}
