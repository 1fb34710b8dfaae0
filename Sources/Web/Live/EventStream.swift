import HTTPTypes
import Hummingbird
import NIOCore

/// `/events`: what pages are told while they are open.
///
/// Source: HTML Standard (WHATWG), "Server-sent events".
struct EventStream: Sendable {
    static let type = "text/event-stream; charset=utf-8"

    let hub: LiveHub
    let clock: any Clock<Duration>
    /// What a visitor who sees a part of the history is told that it is; `nil` where it cannot be read now.
    let version: @Sendable (Visitor) -> String?

    /// A line that says nothing, so that proxies do not take the connection for dead.
    private static let heartbeat = Duration.seconds(20)

    func add(to routes: inout Routes) {
        routes.get("/events") { visit in
            guard let events = await hub.listen(for: visit.client) else {
                throw Refusal(
                    .serviceUnavailable, "Too many pages",
                    "Too many pages are waiting for changes already. This one does not refresh by itself.",
                    kind: .tooBusy,
                    fields: [.retryAfter: "60"], logged: "too many pages that listen")
            }
            return .streamed(response(events, for: visit.visitor))
        }
    }

    private func response(_ events: AsyncStream<LiveHub.Event>, for visitor: Visitor) -> Response {
        Response(
            status: .ok, headers: [.contentType: Self.type, .cacheControl: "no-store", .vary: "Cookie, Authorization"],
            body: ResponseBody { writer in
                try await writer.write(ByteBuffer(string: "retry: 5000\n\n"))
                // Beats and events come by one stream, so that one task waits for both.
                var told: String?
                for await event in beating(events) {
                    guard let text = text(of: event, for: visitor, told: &told) else { continue }
                    try await writer.write(ByteBuffer(string: text))
                }
                try await writer.finish(nil)
            })
    }

    private func beating(_ events: AsyncStream<LiveHub.Event>) -> AsyncStream<LiveHub.Event?> {
        let clock = clock
        return AsyncStream(bufferingPolicy: .bufferingNewest(8)) { continuation in
            let beats = Task {
                while true {
                    do { try await clock.sleep(for: Self.heartbeat) } catch { return }
                    continuation.yield(nil)
                }
            }
            let told = Task {
                for await event in events { continuation.yield(event) }
                continuation.finish()
            }
            continuation.onTermination = { _ in
                beats.cancel()
                told.cancel()
            }
        }
    }

    /// What `visitor` is told of `event`, where that is anything: how much there is to ask, and when others' queries are
    /// asked, is the business of those who see all of it.
    func text(of event: LiveHub.Event?, for visitor: Visitor, told: inout String?) -> String? {
        guard visitor.tags != nil, let event else { return Self.text(of: event) }
        guard case .changed = event, let own = version(visitor), own != told else { return nil }
        told = own
        return Self.text(of: .changed(own))
    }

    static func text(of event: LiveHub.Event?) -> String {
        switch event {
        case nil: return ":\n\n"
        case .changed(let version): return "event: changed\nid: \(version)\ndata: {\"version\":\"\(version)\"}\n\n"
        case .progress(let progress?):
            let left = progress.secondsLeft.map(String.init) ?? "null"
            return
                "event: progress\ndata: {\"done\":\(progress.done),\"due\":\(progress.due),\"secondsLeft\":\(left)}\n\n"
        case .progress(nil): return "event: progress\ndata: null\n\n"
        }
    }
}
