#if os(Linux)
    import Foundation
    import History
    import ProgramStage
    import RankKit
    import TestSupport
    import Testing

    extension ProgramTests {
        /// A folder that may not be written is told with what was typed to name it.
        @Suite struct UnwritableFolderTests {
            private static let setpriv = "/usr/bin/setpriv"
            /// Root may write everywhere, and takes the part of somebody else.
            private static let isPossible =
                geteuid() != 0 || FileManager.default.isExecutableFile(atPath: setpriv)

            private func start(_ name: Program.Name, _ arguments: [String], _ stage: Stage) throws -> Program {
                guard geteuid() == 0 else { return try stage.start(name, arguments) }
                return try stage.start(
                    path: Self.setpriv, ["--reuid", "65534", "--clear-groups", name.path] + arguments)
            }

            @Test(
                .enabled(if: isPossible, "root needs setpriv"),
                arguments: [
                    (Program.Name.rankctl, ["export", "--output", "FOLDER/x.ndjson"], "--output"),
                    (.rankctl, ["report", "--format", "csv", "--output", "FOLDER/x.csv"], "--output"),
                    (.rankctl, ["backup", "FOLDER/x.sqlite"], nil),
                    (.rankd, ["--once", "--database", "FOLDER/history.sqlite"], "--database"),
                ] as [(Program.Name, [String], String?)])
            func `what names the folder is told`(name: Program.Name, arguments: [String], option: String?) async throws
            {
                try await Stage.run { stage async throws in
                    let store = try HistoryStore(path: stage.database)
                    try await store.adopt(
                        TestSupport.watchlist([(query("x"), ["com.a"])]), now: Timestamp(Date()) - 3_600)
                    try await store.record(
                        Check(query: query("x"), at: Timestamp(Date()) - 60, outcome: .answered(list(["com.a"]))))
                    try await store.close()
                    try stage.watch(watchlist(["x"], ["com.a"]))
                    for file in [stage.database, stage.watchlistFile] { try #require(chmod(file, 0o644) == 0) }
                    try #require(chmod(stage.path, 0o755) == 0)
                    let folder = stage.file("closed")
                    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
                    try #require(chmod(folder, 0o555) == 0)
                    let usual =
                        name == .rankd
                        ? ["--watchlist", stage.watchlistFile, "--search-url", "http://127.0.0.1:1"]
                        : ["--database", stage.database]
                    let program = try start(
                        name, arguments.map { $0.replacing("FOLDER", with: folder) } + usual, stage)
                    #expect(try await program.ends() == .code(74), "\(program.errors)")
                    let words = program.errors.split(separator: "\n").first {
                        $0.contains("you may not write \(folder)")
                    }
                    let told = try #require(words, "\(program.errors)")
                    #expect(option.map { told.contains("with \($0)") } ?? !told.contains("with -"), "\(told)")
                    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
                }
            }
        }
    }
#endif
