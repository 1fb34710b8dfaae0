#if os(Linux)
    import Foundation
    import GRDB
    import ProgramStage
    import Testing

    extension ProgramTests {
        /// The life of `rankweb`: where it listens, what it tells, how it ends, and what it does without a history.
        @Suite struct WebServiceTests {
            private static let open = ["--open", "--listen", "127.0.0.1:0"]

            /// A history of one pass.
            private func record(_ stage: Stage) async throws {
                let recordings = try Recordings.ofFiveApps(for: terms(1), on: stage)
                let store = try await stage.simulator(["--replay", recordings.folder])
                try stage.watch(watchlist(terms(1), ["com.example.app1"]))
                try #require(try await stage.pass(store: store.origin).ending == .code(0))
            }

            private func mode(_ path: String) throws -> mode_t {
                var status = stat()
                try #require(stat(path, &status) == 0)
                return status.st_mode
            }

            @Test func `on a port it prints one line, answers, and ends with 0`() async throws {
                try await Stage.run { stage async throws in
                    try await record(stage)
                    let site = try await stage.rankweb(Self.open)
                    #expect(site.address.wholeMatch(of: /http:\/\/127\.0\.0\.1:[1-9]\d+/) != nil)
                    #expect(try site.ask("GET /login").status == 200)
                    let page = try site.ask("GET \(try site.link())")
                    #expect(page.status == 200 && page.body.contains("com.example.app1"), "\(page.head)")
                    site.program.signal(SIGTERM)
                    #expect(try await site.program.ends() == .code(0))
                    #expect(site.program.output == "listening on \(site.address)\n")
                    let words = site.program.errors.split(separator: "\n")
                    #expect(words.count == 1 && words.first?.hasPrefix("--open: everybody ") == true, "\(words)")
                }
            }

            @Test func `on a socket it answers for localhost, and the group alone may connect`() async throws {
                try await Stage.run { stage async throws in
                    let path = stage.file("web.sock")
                    let site = try await stage.rankweb(["--listen", "unix:\(path)"])
                    #expect(site.address == "unix:\(path)")
                    #expect(try mode(path) == S_IFSOCK | 0o660)
                    #expect(try site.ask("GET /login").status == 200)
                    #expect(try site.ask("GET /login", host: "localhost:8480").status == 200)
                    #expect(try site.ask("GET /login", host: "elsewhere.example").status == 421)
                    site.program.signal(SIGINT)
                    #expect(try await site.program.ends() == .code(0))
                }
            }

            @Test func `where everything may be open to all, the socket never is`() async throws {
                try await Stage.run { stage async throws in
                    let folder = stage.file("run")
                    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
                    let queue = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
                    try #require(queue >= 0)
                    defer { close(queue) }
                    try #require(inotify_add_watch(queue, folder, UInt32(IN_CREATE | IN_ATTRIB | IN_MOVED_TO)) >= 0)
                    let rankweb = try stage.start(
                        path: "/bin/sh",
                        [
                            "-c", #"umask 0; exec "$0" "$@""#, Program.Name.rankweb.path, "--database", stage.database,
                            "--listen", "unix:\(folder)/web.sock",
                        ])
                    _ = try await rankweb.prints("listening on ")
                    #expect(try mode("\(folder)/web.sock") == S_IFSOCK | 0o660)
                    // It was made like this: whoever changes the rights of a file is told as well.
                    var events = [UInt8](repeating: 0, count: 65_536)
                    let count = read(queue, &events, events.count)
                    try #require(count > 0)
                    var (masks, place): ([UInt32], Int) = ([], 0)
                    while place < count {
                        // Source: inotify(7), `struct inotify_event`: wd, mask, cookie, len.
                        let words = (0..<4).map { word in
                            (0..<4).reduce(UInt32(0)) { $0 | UInt32(events[place + word * 4 + $1]) << UInt32($1 * 8) }
                        }
                        masks.append(words[1])
                        place += 16 + Int(words[3])
                    }
                    #expect(masks == [UInt32(IN_CREATE)])
                }
            }

            @Test func `a socket that a killed one left is taken over, and a port in use is not`() async throws {
                try await Stage.run { stage async throws in
                    let arguments = ["--listen", "unix:\(stage.file("web.sock"))"]
                    try await stage.rankweb(arguments).program.end()
                    let site = try await stage.rankweb(arguments)
                    #expect(try site.ask("GET /login").status == 200)
                    let first = try await stage.rankweb(Self.open)
                    let second = try stage.start(
                        .rankweb, ["--open", "--listen", first.address.replacing("http://", with: "")])
                    #expect(try await second.ends() == .code(74))
                    #expect(
                        second.errors.contains("(--listen): another program already listens there; stop that program")
                            && !second.errors.contains("errno") && second.output.isEmpty)
                    #expect(try first.ask("GET /login").status == 200)
                }
            }

            @Test(arguments: [
                ("203.0.113.7:0", "cannot listen on 203.0.113.7:0 (--listen): this machine does not have that address"),
                (
                    "unix:FOLDER/none/web.sock",
                    "/none/web.sock (--listen): its folder does not exist; make the folder first"
                ),
                ("unix:FOLDER/plain", "/plain (--listen): a file that is not a socket has this name, and it was left"),
            ])
            func `where it cannot listen it says why and what to do`(place: String, words: String) async throws {
                try await Stage.run { stage async throws in
                    try Data("kept".utf8).write(to: URL(filePath: stage.file("plain")))
                    let password = stage.file("password")
                    try Data("a long password\n".utf8).write(to: URL(filePath: password))
                    chmod(password, 0o600)
                    let site = try stage.start(
                        .rankweb,
                        ["--password-file", password, "--listen", place.replacing("FOLDER", with: stage.path)])
                    #expect(try await site.ends() == .code(74))
                    #expect(site.errors.contains(words) && !site.errors.contains("errno"), "\(site.errors)")
                    #expect(try Data(contentsOf: URL(filePath: stage.file("plain"))) == Data("kept".utf8))
                }
            }

            @Test func `as a service it listens in its run folder`() async throws {
                try await Stage.run { stage async throws in
                    let site = try await stage.rankweb([], environment: ["RUNTIME_DIRECTORY": stage.path])
                    #expect(site.address == "unix:\(stage.path)/web.sock")
                }
            }

            @Test func `pages that listen do not hold up its end`() async throws {
                try await Stage.run { stage async throws in
                    try await record(stage)
                    let site = try await stage.rankweb(Self.open)
                    let pages = try (0..<20).map { _ in try site.listens() }
                    // A connection over which nothing has been asked yet.
                    let idle = try RawConnection(to: site.address)
                    site.program.signal(SIGTERM)
                    #expect(try await site.program.ends(within: .seconds(15)) == .code(0))
                    withExtendedLifetime((pages, idle)) {}
                }
            }

            @Test func `a request that never ends does not hold up its end`() async throws {
                try await Stage.run { stage async throws in
                    let site = try await stage.rankweb(Self.open)
                    let unfinished = try (0..<3).map { _ in try RawConnection(to: site.address) }
                    for connection in unfinished {
                        connection.send(
                            "POST /links HTTP/1.1\r\nHost: \(site.host)\r\nContent-Length: 1000\r\n\r\nreport=")
                    }
                    #expect(try site.ask("GET /login").status == 200)
                    site.program.signal(SIGTERM)
                    #expect(try await site.program.ends() == .code(0))
                    // It did not wait until the rest of the form was late, which is said.
                    #expect(!site.program.errors.contains("comes too slowly"), "\(site.program.errors)")
                    withExtendedLifetime(unfinished) {}
                }
            }

            @Test func `a plain file in the place of the socket is refused in words, and stays`() async throws {
                try await Stage.run { stage async throws in
                    let path = try stage.write("kept", to: "web.sock")
                    let rankweb = try stage.start(
                        .rankweb, ["--database", stage.database, "--listen", "unix:\(path)"])
                    #expect(try await rankweb.ends() == .code(74) && rankweb.output.isEmpty)
                    let words = "web.sock (--listen): a file that is not a socket has this name"
                    #expect(rankweb.errors.contains(words), "\(rankweb.errors)")
                    #expect(try String(contentsOfFile: path, encoding: .utf8) == "kept")
                }
            }

            /// A socket that another program has, of a kind that `connect` cannot be told from a free one by its failure alone.
            private func otherSocket(_ kind: __socket_type, at path: String, isFull: Bool) throws -> [Int32] {
                var address = sockaddr_un()
                address.sun_family = sa_family_t(AF_UNIX)
                withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
                func with(_ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
                    withUnsafePointer(to: &address) {
                        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                            call($0, socklen_t(MemoryLayout<sockaddr_un>.size))
                        }
                    }
                }
                let descriptor = socket(AF_UNIX, Int32(kind.rawValue), 0)
                try #require(with { bind(descriptor, $0, $1) } == 0)
                guard kind != SOCK_DGRAM else { return [descriptor] }
                try #require(listen(descriptor, 0) == 0)
                guard isFull else { return [descriptor] }
                var descriptors = [descriptor]
                repeat {
                    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
                    descriptors.append(socket(AF_UNIX, kind, 0))
                } while with({ connect(descriptors.last!, $0, $1) }) == 0
                return descriptors
            }

            @Test(arguments: [
                (SOCK_DGRAM, false), (SOCK_SEQPACKET, false), (SOCK_STREAM, false), (SOCK_STREAM, true),
            ])
            func `a socket that another program has stays its own, however busy that is`(
                _ kind: __socket_type, isFull: Bool
            ) async throws {
                try await Stage.run { stage async throws in
                    let path = stage.file("taken.sock")
                    let descriptors = try otherSocket(kind, at: path, isFull: isFull)
                    defer { for descriptor in descriptors { close(descriptor) } }
                    let rankweb = try stage.start(.rankweb, ["--database", stage.database, "--listen", "unix:\(path)"])
                    #expect(try await rankweb.ends() == .code(74) && rankweb.output.isEmpty)
                    #expect(rankweb.errors.contains("taken.sock (--listen)"), "\(rankweb.errors)")
                }
            }

            @Test func `systemd is told of readiness, of life and of the end`() async throws {
                try await Stage.run { stage async throws in
                    let socket = try NotifySocket(path: stage.file("notify"))
                    let site = try await stage.rankweb(
                        Self.open, environment: ["NOTIFY_SOCKET": socket.path, "WATCHDOG_USEC": "200000"])
                    let ready = try await socket.message { $0["READY"] == "1" }
                    #expect(ready["STATUS"] == "listening on \(site.address)")
                    for _ in 0..<3 { try await socket.message { $0["WATCHDOG"] == "1" } }
                    site.program.signal(SIGTERM)
                    try await socket.message { $0["STOPPING"] == "1" }
                    #expect(try await site.program.ends() == .code(0))
                    #expect(socket.isSilent)
                }
            }

            @Test func `without a history it says so, until there is one`() async throws {
                try await Stage.run { stage async throws in
                    let site = try await stage.rankweb(Self.open)
                    let link = try site.link()
                    let before = try site.ask("GET \(link)")
                    #expect(before.status == 503 && before["Retry-After"] != nil)
                    #expect(before.body.contains("rankd has recorded nothing yet"))
                    #expect(!before.body.contains(stage.path))
                    #expect(!FileManager.default.fileExists(atPath: stage.database))
                    try await record(stage)
                    #expect(try site.ask("GET \(link)").status == 200)
                }
            }

            @Test func `the history of a newer rankd is refused in words`() async throws {
                try await Stage.run { stage async throws in
                    try await record(stage)
                    try await DatabaseQueue(path: stage.database).write {
                        try $0.execute(sql: "PRAGMA user_version = 9999")
                    }
                    let site = try await stage.rankweb(Self.open)
                    let answer = try site.ask("GET \(try site.link())")
                    #expect(answer.status == 503)
                    #expect(answer.body.contains("newer rankd"), "\(answer.body)")
                    #expect(site.program.ending == nil)
                }
            }

            @Test func `what is no history is refused, and its place told to nobody`() async throws {
                try await Stage.run { stage async throws in
                    try stage.write(String(repeating: "this is no history ", count: 1_000), to: "history.sqlite")
                    let site = try await stage.rankweb(Self.open)
                    let answer = try site.ask("GET \(try site.link())")
                    #expect(answer.status == 503 && !answer.body.contains(stage.path), "\(answer.body)")
                    #expect(site.program.errors.contains(stage.database))
                }
            }

            @Test(arguments: [
                ["--listen", "127.0.0.1:0"], [], ["--open", "--listen", "0.0.0.0:0"], ["--open", "--listen", "[::]:0"],
                ["--open", "--listen", "192.0.2.1:0"], ["--listen", "somewhere"], ["--listen", "127.0.0.1:99999"],
                ["--open", "--password-file", "/nowhere"], ["--open", "--origin", "https://a.example/a b"],
                ["--open", "--origin", "https://a.example/a", "--origin", "https://a.example/b"],
                ["--open", "--search-url", "ftp://127.0.0.1"], ["--open", "leftover"],
            ]) func `wrong arguments are 64, such as a port without a password`(_ arguments: [String]) async throws {
                try await Stage.run { stage async throws in
                    let rankweb = try stage.start(.rankweb, ["--database", stage.database] + arguments)
                    #expect(try await rankweb.ends() == .code(64))
                    #expect(!rankweb.errors.isEmpty && rankweb.output.isEmpty)
                }
            }

            @Test func `of two files of secrets the one with the mistake is named`() async throws {
                try await Stage.run { stage async throws in
                    let good = try stage.secret("correct horse battery\n", to: "good")
                    let short = try stage.secret("short\n", to: "short")
                    let tokens = try stage.secret("# who\nowner 0123456789abcdef\n", to: "tokens")
                    for (password, words) in [
                        (good, "\(tokens): line 2: the name owner is that of the password"),
                        (short, "\(short): the password"),
                    ] {
                        let rankweb = try stage.start(
                            .rankweb,
                            [
                                "--database", stage.database, "--listen", "127.0.0.1:0", "--password-file", password,
                                "--token-file", tokens,
                            ])
                        #expect(try await rankweb.ends() == .code(78))
                        #expect(rankweb.errors.hasPrefix(words), "\(rankweb.errors)")
                    }
                }
            }

            @Test func `a file of secrets that others may read, or that holds none, is 78`() async throws {
                try await Stage.run { stage async throws in
                    let readable = try stage.write("correct horse battery", to: "readable")
                    try #require(chmod(readable, 0o644) == 0)
                    let files = [
                        ("--password-file", readable, Int32(78), "chmod"),
                        ("--token-file", readable, 78, "chmod"),
                        ("--password-file", try stage.secret("short\n", to: "short"), 78, "longer"),
                        ("--token-file", try stage.secret("phone 0123\n", to: "phone"), 78, "line 1"),
                        ("--token-file", try stage.secret("# none\n", to: "none"), 78, "no token"),
                        ("--password-file", stage.file("missing"), 66, "No such file"),
                        ("--password-file", stage.path, 65, "it is no file"),
                    ]
                    for (option, path, code, words) in files {
                        let rankweb = try stage.start(
                            .rankweb, ["--database", stage.database, "--listen", "127.0.0.1:0", option, path])
                        #expect(try await rankweb.ends() == .code(code), "\(path)")
                        #expect(
                            rankweb.errors.hasPrefix("\(path): ") && rankweb.errors.contains(words), "\(rankweb.errors)"
                        )
                        #expect(rankweb.output.isEmpty)
                    }
                }
            }
        }
    }
#endif
