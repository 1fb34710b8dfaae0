import Foundation

/// The Python that references run in, and the way to leave its start and their imports out of what they cost.
struct Python {
    /// `wrapper`, as it lies on disk.
    let script: String

    /// `RANKD_BENCH_PYTHON`, else the one that script/bench prepares, else the machine's.
    static var interpreter: String {
        let prepared = ".build-bench/python/bin/python3"
        return ProcessInfo.processInfo.environment["RANKD_BENCH_PYTHON"]
            ?? (FileManager.default.isExecutableFile(atPath: prepared) ? prepared : "python3")
    }

    /// `measured.py MODULE,… SCRIPT ARGUMENT…`: imports the modules, then runs the script and prints what it used from
    /// there on as `used SECONDS`.
    static let wrapper = """
        import importlib, resource, runpy, sys

        for module in filter(None, sys.argv[1].split(",")):
            importlib.import_module(module)
        sys.argv = sys.argv[2:]

        def used():
            usage = resource.getrusage(resource.RUSAGE_SELF)
            return usage.ru_utime + usage.ru_stime

        before = used()
        runpy.run_path(sys.argv[0], run_name="__main__")
        print("used", used() - before)

        """

    /// Starts `script` with `modules` imported before the counting begins.
    func start(_ script: String, _ arguments: [String], importing modules: [String], streams: String) throws -> Child {
        try Child(
            Self.interpreter, [self.script, modules.joined(separator: ","), script] + arguments, streams: streams)
    }

    /// What an ended script printed as its use, in seconds of processor time.
    func processorTime(of child: Child) throws -> Double {
        let said = String(decoding: FileManager.default.contents(atPath: child.output) ?? Data(), as: UTF8.self)
        let line = said.split(separator: "\n").last { $0.hasPrefix("used ") }
        guard let seconds = line.flatMap({ Double($0.dropFirst(5)) }) else {
            throw BenchmarkFailure("a reference did not say what it used: \(said)")
        }
        return seconds
    }

    /// Why `modules` cannot be imported; `nil` if they can.
    func problem(importing modules: [String], on bench: Workbench) -> String? {
        do {
            let child = try Child(
                Self.interpreter, ["-c", "import \(modules.joined(separator: ", "))"], streams: bench.file("python"))
            _ = try child.usage()
            return nil
        } catch {
            return "\(error)"
        }
    }
}
