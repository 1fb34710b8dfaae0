import Logging
import Outgoing

/// The images that the site shows: in memory, else on disk, else fetched, once for everybody who waits.
actor ImageCache {
    struct Limits: Sendable {
        var picturesInMemory = 500
        var bytesInMemory = 16_000_000
        /// Fetches at once.
        var fetches = 4
        /// Fetches that wait for their turn; beyond them an image is not to be had for the moment.
        var queue = 256
        /// For how long an image that could not be had is not asked for again.
        var forgivesAfter = Duration.seconds(60)
        /// Failures that are remembered.
        var failures = 1_000
    }

    typealias Fetch = @Sendable (SizedImage) async throws -> Picture

    /// A fetch that is under way, and who waits for it.
    private struct Download {
        let number: Int
        var task: Task<Void, Never>?
        var waiting: [Int: AsyncStream<Picture?>.Continuation] = [:]
    }

    private let fetch: Fetch
    private let folder: ImageFolder?
    private let limits: Limits
    private let elapsed: @Sendable () -> Duration
    private let logger: Logger
    private var memory: PictureMemory
    private var downloads: [SizedImage: Download] = [:]
    private var failedAt: [SizedImage: Duration] = [:]
    private var running = 0
    private var queue: [(number: Int, turn: AsyncStream<Void>.Continuation)] = []
    private var lastNumber = 0
    private var writing: Task<Void, Never>?

    /// - Parameters:
    ///   - folder: `nil` keeps pictures in memory alone.
    ///   - clock: measures for how long a failure counts.
    init(
        folder: ImageFolder?, limits: Limits = Limits(), clock: some Clock<Duration> = ContinuousClock(),
        logger: Logger, fetch: @escaping Fetch
    ) {
        self.fetch = fetch
        self.folder = folder
        self.limits = limits
        self.logger = logger
        elapsed = clock.elapsed()
        memory = PictureMemory(mostPictures: limits.picturesInMemory, mostBytes: limits.bytesInMemory)
    }

    /// The picture; `nil` if it cannot be had now. When nobody waits for it any more, it is not fetched any further.
    ///
    /// - Throws: `CancellationError` alone, at once where the caller is cancelled.
    func picture(_ image: SizedImage) async throws -> Picture? {
        try Task.checkCancellation()
        if let picture = memory.picture(image) { return picture }
        if let failed = failedAt[image] {
            if elapsed() - failed < limits.forgivesAfter { return nil }
            failedAt[image] = nil
        }
        let ticket = nextNumber()
        let (answers, answer) = AsyncStream.makeStream(of: Picture?.self)
        if downloads[image] == nil { begin(image) }
        downloads[image]?.waiting[ticket] = answer
        // Ends without an answer where the caller is cancelled.
        for await picture in answers { return picture }
        leave(image, ticket)
        throw CancellationError()
    }

    /// Ends what is under way, and returns when what was to be written is written.
    func close() async {
        for download in downloads.values { download.task?.cancel() }
        for download in downloads.values { await download.task?.value }
        await settle()
    }

    /// Returns when everything that was to be kept on disk is there.
    func settle() async { await writing?.value }

    /// How many wait for an image.
    func waiters(for image: SizedImage) -> Int { downloads[image]?.waiting.count ?? 0 }

    /// How many images are looked for, those in the queue included.
    var underWay: Int { running + queue.count }

    // MARK: Downloads

    private func begin(_ image: SizedImage) {
        let number = nextNumber()
        downloads[image] = Download(number: number)
        // It belongs to all who wait, so it can be no child of one of them; `leave` and `close` end it.
        downloads[image]?.task = Task {
            let picture = await obtain(image)
            guard downloads[image]?.number == number, let download = downloads.removeValue(forKey: image) else {
                return
            }
            for answer in download.waiting.values {
                answer.yield(picture)
                answer.finish()
            }
        }
    }

    private func leave(_ image: SizedImage, _ ticket: Int) {
        guard downloads[image]?.waiting.removeValue(forKey: ticket) != nil, downloads[image]?.waiting.isEmpty == true
        else { return }
        downloads.removeValue(forKey: image)?.task?.cancel()
    }

    private func obtain(_ image: SizedImage) async -> Picture? {
        if let picture = await folder?.picture(image) {
            memory.keep(picture, image)
            return picture
        }
        do {
            try await turn()
        } catch {
            return nil
        }
        defer { passOn() }
        do {
            let picture = try await fetch(image)
            memory.keep(picture, image)
            write(picture, image)
            return picture
        } catch {
            // A fetch that was given up says nothing about the image.
            if !Task.isCancelled { fail(image, error) }
            return nil
        }
    }

    private func fail(_ image: SizedImage, _ error: any Error) {
        logger.debug("no image from \(image.host)\(image.path): \(error)")
        if failedAt.count >= limits.failures {
            let now = elapsed()
            failedAt = failedAt.filter { now - $0.value < limits.forgivesAfter }
            if failedAt.count >= limits.failures { failedAt.removeAll() }
        }
        failedAt[image] = elapsed()
    }

    private func write(_ picture: Picture, _ image: SizedImage) {
        guard let folder else { return }
        // Detached: it outlives the page that asked for the picture. One after the other, so that the last ends last.
        writing = Task.detached(priority: .background) { [writing] in
            await writing?.value
            await folder.keep(picture, image)
        }
    }

    private func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    // MARK: Turns

    private struct QueueIsFull: Error {}

    /// Returns when one of the few fetches may begin; `passOn` has to follow.
    private func turn() async throws {
        try Task.checkCancellation()
        if running < limits.fetches {
            running += 1
            return
        }
        guard queue.count < limits.queue else { throw QueueIsFull() }
        let number = nextNumber()
        let (turns, turn) = AsyncStream.makeStream(of: Void.self)
        queue.append((number, turn))
        for await _ in turns { return }
        // Cancelled. The turn may have come all the same, just before.
        if let place = queue.firstIndex(where: { $0.number == number }) {
            queue.remove(at: place)
        } else {
            passOn()
        }
        throw CancellationError()
    }

    /// Gives the turn to whoever waits for longest.
    private func passOn() {
        guard !queue.isEmpty else {
            running -= 1
            return
        }
        let next = queue.removeFirst()
        next.turn.yield()
        next.turn.finish()
    }
}
