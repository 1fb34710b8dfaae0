package import ArgumentParser
import Console
import Foundation
import History
import RankKit
package import Reports
import Synchronization
import UnixSignals

/// What a report is read from, in which form it comes, and where it goes.
package struct DeliveryOptions: ParsableArguments {
    @OptionGroup package var database: DatabaseOption
    @OptionGroup package var output: OutputOptions

    @Flag(help: "Keep the report on the screen and refresh it until Ctrl-C.")
    package var live = false

    package init() {}

    /// Makes a report and delivers it; says on a terminal that it is at work where that takes longer than a second.
    ///
    /// - Returns: what was delivered; `nil` if it was shown live.
    @discardableResult
    package func deliver(_ make: (ReportContext) throws -> any ReportValue) async throws -> (any ReportValue)? {
        if live {
            try await watch(make)
            return nil
        }
        let work = WaitNotice("reading the history")
        let context: ReportContext
        let report: any ReportValue
        do {
            context = try self.context(Surroundings())
            report = try context.zoned { () throws(any Error) in try make(context) }
        } catch {
            await work.end()
            throw error
        }
        await work.end()
        try context.zoned { () throws(any Error) in try output.deliver(report, Surroundings()) }
        return report
    }

    package func report(_ make: (ReportContext) throws -> any ReportValue) throws -> any ReportValue {
        let context = try context(Surroundings())
        return try context.zoned { () throws(any Error) in try make(context) }
    }

    /// One snapshot of the history, now.
    package func context(_ surroundings: Surroundings) throws -> ReportContext {
        try ReportContext(
            try database.reader(surroundings), now: surroundings.now, zone: .gmt,
            isForPeople: output.format.isForPeople, showsAllRows: output.showsAllRows, remark: { Terminal.say($0) })
    }
}

extension DeliveryOptions {
    /// How often a report is made again, in seconds.
    private static let pause = 5

    /// Shows a report in place, again and again, until Ctrl-C or the end of the terminal.
    func watch(_ make: (ReportContext) throws -> any ReportValue) async throws {
        guard Terminal.isTerminal, output.format == .table, output.output == nil else {
            throw ValidationError("--live needs a terminal and shows the table: leave out --format and --output")
        }
        let stopped = Mutex(false)
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
        let listener = Task {
            for await _ in signals { break }
            stopped.withLock { $0 = true }
        }
        defer { listener.cancel() }
        // What is wrong with the options is said before the screen is taken.
        var text = try text(make)
        let screen = LiveScreen()
        defer { screen.end() }
        while !stopped.withLock({ $0 }) {
            let surroundings = Surroundings()
            let style = Terminal.style(environment: surroundings.environment)
            screen.draw(text(style), rows: Terminal.rows ?? 24)
            try await rest(while: { !stopped.withLock { $0 } }, style: style)
            text = try self.text(make)
        }
    }

    /// What writes the report of this moment.
    private func text(
        _ make: (ReportContext) throws -> any ReportValue
    ) throws -> (TerminalStyle) -> String {
        let context = try context(Surroundings())
        let report = try context.zoned { () throws(any Error) in try make(context) }
        return { style in context.zoned { report.render(as: .table, style: style) } }
    }

    /// Until it is time, or the terminal has another width, or the end has come.
    private func rest(while goesOn: () -> Bool, style: TerminalStyle) async throws {
        for _ in 0..<Self.pause * 5 {
            try await Task.sleep(for: .milliseconds(200))
            guard goesOn(), Terminal.style(environment: Surroundings().environment) == style else { return }
        }
    }
}
