#if canImport(Glibc)
    import Glibc
#endif

/// The pages of the program's own file that the system keeps in memory for this process: code and constants, much of
/// which ran once, at the start.
package enum ProgramPages {
    /// Lets the system take those pages back that hold what the file holds, and nothing else. What is used again is mapped
    /// again, from the file's cache as a rule. Where `/proc` does not tell of them this does nothing.
    package static func giveBack() {
        #if canImport(Glibc)
            // After an upgrade it ends with " (deleted)", here and there.
            var name = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
            let length = readlink("/proc/self/exe", &name, name.count - 1)
            guard length > 0 else { return }
            giveBack(of: String(decoding: name[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self))
        #endif
    }

    /// The same for the mappings of `program`, a file's path.
    static func giveBack(of program: String) {
        #if canImport(Glibc)
            guard let file = fopen("/proc/self/smaps", "re") else { return }
            defer { fclose(file) }
            var (line, capacity): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
            defer { free(line) }
            var text = ""
            while getline(&line, &capacity, file) > 0, let line { text += String(cString: line) }
            for pages in clean(in: text, of: program) {
                guard let start = UnsafeMutableRawPointer(bitPattern: pages.lowerBound) else { continue }
                madvise(start, Int(pages.upperBound - pages.lowerBound), MADV_DONTNEED)
            }
        #endif
    }

    /// The address ranges of `program` in `smaps` (proc_pid_smaps(5)) that nobody can write and that hold no page of this
    /// process alone, in memory or swapped out: a page that was written when the program was linked at its start would be
    /// lost. Of a range of which that is not told, or that has nothing in memory, nothing is taken. Emulators tell zeroes
    /// of all.
    static func clean(in smaps: String, of program: String) -> [Range<UInt>] {
        var clean: [Range<UInt>] = []
        var mapping: (range: Range<UInt>, sizes: [Substring: Substring])?
        func end() {
            guard let (range, sizes) = mapping, let resident = sizes["Rss:"], resident != "0",
                own.allSatisfy({ sizes[$0] == "0" })
            else { return }
            clean.append(range)
        }
        for line in smaps.split(separator: "\n") {
            let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
            if let range = range(fields.first) {
                end()
                let isOfProgram = fields.count == 6 && fields[5].drop { $0 == " " } == program
                let isReadOnly = isOfProgram && !fields[1].contains("w") && fields[1].hasSuffix("p")
                mapping = isReadOnly ? (range, [:]) : nil
            } else if fields.count > 1 {
                mapping?.sizes[fields[0]] = fields[1]
            }
        }
        end()
        return clean
    }

    /// What tells of pages that are the process's own.
    private static let own: [Substring] = ["Anonymous:", "Private_Dirty:", "Shared_Dirty:", "Swap:"]

    private static func range(_ field: Substring?) -> Range<UInt>? {
        let ends = (field ?? "").split(separator: "-").map { UInt($0, radix: 16) }
        guard ends.count == 2, let first = ends[0], let last = ends[1], first < last else { return nil }
        return first..<last
    }
}
