#if os(Linux)
    import Foundation
    import ProgramStage
    import Testing

    /// `power_cut_shim.c`, which copies a file into the folder that `SHADOW` names whenever the file is synced: what a
    /// disk would hold after a power cut that kept nothing else. It is looked for in `../shared/tools`, or named by
    /// `RANKD_POWER_CUT_SHIM`.
    enum PowerCutShim {
        static let source: String? = {
            let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent()
            let beside = root.deletingLastPathComponent().appendingPathComponent("shared/tools/power_cut_shim.c")
            return [ProcessInfo.processInfo.environment["RANKD_POWER_CUT_SHIM"], beside.path].compactMap(\.self)
                .first { FileManager.default.fileExists(atPath: $0) }
        }()

        /// - Returns: the library to preload.
        static func built(on stage: Stage) async throws -> String {
            let shim = stage.file("shim.so")
            let compiler = try stage.start(
                path: FaultTests.tool("cc") ?? "cc",
                ["-shared", "-fPIC", "-O2", "-o", shim, try #require(source), "-ldl"])
            #expect(try await compiler.ends() == .code(0), "\(compiler.errors)")
            return shim
        }
    }

    extension Trait where Self == ConditionTrait {
        static var cutsPower: Self {
            .enabled(
                if: PowerCutShim.source != nil, "it needs power_cut_shim.c: name it by RANKD_POWER_CUT_SHIM")
        }
    }
#endif
