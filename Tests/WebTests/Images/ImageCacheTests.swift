import Foundation
import Logging
import Synchronization
import TestSupport
import Testing

@testable import Web

@Suite struct ImageCacheTests {
    /// An image host whose answers wait until the test lets them go.
    private final class Host: Sendable {
        private struct State {
            var asked: [SizedImage] = []
            var givenUp = 0
            var waiting: [(SizedImage, AsyncStream<Picture?>.Continuation)] = []
            var atOnce = 0
        }

        private let state = Mutex(State())

        var asked: [SizedImage] { state.withLock { $0.asked } }
        var givenUp: Int { state.withLock { $0.givenUp } }
        var waiting: Int { state.withLock { $0.waiting.count } }
        var mostAtOnce: Int { state.withLock { $0.atOnce } }

        struct Broken: Error {}

        func fetch(_ image: SizedImage) async throws -> Picture {
            let (answers, answer) = AsyncStream.makeStream(of: Picture?.self)
            state.withLock { state in
                state.asked.append(image)
                state.waiting.append((image, answer))
                state.atOnce = max(state.atOnce, state.waiting.count)
            }
            for await picture in answers {
                guard let picture else { throw Broken() }
                return picture
            }
            state.withLock { state in
                state.givenUp += 1
                state.waiting.removeAll { $0.0 == image }
            }
            throw CancellationError()
        }

        /// Answers whoever waits for longest; `nil` has no picture.
        func answer(_ picture: Picture?) {
            let answer = state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst().1 }
            answer?.yield(picture)
            answer?.finish()
        }

        func isAsked(_ count: Int) async {
            while asked.count < count { await Task.yield() }
        }
    }

    private let host = Host()
    private let clock = ManualClock()
    private let log = LogLines()

    private static func image(_ number: Int) -> SizedImage {
        SizedImage(ImageAddress("https://a.mzstatic.com/image/\(number)/1x1bb.jpg")!, .icon)
    }

    private static func picture(_ number: UInt8 = 0) -> Picture { Picture([0xFF, 0xD8, 0xFF, number])! }

    private func cache(
        folder: String? = nil, folderLimit: Int = 1_000, _ limits: ImageCache.Limits = ImageCache.Limits()
    ) -> ImageCache {
        ImageCache(
            folder: folder.map { ImageFolder(path: $0, limit: folderLimit, logger: log.logger) }, limits: limits,
            clock: clock, logger: log.logger, fetch: host.fetch)
    }

    @Test func `a picture is fetched once and then comes from memory`() async throws {
        let cache = cache()
        async let first = cache.picture(Self.image(1))
        await host.isAsked(1)
        host.answer(Self.picture())
        #expect(try await first == Self.picture())
        #expect(try await cache.picture(Self.image(1)) == Self.picture())
        #expect(host.asked == [Self.image(1)])
    }

    @Test func `equal requests share one fetch`() async throws {
        let cache = cache()
        let askers = (0..<20).map { _ in Task { try await cache.picture(Self.image(1)) } }
        while await cache.waiters(for: Self.image(1)) < 20 { await Task.yield() }
        await host.isAsked(1)
        host.answer(Self.picture())
        for asker in askers { #expect(try await asker.value == Self.picture()) }
        #expect(host.asked.count == 1)
    }

    @Test func `a waiter that is cancelled leaves at once and the others keep the fetch`() async throws {
        let cache = cache()
        let leaving = Task { try await cache.picture(Self.image(1)) }
        let staying = Task { try await cache.picture(Self.image(1)) }
        while await cache.waiters(for: Self.image(1)) < 2 { await Task.yield() }
        await host.isAsked(1)
        leaving.cancel()
        await #expect(throws: CancellationError.self) { try await leaving.value }
        #expect(host.givenUp == 0)
        host.answer(Self.picture())
        #expect(try await staying.value == Self.picture())
    }

    @Test func `when the last waiter goes the fetch is given up, and it is no failure`() async throws {
        let cache = cache()
        let askers = (0..<3).map { _ in Task { try await cache.picture(Self.image(1)) } }
        while await cache.waiters(for: Self.image(1)) < 3 { await Task.yield() }
        await host.isAsked(1)
        for asker in askers { asker.cancel() }
        for asker in askers { await #expect(throws: CancellationError.self) { try await asker.value } }
        while host.givenUp < 1 { await Task.yield() }
        let again = Task { try await cache.picture(Self.image(1)) }
        await host.isAsked(2)
        host.answer(Self.picture())
        #expect(try await again.value == Self.picture())
    }

    @Test func `a failure is remembered for a minute`() async throws {
        let cache = cache()
        let first = Task { try await cache.picture(Self.image(1)) }
        await host.isAsked(1)
        host.answer(nil)
        #expect(try await first.value == nil)
        clock.advance(by: .seconds(59))
        #expect(try await cache.picture(Self.image(1)) == nil)
        #expect(host.asked.count == 1)
        clock.advance(by: .seconds(1))
        let second = Task { try await cache.picture(Self.image(1)) }
        await host.isAsked(2)
        host.answer(Self.picture())
        #expect(try await second.value == Self.picture())
    }

    @Test func `at most four are fetched at once, in order, and beyond the queue there is nothing`() async throws {
        var limits = ImageCache.Limits()
        limits.queue = 6
        let cache = cache(limits)
        var askers: [Task<Picture?, any Error>] = []
        for number in 0..<10 {
            askers.append(Task { try await cache.picture(Self.image(number)) })
            while await cache.underWay < number + 1 { await Task.yield() }
        }
        await host.isAsked(4)
        #expect(try await cache.picture(Self.image(99)) == nil)
        for number in 0..<10 {
            await host.isAsked(min(10, number + 4))
            host.answer(Self.picture(UInt8(number)))
        }
        for asker in askers { #expect(try await asker.value != nil) }
        #expect(host.mostAtOnce == 4 && host.asked == (0..<10).map(Self.image))
        // It was refused for want of room, not as a broken image.
        let late = Task { try await cache.picture(Self.image(99)) }
        await host.isAsked(11)
        host.answer(Self.picture())
        #expect(try await late.value != nil)
    }

    @Test func `whoever leaves the queue leaves its place to the next`() async throws {
        var limits = ImageCache.Limits()
        limits.fetches = 1
        let cache = cache(limits)
        var askers: [Task<Picture?, any Error>] = []
        for number in 0..<4 {
            askers.append(Task { try await cache.picture(Self.image(number)) })
            while await cache.underWay < number + 1 { await Task.yield() }
        }
        await host.isAsked(1)
        askers[1].cancel()
        await #expect(throws: CancellationError.self) { try await askers[1].value }
        askers[0].cancel()
        await host.isAsked(2)
        host.answer(Self.picture())
        await host.isAsked(3)
        host.answer(Self.picture())
        #expect(try await askers[2].value != nil)
        #expect(try await askers[3].value != nil)
        #expect(host.asked == [0, 2, 3].map(Self.image))
    }

    @Test func `closing gives up what is under way`() async throws {
        let cache = cache()
        let asker = Task { try await cache.picture(Self.image(1)) }
        await host.isAsked(1)
        await cache.close()
        #expect(try await asker.value == nil)
        #expect(host.givenUp == 1)
    }

    // MARK: On disk

    private func fetched(_ numbers: ClosedRange<Int>, by cache: ImageCache) async throws {
        for number in numbers {
            let before = host.asked.count
            let asker = Task { try await cache.picture(Self.image(number)) }
            await host.isAsked(before + 1)
            host.answer(Self.picture(UInt8(number)))
            #expect(try await asker.value != nil)
        }
        await cache.settle()
    }

    @Test func `a picture outlives a restart, in a file for nobody else`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("images")
        try await fetched(1...1, by: cache(folder: path))
        #expect(try await cache(folder: path).picture(Self.image(1)) == Self.picture(1))
        #expect(host.asked.count == 1)
        let files = try FileManager.default.contentsOfDirectory(atPath: path)
        #expect(files.count == 1 && files[0].count == 64 + ".image".count)
        let attributes = try FileManager.default.attributesOfItem(atPath: path + "/" + files[0])
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func `bytes on disk are bounded, and what was not used for longest goes`() async throws {
        let folder = try TemporaryFolder()
        // Room for five pictures of four bytes; making room goes down to four.
        try await fetched(1...5, by: cache(folder: folder.path, folderLimit: 20))
        // The file system's clock may not tell them apart.
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let number = try #require(FileManager.default.contents(atPath: folder.file(file))?.last)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: Double(number))], ofItemAtPath: folder.file(file))
        }
        let again = cache(folder: folder.path, folderLimit: 20)
        #expect(try await again.picture(Self.image(1)) == Self.picture(1))
        try await fetched(6...6, by: again)
        let later = cache(folder: folder.path, folderLimit: 20)
        for number in [1, 4, 5, 6] { #expect(try await later.picture(Self.image(number)) != nil) }
        #expect(host.asked.count == 6)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 4)
    }

    @Test func `garbage goes, and what belongs to others stays`() async throws {
        let folder = try TemporaryFolder()
        try await fetched(1...2, by: cache(folder: folder.path, folderLimit: 1_000))
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        for file in files { _ = try folder.write("<script>alert(1)</script>", to: file) }
        _ = try folder.write("mine", to: "notes.txt")
        _ = try folder.write("half", to: files[0] + ".partial")
        try FileManager.default.createDirectory(atPath: folder.file("deep.image"), withIntermediateDirectories: false)
        try await fetched(1...2, by: cache(folder: folder.path, folderLimit: 1_000))
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(left == (files + ["deep.image", "notes.txt"]).sorted())
        #expect(try await cache(folder: folder.path).picture(Self.image(1)) == Self.picture(1))
    }

    @Test func `a link that somebody put in a picture's place is not followed`() async throws {
        let folder = try TemporaryFolder()
        try await fetched(1...1, by: cache(folder: folder.path))
        let file = try #require(try FileManager.default.contentsOfDirectory(atPath: folder.path).first)
        try FileManager.default.moveItem(atPath: folder.file(file), toPath: folder.file("elsewhere"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.file(file), withDestinationPath: folder.file("elsewhere"))
        try await fetched(1...1, by: cache(folder: folder.path))
        #expect(host.asked.count == 2)
    }

    @Test func `a folder that cannot be written is said once, and pictures are had all the same`() async throws {
        let folder = try TemporaryFolder()
        let cache = cache(folder: try folder.write("a file", to: "images"))
        try await fetched(1...3, by: cache)
        #expect(try await cache.picture(Self.image(2)) == Self.picture(2))
        #expect(log.lines.count { $0.contains("cannot keep images in") } == 1)
    }

    @Test func `a picture that cannot be written leaves no half of it behind`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("images")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        let cache = cache(folder: path)
        try await fetched(1...1, by: cache)
        let file = try #require(try FileManager.default.contentsOfDirectory(atPath: path).first)
        // A folder under the file's name keeps root out as well.
        try FileManager.default.removeItem(atPath: path + "/" + file)
        try FileManager.default.createDirectory(atPath: path + "/" + file, withIntermediateDirectories: false)
        try await fetched(1...1, by: self.cache(folder: path))
        #expect(try FileManager.default.contentsOfDirectory(atPath: path) == [file])
        #expect(log.lines.count == 1)
    }

    @Test func `the key of the addresses is kept, and one that was spoiled is made anew`() async throws {
        let folder = try TemporaryFolder()
        func edition() async -> String {
            await ImageNames(key: ImageFolder(path: folder.path, limit: 1, logger: log.logger).key()).edition
        }
        let first = await edition()
        #expect(await edition() == first)
        _ = try folder.write("short", to: "key")
        let second = await edition()
        #expect(second != first)
        #expect(await edition() == second)
    }
}
