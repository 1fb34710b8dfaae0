import Foundation
import RankKit
import Testing

@Suite struct WatchlistFileTests {
    private let folder: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "rankkit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        folder = url.path
    }

    private func remove() { try? FileManager.default.removeItem(atPath: folder) }

    private func path(_ name: String) -> String { folder + "/" + name }

    private func failure(_ path: String) -> WatchlistFile.Failure? {
        do throws(WatchlistFile.Failure) {
            _ = try WatchlistFile.read(path)
            return nil
        } catch { return error }
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func `a file is read whole, through a symbolic link too`() throws {
        defer { remove() }
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
        try Data(bytes).write(to: URL(filePath: path("a")))
        try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: path("a"))
        #expect(try WatchlistFile.read(path("a")) == bytes)
        #expect(try WatchlistFile.read(path("link")) == bytes)
    }

    @Test func `a missing file is told apart from everything else`() {
        defer { remove() }
        #expect(failure(path("none")) == .missing(path: path("none")))
        #expect(failure(path("none"))?.description.contains("no such file") == true)
    }

    @Test func `a folder, a FIFO and a device are refused without waiting`() {
        defer { remove() }
        #expect(mkfifo(path("fifo"), 0o600) == 0)
        #expect(failure(folder) == .notAFile(path: folder, kind: "a folder"))
        #expect(failure(path("fifo")) == .notAFile(path: path("fifo"), kind: "a FIFO"))
        #expect(failure("/dev/zero") == .notAFile(path: "/dev/zero", kind: "a device"))
    }

    @Test func `an empty file is refused`() throws {
        defer { remove() }
        try Data().write(to: URL(filePath: path("empty")))
        #expect(failure(path("empty")) == .empty(path: path("empty")))
    }

    @Test func `the cap is on the byte`() throws {
        defer { remove() }
        #expect(FileManager.default.createFile(atPath: path("big"), contents: nil))
        #expect(truncate(path("big"), off_t(WatchlistFile.largestSize)) == 0)
        #expect(try WatchlistFile.read(path("big")).count == WatchlistFile.largestSize)
        #expect(truncate(path("big"), off_t(WatchlistFile.largestSize) + 1) == 0)
        #expect(failure(path("big")) == .tooLarge(path: path("big")))
    }

    @Test(.enabled(if: geteuid() != 0, "root may read everything"))
    func `a file without permission is told as such`() throws {
        defer { remove() }
        try Data([1]).write(to: URL(filePath: path("secret")))
        #expect(chmod(path("secret"), 0) == 0)
        #expect(failure(path("secret")) == .notPermitted(path: path("secret")))
    }

    @Test func `writing replaces the bytes, keeps the mode and leaves nothing beside the file`() throws {
        defer { remove() }
        try Data([1, 2, 3]).write(to: URL(filePath: path("a")))
        #expect(chmod(path("a"), 0o664) == 0)
        try WatchlistFile.write([4, 5], to: path("a"))
        #expect(try WatchlistFile.read(path("a")) == [4, 5])
        #expect(try mode(path("a")) == 0o664)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a"])
    }

    @Test func `writing through a link replaces the target and leaves the link`() throws {
        defer { remove() }
        try FileManager.default.createDirectory(atPath: path("git"), withIntermediateDirectories: true)
        try Data([1]).write(to: URL(filePath: path("git/a")))
        try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: "git/a")
        try WatchlistFile.write([2], to: path("link"))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path("link")) == "git/a")
        #expect(try WatchlistFile.read(path("git/a")) == [2])
    }

    @Test func `a new file is readable by its group only`() throws {
        defer { remove() }
        try WatchlistFile.write([1], to: path("new"))
        #expect(try mode(path("new")) == 0o640)
    }

    @Test func `writing into a folder that is missing changes nothing and says so`() {
        defer { remove() }
        let error = #expect(throws: WatchlistFile.Failure.self) { try WatchlistFile.write([1], to: path("no/a")) }
        #expect(error?.description.contains("nothing was changed") == true)
    }

    @Test func `a mistake of meaning is told with file, line and column`() throws {
        defer { remove() }
        let path = path("w.json")
        try Data("[\n  { query: 'q', bundleId: 'com.a', country: 'usa' }\n]".utf8).write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: WatchlistError.self) { try WatchlistFile.decode(path) }
        #expect(
            error?.lines == [
                "[0].country: “usa” is no country with an App Store; did you mean “us”? "
                    + "(\(path), line 2, column 45)"
            ])
    }
}
