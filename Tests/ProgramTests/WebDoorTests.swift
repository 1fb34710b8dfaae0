#if os(Linux)
    import Foundation
    import ProgramStage
    import Testing

    extension ProgramTests {
        /// Whom `rankweb` lets in, and what it does with requests that no browser would send.
        @Suite struct WebDoorTests {
            private static let password = "correct horse battery"
            private static let token = "0123456789abcdef0123"
            private static let narrowed = "fedcba9876543210fedc"

            /// One with a password and two tokens.
            private func locked(_ stage: Stage, _ more: [String] = []) async throws -> Website {
                let password = try stage.secret(Self.password + "\n", to: "password")
                let tokens = try stage.secret(
                    "grafana \(Self.token)\nclient \(Self.narrowed) tags=client # narrowed\n", to: "tokens")
                return try await stage.rankweb(
                    ["--listen", "127.0.0.1:0", "--password-file", password, "--token-file", tokens] + more)
            }

            private func form(_ password: String, next: String = "/events") -> String {
                "password=\(password.replacing(" ", with: "+"))&next=\(next)"
            }

            @Test func `the password's form sets a cookie, which lets in until it is logged out`() async throws {
                try await Stage.run { stage async throws in
                    let site = try await locked(stage)
                    let refused = try site.ask("GET /apps?x=1")
                    #expect(refused.status == 303 && refused["Location"] == "/login?next=%2Fapps%3Fx%3D1")
                    #expect(try site.ask("GET /events")["WWW-Authenticate"] == "Bearer")
                    #expect(try site.ask("GET /login").status == 200)

                    let answer = try site.ask(
                        "POST /login", ["Origin: \(site.address)"], form: form(Self.password))
                    #expect(answer.status == 303 && answer["Location"] == "/events")
                    let cookie = try #require(answer["Set-Cookie"])
                    #expect(cookie.hasPrefix("rankweb=") && !cookie.contains(Self.password))
                    for part in ["; HttpOnly", "; SameSite=Strict", "; Path=/", "; Max-Age=2592000"] {
                        #expect(cookie.contains(part))
                    }
                    #expect(!cookie.contains("Secure"))

                    let session = "Cookie: " + cookie.prefix { $0 != ";" }
                    _ = try site.listens([session])
                    #expect(try site.ask("GET /events", [session + "x"]).status == 401)
                    #expect(try site.ask("POST /logout", [session], form: "").status == 303)
                    #expect(try site.ask("GET /events", [session]).status == 401)
                    #expect(!site.program.errors.contains(Self.password))
                }
            }

            @Test func `a log-in whose form never ends does not hold up the end`() async throws {
                try await Stage.run { stage async throws in
                    let site = try await locked(stage)
                    let unfinished = try ["", "password=", form("wrong")].map { begun in
                        let connection = try RawConnection(to: site.address)
                        connection.send(
                            "POST /login HTTP/1.1\r\nHost: \(site.host)\r\nContent-Length: 1000\r\n"
                                + "Content-Type: application/x-www-form-urlencoded\r\n\r\n\(begun)")
                        return connection
                    }
                    #expect(try site.ask("GET /login").status == 200)
                    #expect(try site.ask("POST /login", form: form(Self.password)).status == 303)
                    site.program.signal(SIGTERM)
                    #expect(try await site.program.ends() == .code(0))
                    // It did not wait until the rest of the form was late, which is said.
                    #expect(!site.program.errors.contains("comes too slowly"), "\(site.program.errors)")
                    withExtendedLifetime(unfinished) {}
                }
            }

            @Test func `nobody is led to another site by the log-in`() async throws {
                try await Stage.run { stage async throws in
                    let site = try await locked(stage)
                    for next in ["https://evil.example/", "//evil.example", "/%5Cevil.example", "/%0D%0ASet-Cookie:x"] {
                        let answer = try site.ask("POST /login", form: form(Self.password, next: next))
                        #expect(answer.status == 303 && answer["Location"] == "/", "\(next)")
                    }
                }
            }

            @Test func `behind a proxy with TLS the cookie is for encrypted pages alone`() async throws {
                try await Stage.run { stage async throws in
                    let site = try await locked(stage, ["--origin", "https://ranks.example.com"])
                    let answer = try site.ask(
                        "POST /login", ["Origin: https://ranks.example.com"], host: "ranks.example.com",
                        form: form(Self.password))
                    let cookie = try #require(answer["Set-Cookie"])
                    #expect(cookie.hasPrefix("__Host-rankweb=") && cookie.contains("; Secure"))
                    #expect(answer["Strict-Transport-Security"] != nil)
                }
            }

            @Test func `wrong passwords have to wait, and the right one with them`() async throws {
                try await Stage.run { stage async throws in
                    let site = try await locked(stage)
                    for _ in 0..<5 {
                        let answer = try site.ask("POST /login", form: form("wrong"))
                        #expect(answer.status == 401 && answer["Set-Cookie"] == nil)
                    }
                    let held = try site.ask("POST /login", form: form("wrong"))
                    #expect(held.status == 429)
                    #expect((1...5).contains(held["Retry-After"].flatMap { Int($0) } ?? 0), "\(held.head)")
                    // A right token waits for no wrong password.
                    _ = try site.listens(["Authorization: Bearer \(Self.token)"])
                    // Who was quiet for that long is heard again.
                    try await eventually("the log-in") {
                        try site.ask("POST /login", form: form(Self.password)).status == 303 ? true : nil
                    }
                }
            }

            @Test func `a token lets in, narrowed or not, and a wrong one does not`() async throws {
                try await Stage.run { stage async throws in
                    let site = try await locked(stage)
                    _ = try site.listens(["Authorization: Bearer \(Self.token)"])
                    _ = try site.listens(["authorization: bearer \(Self.narrowed)"])
                    for text in ["Bearer \(Self.token)x", "Bearer", "Basic \(Self.token)", "Bearer grafana"] {
                        #expect(try site.ask("GET /events", ["Authorization: \(text)"]).status == 401)
                    }
                    // People may log in with one as well.
                    let answer = try site.ask("POST /login", form: form(Self.narrowed))
                    #expect(answer.status == 303 && answer["Set-Cookie"] != nil)
                }
            }

            @Test func `another name, and another site's page, are refused and logged`() async throws {
                try await Stage.run { stage async throws in
                    let site = try await stage.rankweb(["--open", "--listen", "127.0.0.1:0"])
                    for host in ["evil.example", "127.0.0.1", "localhost:1", "127.0.0.1.evil.example"] {
                        #expect(try site.ask("GET /login", host: host).status == 421, "\(host)")
                    }
                    let port = try #require(site.address.split(separator: ":").last)
                    #expect(try site.ask("GET /login", host: "LOCALHOST:\(port)").status == 200)
                    for field in [
                        "Origin: https://evil.example", "Origin: null", "Origin: http://127.0.0.1:1",
                        "Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site",
                    ] {
                        #expect(try site.ask("GET /login", [field]).status == 403, "\(field)")
                        #expect(
                            try site.ask("POST /links", [field], form: "report=standings").status == 403, "\(field)")
                    }
                    // A link on another page leads here all the same.
                    let visit = ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"]
                    #expect(try site.ask("GET /login", visit).status == 200)
                    try await site.program.says("a request for another host")
                    try await site.program.says("a request from another site's page")
                    let lines = site.program.errors.split(separator: "\n").filter { $0.contains("another host") }
                    #expect(lines.count == 1, "\(lines)")
                }
            }

            @Test func `a megabyte of headers is refused, and the next request answered`() async throws {
                try await Stage.run { stage async throws in
                    let site = try await stage.rankweb(["--open", "--listen", "127.0.0.1:0"])
                    let fields = [
                        "One: " + String(repeating: "x", count: 1 << 20),
                        (0..<20_000).map { "Field-\($0): \(String(repeating: "x", count: 40))" }.joined(
                            separator: "\r\n"),
                    ]
                    for field in fields {
                        let connection = try RawConnection(to: site.address)
                        connection.send("GET /login HTTP/1.1\r\nHost: \(site.host)\r\n\(field)\r\n\r\n")
                        let status = connection.answer()?.status
                        #expect(status == nil || status == 431 || status == 400, "\(status ?? 0)")
                        #expect(try site.ask("GET /login").status == 200)
                    }
                    #expect(site.program.ending == nil)
                }
            }

            @Test(arguments: [
                "/..%2f..%2f..%2fetc%2fpasswd", "/../../etc/passwd", "//etc/passwd", "/%00", "/shared/%00", "/%ff",
                "/shared/%ff%fe", "/%", "/%zz", "/assets/..%2f..%2fkey", "/assets/%2e%2e/key", "/shared/../key",
                "/images/..%5c..%5ckey", "/api/v1/reports/..%2fkey", "/api/v1/reports/%00", "/;a=b/%0d%0aX: y",
                "/login%00", "/login?next=%ff", "/images/../key", "/images/%2e%2e/key", "/images/icon/..%2f..%2fkey",
                "/images/icon/%00", "/images/;/key", "//images/icon/x", "/%2e%2e/%2e%2e/etc/passwd", "/./login/.",
                "/apps/..%2fkey", "/reports/standings;x=1", "/reports/..;/key", "/api/v1/../../key",
            ]) func `tricks with paths lead nowhere`(_ path: String) async throws {
                try await Stage.run { stage async throws in
                    let cache = stage.path
                    // As long as a key is.
                    try stage.write("the secret of the key: 32 bytes.", to: "key")
                    let site = try await stage.rankweb(["--open", "--listen", "127.0.0.1:0", "--cache", cache])
                    let answer = try site.ask("GET \(path.replacing(" ", with: "%20"))")
                    // Names of apps and reports are looked up in the history, which is not there.
                    #expect([400, 404, 503].contains(answer.status), "\(path): \(answer.head)")
                    #expect(!answer.body.contains("root:") && !answer.body.contains("the secret"))
                    #expect(try site.ask("GET /login").status == 200)
                }
            }

            @Test func `a path as long as an address may be leads nowhere`() async throws {
                try await Stage.run { stage async throws in
                    let site = try await stage.rankweb(["--open", "--listen", "127.0.0.1:0"])
                    for (part, count) in [("a", 8_000), ("../", 2_000), ("%2e%2e%2f", 800), ("/", 8_000)] {
                        let path = "/" + String(repeating: part, count: count) + "etc/passwd"
                        let answer = try site.ask("GET \(path)")
                        #expect([400, 404].contains(answer.status) && !answer.body.contains("root:"), "\(part)")
                    }
                }
            }

            @Test
            func `whatever form a request's target has, the name that counts is the one that the site was told of`()
                async throws
            {
                try await Stage.run { stage async throws in
                    let site = try await stage.rankweb(["--open", "--listen", "127.0.0.1:0"])
                    for (line, host, codes) in [
                        ("GET http://evil.example/login", "evil.example", [421]),
                        ("GET \(site.address)/login", "evil.example", [421]),
                        ("GET \(site.address)/login", site.host, [200]),
                        ("GET http://evil.example/etc/passwd", site.host, [404]),
                        ("OPTIONS *", site.host, [400, 405]), ("GET *", site.host, [400, 404]),
                        ("CONNECT evil.example:443", site.host, [400, 405]),
                        ("CONNECT evil.example:443", "evil.example:443", [400, 405, 421]),
                        ("TRACE /login", site.host, [400, 405]), ("GET login", site.host, [400, 404]),
                    ] {
                        // A refusal of the decoder itself closes the connection, with or without a word.
                        let connection = try RawConnection(to: site.address)
                        connection.send("\(line) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n")
                        let answer = connection.answer()
                        #expect(
                            answer.map { codes.contains($0.status) } ?? !codes.contains(200),
                            "\(line) \(answer?.head ?? "")")
                        #expect(answer?.body.contains("root:") != true)
                    }
                    for second in ["evil.example", site.host] {
                        #expect(try site.ask("GET /login", ["Host: \(second)"]).status == 400, "\(second)")
                        #expect(try site.ask("GET /login", ["Host: \(site.host)"], host: second).status == 400)
                    }
                    try await site.program.says("a request for two hosts at once")
                    #expect(try site.ask("GET /login").status == 200)
                    let lines = site.program.errors.split(separator: "\n").filter { $0.contains("two hosts") }
                    #expect(lines.count == 1, "\(lines)")
                }
            }

            @Test func `what is refused again and again is logged once`() async throws {
                try await Stage.run { stage async throws in
                    let site = try await stage.rankweb(["--open", "--listen", "127.0.0.1:0"])
                    for _ in 0..<20 {
                        #expect(try site.ask("GET /login?" + String(repeating: "x", count: 9_000)).status == 414)
                        #expect(try site.ask("GET /shared/%ff").status == 400)
                        #expect(try site.ask("GET /shared/none").status == 404)
                    }
                    for words in [
                        "an address that is too long", "an address that cannot be read", "a link that is none",
                    ] {
                        try await site.program.says(words)
                        let lines = site.program.errors.split(separator: "\n").filter { $0.contains(words) }
                        #expect(lines.count == 1, "\(lines)")
                    }
                }
            }

            @Test func `a thousand idle connections hold up nobody, and take little memory`() async throws {
                try await Stage.run { stage async throws in
                    try #require(FileDescriptors.allow(2_500), "the test needs 2,500 descriptors")
                    let site = try await stage.rankweb(["--open", "--listen", "127.0.0.1:0"])
                    #expect(try site.ask("GET /login").status == 200)
                    let before = try #require(site.program.residentMemory)
                    var idle = try (0..<1_000).map { _ in try RawConnection(to: site.address) }
                    try await eventually("a thousand connections") {
                        // On a machine that is busy enough, some have been idle for too long already.
                        for (index, one) in idle.enumerated() where one.isClosed {
                            idle[index] = try RawConnection(to: site.address)
                        }
                        return try #require(site.program.descriptors) > 1_000 ? true : nil
                    }
                    #expect(try site.ask("GET /login").status == 200)
                    _ = try site.listens()
                    let after = try #require(site.program.residentMemory)
                    #expect(after - before < 60 << 20, "\((after - before) >> 10) kB")
                    withExtendedLifetime(idle) {}
                }
            }

            @Test func `an address that a link would make too long is refused in words`() async throws {
                try await Stage.run { stage async throws in
                    let site = try await stage.rankweb(["--open", "--listen", "127.0.0.1:0"])
                    let form = { (count: Int) in
                        "report=standings&parameters="
                            + (0..<count).map { "query%3D\($0)long" + String(repeating: "x", count: 90) }
                            .joined(separator: "%26")
                    }
                    let refused = try site.ask("POST /links", form: form(100))
                    #expect(refused.status == 413 && refused.body.contains("link would be too long"), "\(refused.head)")
                    let answer = try site.ask("POST /links", form: form(40))
                    let link = try #require(answer.body.firstMatch(of: /\/shared\/[\w.-]+/)).output
                    // As long as it is, it leads to the report; there is no history here.
                    #expect(try site.ask("GET \(link)").status == 503)
                }
            }

            @Test func `who logged out stays out after a restart, and a link ends with its maker's token`() async throws
            {
                try await Stage.run { stage async throws in
                    let cache = ["--cache", stage.file("cache")]
                    var site = try await locked(stage, cache)
                    var cookies: [String] = []
                    for _ in 0..<2 {
                        let answer = try site.ask("POST /login", form: form(Self.password))
                        cookies.append("Cookie: " + (try #require(answer["Set-Cookie"])).prefix { $0 != ";" })
                    }
                    #expect(try site.ask("POST /logout", [cookies[0]], form: "").status == 303)
                    let link = try site.link(["Authorization: Bearer \(Self.token)"])
                    site.program.signal(SIGTERM)
                    #expect(try await site.program.ends() == .code(0))

                    site = try await locked(stage, cache)
                    #expect(try site.ask("GET /events", [cookies[0]]).status == 401)
                    _ = try site.listens([cookies[1]])
                    #expect(try site.ask("GET \(link)").status == 503)
                    site.program.signal(SIGTERM)
                    #expect(try await site.program.ends() == .code(0))

                    let tokens = try stage.secret("grafana \(Self.narrowed)\n", to: "others")
                    site = try await stage.rankweb(["--listen", "127.0.0.1:0", "--token-file", tokens] + cache)
                    #expect(try site.ask("GET \(link)").status == 410)
                }
            }

            @Test func `wrong passwords from one IPv6 network count together`() async throws {
                try await Stage.run { stage async throws in
                    let password = try stage.secret(Self.password + "\n", to: "password")
                    let site = try await stage.rankweb(
                        ["--listen", "unix:\(stage.file("web.sock"))", "--password-file", password])
                    for last in 1...5 {
                        let from = ["X-Forwarded-For: 2001:db8:1:2::\(last)"]
                        #expect(try site.ask("POST /login", from, form: form("wrong")).status == 401)
                    }
                    let held = try site.ask(
                        "POST /login", ["X-Forwarded-For: 2001:db8:1:2:ffff::1"], form: form("wrong"))
                    #expect(held.status == 429)
                    let other = try site.ask("POST /login", ["X-Forwarded-For: 2001:db8:1:3::1"], form: form("wrong"))
                    #expect(other.status == 401)
                }
            }

            @Test func `nothing but reading and the site's own forms is taken`() async throws {
                try await Stage.run { stage async throws in
                    let site = try await stage.rankweb(["--open", "--listen", "127.0.0.1:0"])
                    for method in ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW"] {
                        #expect([400, 405].contains(try site.ask("\(method) /login").status), "\(method)")
                    }
                    let long = "report=" + String(repeating: "x", count: 100_000)
                    #expect(try site.ask("POST /links", form: long).status == 413)
                    #expect(try site.ask("GET /login?" + String(repeating: "x", count: 9_000)).status == 414)
                    #expect(try site.ask("GET /login").status == 200)
                }
            }
        }
    }
#endif
