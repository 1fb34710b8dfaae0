import Testing

@testable import Console

@Suite struct ProgramPagesTests {
    /// One mapping as `/proc/PID/smaps` tells of it.
    private func mapping(_ range: String, _ rights: String, _ file: String, anonymous: Int = 0) -> String {
        """
        \(range) \(rights) 00000000 fe:00 1234                       \(file)
        Size:               1024 kB
        Rss:                1024 kB
        Anonymous:        \(anonymous) kB
        VmFlags: rd ex mr mw me

        """
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

    @Test func `a program that was replaced while it ran has another name`() {
        let smaps = mapping("1000-2000", "r-xp", "/opt/my apps/rankd (deleted)")
        #expect(ProgramPages.clean(in: smaps, of: "/opt/my apps/rankd (deleted)") == [0x1000..<0x2000])
        #expect(ProgramPages.clean(in: smaps, of: "/opt/my apps/rankd").isEmpty)
    }

    @Test func `text that is none of smaps gives nothing back`() {
        #expect(ProgramPages.clean(in: "", of: "").isEmpty)
        #expect(ProgramPages.clean(in: "zz-yy r-xp 0 0 0 /p\nAnonymous: 0 kB\n5-4 r-xp 0 0 0 /p\n", of: "/p").isEmpty)
    }

    @Test func `the program goes on after its pages were given back`() {
        ProgramPages.giveBack()
        #expect([3, 1, 2].sorted() == [1, 2, 3])
    }
}
