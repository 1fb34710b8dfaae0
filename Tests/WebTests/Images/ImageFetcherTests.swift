import AppStore
import AppStoreSimulator
import AsyncHTTPClient
import Foundation
import HTTPTypes
import Logging
import NIOCore
import NIOHTTP1
import Outgoing
import RankKit
import Reports
import Synchronization
import TestSupport
import Testing

@testable import Web

/// A simulator that serves images, and a fetcher that takes it for Apple's image hosts.
private func withImages<Value: Sendable>(
    _ options: SimulatorOptions = SimulatorOptions(), clock: some Clock<Duration> = ContinuousClock(),
    _ body: (_ fetcher: ImageFetcher, _ simulator: AppStoreSimulator, _ origin: String) async throws -> Value
) async throws -> Value {
    let simulator = AppStoreSimulator(
        SyntheticStore(seed: 1, options: .init(appCount: 5)), options: options, now: { .startOfDay(20_000) })
    return try await withRunning(simulator) { origin in
        // A clock that is no test's own measures nothing: its patience is for ever.
        let patience: Duration = clock is ContinuousClock ? .seconds(3_600) : .seconds(20)
        let fetcher = ImageFetcher(ImageSource(search: Origin(origin)!), patience: patience, clock: clock)
        do {
            let value = try await body(fetcher, simulator, origin)
            await fetcher.shutdown()
            return value
        } catch {
            await fetcher.shutdown()
            throw error
        }
    }
}

private func image(_ folder: String, _ size: ImageSize = .icon) -> SizedImage {
    SizedImage(ImageAddress("https://is1-ssl.mzstatic.com/image/thumb/\(folder)/512x512bb.png")!, size)
}

@Suite struct ImageFetcherTests {
    @Test func `icons and screenshots come from the stand-in, in the size that is shown`() async throws {
        try await withImages { fetcher, simulator, _ async throws in
            let icon = try await fetcher.picture(image("a"))
            #expect(icon.kind == .png && Array(icon.bytes[16..<24]) == [0, 0, 0, 128, 0, 0, 0, 128])
            let screenshot = try await fetcher.picture(image("a", .screenshot))
            #expect(Array(screenshot.bytes[20..<24]) == [0, 0, 2, 0xB8])
            #expect(simulator.counts.image == 2 && simulator.counts.other == 0)
        }
    }

    @Test(arguments: [(ImageTrick.jpeg, Picture.Kind.jpeg), (.webp, .webP), (.truncated, .png)])
    func `what begins as a picture is one`(_ trick: ImageTrick, _ kind: Picture.Kind) async throws {
        try await withImages { fetcher, _, _ async throws in
            #expect(try await fetcher.picture(image("trick/\(trick.rawValue)")).kind == kind)
        }
    }

    @Test(arguments: [
        (ImageTrick.missing, ImageFetcher.Failure.status(404)), (.html, .noPicture), (.svg, .noPicture),
        (.empty, .noPicture), (.redirect, .status(302)), (.bomb, .noPicture), (.big, .tooLarge),
        (.endless, .tooLarge),
    ])
    func `what is none is not passed on`(_ trick: ImageTrick, _ failure: ImageFetcher.Failure) async throws {
        try await withImages { fetcher, simulator, _ async throws in
            await #expect(throws: failure) { try await fetcher.picture(image("trick/\(trick.rawValue)")) }
            #expect(simulator.counts.image == 1)
        }
    }

    @Test func `an endless body is cut off at the store`() async throws {
        try await withImages { fetcher, simulator, _ async throws in
            await #expect(throws: ImageFetcher.Failure.tooLarge) {
                try await fetcher.picture(image("trick/endless"))
            }
            while simulator.counts.imageCutOff < 1 { await Task.yield() }
        }
    }

    @Test(arguments: [ImageTrick.hang, .slow])
    func `a fetch that is cancelled is cut off at the store`(_ trick: ImageTrick) async throws {
        try await withImages(SimulatorOptions(images: trick)) { fetcher, simulator, _ async throws in
            let fetch = Task { try await fetcher.picture(image("a")) }
            while simulator.counts.image < 1 { await Task.yield() }
            #expect(simulator.counts.imageCutOff == 0)
            fetch.cancel()
            await #expect(throws: (any Error).self) { try await fetch.value }
            while simulator.counts.imageCutOff < 1 { await Task.yield() }
        }
    }

    @Test(arguments: [ImageTrick.hang, .slow])
    func `patience ends after twenty seconds, whatever comes meanwhile`(_ trick: ImageTrick) async throws {
        let clock = ManualClock()
        try await withImages(SimulatorOptions(images: trick), clock: clock) { fetcher, simulator, _ async throws in
            let fetch = Task { try await fetcher.picture(image("a")) }
            while simulator.counts.image < 1 { await Task.yield() }
            await clock.sleepers(1)
            clock.advance(by: .seconds(20))
            await #expect(throws: ImageFetcher.Failure.timedOut) { try await fetch.value }
            while simulator.counts.imageCutOff < 1 { await Task.yield() }
        }
    }

    @Test(arguments: [
        ["10.0.0.1"], ["17.253.38.253", "127.0.0.1"], ["::1"], ["::ffff:17.253.38.253"], ["169.254.169.254"],
    ])
    func `a host with any address inside is not asked`(_ addresses: [String]) async throws {
        let resolver = HostResolver { _ in addresses.compactMap { IPAddress($0) } }
        let fetcher = ImageFetcher(.apple, resolver: resolver)
        await #expect(throws: PinnedClients.Refused.self) { try await fetcher.picture(image("a")) }
        await fetcher.shutdown()
    }

    @Test func `a stand-in that is not on this machine after all is not asked`() async throws {
        let resolver = HostResolver { _ in [IPAddress("127.0.0.1")!, IPAddress("17.253.38.253")!] }
        let fetcher = ImageFetcher(.standIn(scheme: "http", host: "localhost", port: 1), resolver: resolver)
        await #expect(throws: PinnedClients.Refused.self) { try await fetcher.picture(image("a")) }
        await fetcher.shutdown()
    }

    @Test func `nobody is asked where images are switched off`() async throws {
        let fetcher = ImageFetcher(.nobody, resolver: HostResolver { _ in [] })
        await #expect(throws: ImageFetcher.Failure.switchedOff) { try await fetcher.picture(image("a")) }
    }

    @Test func `only a store on loopback stands in for the image hosts`() {
        func source(_ origin: String) -> ImageSource { ImageSource(search: Origin(origin)!) }
        #expect(source("http://127.0.0.1:8080") == .standIn(scheme: "http", host: "127.0.0.1", port: 8080))
        #expect(source("http://localhost:8080") == .standIn(scheme: "http", host: "localhost", port: 8080))
        #expect(source("http://LocalHost.:8080") == .standIn(scheme: "http", host: "localhost", port: 8080))
        #expect(source("http://[::1]:8080") == .standIn(scheme: "http", host: "::1", port: 8080))
        for origin in ["https://itunes.apple.com", "http://10.0.0.1:80", "http://127.0.0.1.example.com"] {
            #expect(source(origin) == .apple)
        }
    }
}

@Suite struct ImageRoomTests {
    private func ask(_ controller: ImageController, _ address: String) async throws -> Answer {
        var routes = Routes()
        controller.add(to: &routes)
        let parts = address.split(separator: "?", maxSplits: 1).map(String.init)
        var visit = Visit(path: try #require(parts[0].removingPercentEncoding), visitor: .owner, now: .startOfDay(0))
        if parts.count > 1, let mark = parts[1].dropFirst(3).removingPercentEncoding {
            visit.parameters = [.init("or", mark)]
        }
        guard case .now(let answer) = try await routes.all[0].handler(visit) else { throw CancellationError() }
        return answer
    }

    private func withController(
        _ options: SimulatorOptions = SimulatorOptions(),
        _ body: (ImageController, AppStoreSimulator) async throws -> Void
    ) async throws {
        let simulator = AppStoreSimulator(
            SyntheticStore(seed: 1, options: .init(appCount: 5)), options: options, now: { .startOfDay(20_000) })
        try await withRunning(simulator) { origin in
            let log = LogLines()
            let controller = await ImageController.open(
                ImageSource(search: Origin(origin)!), folder: nil, logger: log.logger, clock: ManualClock())
            try await body(controller, simulator)
            await controller.close()
        }
    }

    private func address(_ folder: String = "a") -> String {
        "https://is1-ssl.mzstatic.com/image/thumb/\(folder)/512x512bb.jpg"
    }

    @Test func `an image is passed on with its type, to be kept for a day and taken for nothing else`() async throws {
        try await withController { controller, simulator async throws in
            for _ in 1...3 {
                let answer = try await ask(controller, controller.names.path(for: address(), .icon, name: "Pomelo"))
                #expect(answer.status == .ok && answer.type == "image/png")
                #expect(answer.fields[.xContentTypeOptions] == "nosniff")
                #expect(answer.fields[.contentSecurityPolicy] == "default-src 'none'")
                #expect(answer.fields[.cacheControl] == "private, max-age=86400, immutable")
            }
            #expect(simulator.counts.image == 1)
        }
    }

    @Test(arguments: [ImageTrick.svg, .html, .missing, .redirect])
    func `in place of what is no image comes the app's placeholder, for a minute`(_ trick: ImageTrick) async throws {
        try await withController(SimulatorOptions(images: trick)) { controller, simulator async throws in
            for _ in 1...3 {
                let answer = try await ask(controller, controller.names.path(for: address(), .icon, name: "Pomelo"))
                #expect(answer.status == .ok && answer.type == "image/svg+xml")
                #expect(String(decoding: answer.body, as: UTF8.self) == ImagePlaceholder(name: "Pomelo").svg)
                #expect(answer.fields[.cacheControl] == "private, max-age=60")
                #expect(answer.fields[.xContentTypeOptions] == "nosniff")
                #expect(answer.fields[.contentSecurityPolicy] == "default-src 'none'")
            }
            #expect(simulator.counts.image == 1)
        }
    }

    @Test func `a path that the site did not write asks nobody`() async throws {
        try await withController { controller, simulator async throws in
            let path = controller.names.path(for: address(), .icon, name: nil)
            for forged in [path.replacing("/a/", with: "/b/"), path.replacing("/icon/", with: "/large/"), "/images/x"] {
                let answer = try await ask(controller, forged)
                #expect(answer.status == .notFound && answer.fields[.cacheControl] == "no-store")
            }
            #expect(simulator.counts.image == 0)
        }
    }

    @Test func `a placeholder has an address of its own`() async throws {
        try await withController { controller, _ async throws in
            let answer = try await ask(controller, controller.names.path(for: nil, .icon, name: "番茄"))
            #expect(String(decoding: answer.body, as: UTF8.self) == ImagePlaceholder(name: "番茄").svg)
            #expect(answer.fields[.cacheControl] == "private, max-age=86400, immutable")
        }
    }

    @Test func `a browser that goes cuts the fetch off at the store`() async throws {
        try await withController(SimulatorOptions(images: .hang)) { controller, simulator async throws in
            let path = controller.names.path(for: address(), .icon, name: nil)
            let visit = Task { try await ask(controller, path) }
            while simulator.counts.image < 1 { await Task.yield() }
            visit.cancel()
            await #expect(throws: CancellationError.self) { try await visit.value }
            while simulator.counts.imageCutOff < 1 { await Task.yield() }
        }
    }

    @Test(arguments: HostileAnswer.all)
    func `whatever a host sends is no picture, and nothing worse`(_ answer: HostileAnswer) async throws {
        try await RawServer.running(answer.bytes) { server async throws in
            let fetcher = ImageFetcher(ImageSource(search: Origin(server.origin)!))
            await #expect(throws: (any Error).self) { try await fetcher.picture(image("a")) }
            await fetcher.shutdown()
        }
    }
}
