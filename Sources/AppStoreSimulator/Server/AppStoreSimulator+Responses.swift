import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore
import RankKit

extension AppStoreSimulator {
    /// Answers one request, or fails to in the way that the fault plan says.
    func respond(to request: Request, writer: consuming ResponseWriter, channel: any Channel) async throws {
        try await answer(request, writer, channel)
        // Not if it throws: then the client may have gone while the answer was written.
        open.end(on: channel)
    }

    private func answer(
        _ request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel
    ) async throws {
        guard request.method == .get else {
            counter.add(\.other)
            return try await send(.json(status: 405, #"{"error": "only GET is served"}"#), to: request, writer, channel)
        }
        guard let target = RequestTarget(request.head.path ?? "") else {
            counter.add(\.other)
            let reason = #"{"error": "the query string is not percent-encoded UTF-8"}"#
            return try await send(.json(status: 400, reason), to: request, writer, channel)
        }
        switch target.path {
        case "/search":
            open.begin(\.cutOff, on: channel)
            counter.add(\.search)
            try await serve(ReceivedRequest(.search, target.parameters), request, writer, channel)
        case "/lookup":
            open.begin(\.cutOff, on: channel)
            counter.add(\.lookup)
            try await serve(ReceivedRequest(.lookup, target.parameters), request, writer, channel)
        case "/_stats":
            try await send(.json(counter.current.json), to: request, writer, channel)
        case "/_truth":
            try await send(truth(ReceivedRequest(.search, target.parameters)), to: request, writer, channel)
        case let path where path.hasPrefix(StoreImage.root):
            open.begin(\.imageCutOff, on: channel)
            counter.add(\.image)
            try await serveImage(path, request, writer, channel)
        case let path where WebPage.Address(path) != nil:
            guard let address = WebPage.Address(path) else { return }
            open.begin(\.cutOff, on: channel)
            counter.add(\.web)
            let parameters = target.parameters.merging(
                ["country": address.country, "platform": address.platform], uniquingKeysWith: { $1 })
            try await serve(ReceivedRequest(.web, parameters), request, writer, channel)
        default:
            counter.add(\.other)
            let reason =
                #"{"error": "there is nothing here; /search, /lookup, /us/iphone/search, /image, /_stats "#
                + #"and /_truth are served"}"#
            try await send(.json(status: 404, reason), to: request, writer, channel)
        }
    }

    private func serve(
        _ asked: ReceivedRequest, _ request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel
    ) async throws {
        let moment = now()
        if let limit, !limit.admits(asked.endpoint, at: moment) {
            counter.add(\.refused)
            return try await send(.empty(status: 403), to: request, writer, channel)
        }
        let fault = faults.next(for: asked.endpoint)
        if options.latency > .zero { try await clock.sleep(for: options.latency) }
        let answer = backend.answer(asked, at: moment)
        guard let fault else { return try await send(answer, to: request, writer, channel) }
        if let spoiled = try fault.answer(insteadOf: answer) {
            try await send(spoiled, to: request, writer, channel)
        } else {
            try await fail(with: fault, insteadOf: answer, request, writer, channel)
        }
    }

    private func truth(_ asked: ReceivedRequest) throws -> StoreAnswer {
        switch backend.truth(asked, at: now()) {
        case .order(let bundleIDs):
            let list = String(decoding: try JSONEncoder().encode(bundleIDs), as: UTF8.self)
            return .json(list)
        case .refusal(let answer): return answer
        case nil: return .json(status: 404, #"{"error": "recordings have no truth beside what they say"}"#)
        }
    }

    /// Sends an answer whole, compressed where the options and the client allow.
    func send(
        _ answer: StoreAnswer, to request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel
    ) async throws {
        var answer = answer
        if options.gzip, answer.contentEncoding == nil, answer.body.readableBytes > 0,
            Gzip.isAccepted(by: request.headers[.acceptEncoding])
        {
            answer.body = try gzip.compress(answer)
            answer.contentEncoding = "gzip"
        }
        let head = answer.head(contentLength: answer.body.readableBytes)
        // Not after the writing: a client that has its answer may be gone before the writer hears that it is out.
        open.end(on: channel)
        try await writer.write(response: head, body: ResponseBody(byteBuffer: answer.body))
    }
}

extension StoreAnswer {
    /// - Parameter contentLength: what the head promises; `nil` makes the body chunked.
    func head(contentLength: Int?) -> HTTPResponse {
        var fields = HTTPFields()
        fields[.contentType] = contentType
        fields[.contentEncoding] = contentEncoding
        fields[.location] = location
        fields[.contentLength] = contentLength.map(String.init)
        return HTTPResponse(status: HTTPResponse.Status(code: status), headerFields: fields)
    }
}
