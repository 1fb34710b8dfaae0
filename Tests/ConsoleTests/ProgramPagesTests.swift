import Foundation
import TestSupport
import Testing

@testable import Console

#if canImport(Glibc)
    import Glibc
#endif

#if os(Linux)
    /// `/proc/self/smaps` to its end. Reading the file by its name stops at the first read that brings less than a page.
    private func ownMappings() -> String {
        let bytes = try? FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/self/smaps")).readToEnd()
        return String(decoding: bytes ?? Data(), as: UTF8.self)
    }

    /// Emulators tell zeroes of all pages.
    private let tellsOfPages = ownMappings().split(separator: "\n").contains {
        $0.hasPrefix("Rss:") && !$0.hasSuffix(" 0 kB")
    }
#endif

@Suite struct ProgramPagesTests {
    /// One mapping as `/proc/PID/smaps` tells of it.
    private func mapping(
        _ range: String, _ rights: String, _ file: String, resident: Int = 1_024, anonymous: Int = 0,
        swapped: Int? = 0
    ) -> String {
        """
        \(range) \(rights) 00000000 fe:00 1234                       \(file)
        Size:               1024 kB
        Rss:              \(resident) kB
        Shared_Dirty:          0 kB
        Private_Dirty:         0 kB
        Anonymous:        \(anonymous) kB
        VmFlags: rd ex mr mw me

        """ + (swapped.map { "Swap:   \($0) kB\n" } ?? "")
    }

    @Test func `code and constants of the program itself are given back`() {
        let smaps =
            mapping("1000-2000", "r--p", "/usr/bin/rankd") + mapping("2000-5000", "r-xp", "/usr/bin/rankd")
            + mapping("7f00-8000", "r-xp", "/lib/libc.so.6") + mapping("9000-a000", "rw-p", "")
        #expect(ProgramPages.clean(in: smaps, of: "/usr/bin/rankd") == [0x1000..<0x2000, 0x2000..<0x5000])
    }

    @Test func `what can be written, and what was written when the program was linked, stays`() {
        let smaps =
            mapping("1000-2000", "r--p", "/usr/bin/rankd", anonymous: 4)
            + mapping("2000-5000", "rw-p", "/usr/bin/rankd") + mapping("5000-6000", "r--s", "/usr/bin/rankd")
        #expect(ProgramPages.clean(in: smaps, of: "/usr/bin/rankd").isEmpty)
    }

    @Test func `what was swapped out, what nobody tells of, and what is not in memory stays`() {
        let smaps =
            mapping("1000-2000", "r--p", "/p", swapped: 64) + mapping("2000-3000", "r--p", "/p", swapped: nil)
            + mapping("3000-4000", "r--p", "/p", resident: 0)
        #expect(ProgramPages.clean(in: smaps, of: "/p").isEmpty)
        #expect(ProgramPages.clean(in: smaps + mapping("4000-5000", "r--p", "/p"), of: "/p") == [0x4000..<0x5000])
    }

    @Test func `a program that was replaced while it ran has another name`() {
        let smaps = mapping("1000-2000", "r-xp", "/opt/my apps/rankd (deleted)")
        #expect(ProgramPages.clean(in: smaps, of: "/opt/my apps/rankd (deleted)") == [0x1000..<0x2000])
        #expect(ProgramPages.clean(in: smaps, of: "/opt/my apps/rankd").isEmpty)
    }

    @Test func `text that is none of smaps gives nothing back`() {
        #expect(ProgramPages.clean(in: "", of: "").isEmpty)
        #expect(ProgramPages.clean(in: "zz-yy r-xp 0 0 0 /p\nAnonymous: 0 kB\n5-4 r-xp 0 0 0 /p\n", of: "/p").isEmpty)
    }

    #if os(Linux)
        /// A file of 64 pages that this process has mapped and read.
        private func mapped(_ body: (_ file: String, _ pages: UnsafeRawBufferPointer) throws -> Void) throws {
            let folder = try TemporaryFolder()
            let file = try folder.write(String(repeating: "rankd", count: 64 * 4_096 / 5 + 1), to: "program")
            let descriptor = open(file, O_RDONLY)
            defer { close(descriptor) }
            let size = 64 * 4_096
            let start = try #require(mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0))
            try #require(start != MAP_FAILED)
            defer { munmap(start, size) }
            // The file stays until then.
            try withExtendedLifetime(folder) { try body(file, UnsafeRawBufferPointer(start: start, count: size)) }
        }

        /// In kB, of the process's mappings of `file`.
        private func resident(_ file: String) throws -> Int {
            let smaps = ownMappings()
            var (sum, isOfFile) = (0, false)
            for line in smaps.split(separator: "\n") {
                if line.prefix(while: { $0 != " " }).contains("-") { isOfFile = line.hasSuffix(" " + file) }
                guard isOfFile, line.hasPrefix("Rss:") else { continue }
                sum += line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            }
            return sum
        }

        @Test(.enabled(if: tellsOfPages))
        func `pages that were given back are read from the file again when they are used`() throws {
            try mapped { file, pages in
                let sum = pages.reduce(0) { $0 &+ Int($1) }
                let before = try resident(file)
                ProgramPages.giveBack(of: file)
                let after = try resident(file)
                #expect(before > 0 && after == 0, "\(before) kB, then \(after) kB")
                #expect(pages.reduce(0) { $0 &+ Int($1) } == sum)
            }
        }

        @Test func `a program goes on when the pages of its own file were given back`() async throws {
            await #expect(processExitsWith: .success) { ProgramPages.giveBack() }
        }
    #endif
}
