import Logging
import RankKit
import Synchronization
import TestSupport
import Testing
import Tracking

@testable import History

/// A log of which only the number of lines counts.
private final class LineCounter: LogHandler, Sendable {
    private let lines = Mutex(0)
    var count: Int { lines.withLock { $0 } }

    var logLevel: Logger.Level {
        get { .info }
        set {}
    }
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }
    subscript(metadataKey _: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) { lines.withLock { $0 += 1 } }
}

@Suite struct LogLimiterTests {
    private let start = ManualClock().now

    @Test func `the first of a class goes through, the next after a minute with the count of those between`() {
        var limiter = LogLimiter<ManualClock.Instant>()
        #expect(limiter.admit("a", at: start) == 0)
        for second in 1..<60 { #expect(limiter.admit("a", at: start.advanced(by: .seconds(second))) == nil) }
        #expect(limiter.admit("b", at: start.advanced(by: .seconds(59))) == 0)
        #expect(limiter.admit("a", at: start.advanced(by: .seconds(60))) == 59)
        #expect(limiter.admit("a", at: start.advanced(by: .seconds(61))) == nil)
        #expect(limiter.admit("a", at: start.advanced(by: .seconds(200))) == 1)
    }

    @Test func `what was held back is told in time though nothing follows it`() {
        var limiter = LogLimiter<ManualClock.Instant>()
        for _ in 0..<10 { _ = limiter.admit("a", at: start) }
        #expect(limiter.overdue(at: start.advanced(by: .seconds(59))).isEmpty)
        #expect(limiter.overdue(at: start.advanced(by: .seconds(60))).map(\.heldBack) == [9])
        #expect(limiter.overdue(at: start.advanced(by: .seconds(200))).isEmpty)
    }

    @Test func `waiting for the disk is one line at its beginning and one at its end`() {
        let lines = LineCounter()
        var log = EventLog(Logger(label: "test") { _ in lines }, clock: ManualClock())
        let check = Check(query: query("timer"), at: time("2026-11-01T00:00:00Z"), outcome: .answered(list([])))
        for round in 1...2 {
            for _ in 0..<100 {
                log.write(TrackingEvent.waits(check, because: .full(path: "/history.sqlite")))
            }
            #expect(lines.count == round * 2 - 1)
            log.write(TrackingEvent.settled(100, dropped: 0))
            #expect(lines.count == round * 2)
        }
    }

    @Test func `a device that fails at every write makes a line a minute`() {
        let clock = ManualClock()
        let lines = LineCounter()
        var log = EventLog(Logger(label: "test") { _ in lines }, clock: clock)
        for _ in 0..<120 {
            log.write(TrackingEvent.mended(.inputOutput(path: "/history.sqlite", what: "")))
            clock.advance(by: .seconds(1))
        }
        #expect(lines.count == 2)
    }

    @Test func `ten thousand failures make a dozen lines`() {
        let clock = ManualClock()
        let lines = LineCounter()
        var log = EventLog(Logger(label: "test") { _ in lines }, clock: clock)
        for number in 0..<10_000 {
            let reason: Failure.Reason = number % 2 == 0 ? .timedOut : .status
            log.write(
                TrackingEvent.recorded(
                    RecordedCheck(
                        id: Int64(number), query: query("q\(number)"), at: time("2026-11-01T00:00:00Z"), within: nil,
                        failure: Failure(reason), suspicion: nil, ranked: 0, pairs: 1)))
            clock.advance(by: .milliseconds(30))
        }
        // Five minutes of two classes.
        #expect(lines.count == 10)
    }
}
