internal import ArgumentParser
import Console
import History
import Reports

/// What a report is read from, in which form it comes, and where it goes.
struct DeliveryOptions: ParsableArguments {
    @OptionGroup var database: DatabaseOption
    @OptionGroup var output: OutputOptions

    @Flag(help: "Show the report in place, and keep it fresh until Ctrl-C.")
    var live = false

    /// Makes a report and delivers it; says on a terminal that it is at work where that takes longer than a second.
    func deliver(_ make: (HistoryReader, Surroundings) throws -> Report) async throws {
        if live { return try await watch(make) }
        let work = LongWork("reading the history")
        let report: Report
        do { report = try self.report(make) } catch {
            await work.end()
            throw error
        }
        await work.end()
        try output.deliver(Surroundings()) { report.render(as: $0, style: $1) }
        output.warn(of: report.damaged)
    }

    func report(_ make: (HistoryReader, Surroundings) throws -> Report) throws -> Report {
        let surroundings = Surroundings()
        return try make(try database.reader(surroundings), surroundings)
    }
}
