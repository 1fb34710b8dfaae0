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
                    let bearing = try site.ask("GET /events", ["Authorization: Bearer \(Self.token)"])
                    #expect(bearing.status == 429 && bearing["Retry-After"] != nil)
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
                        "Origin: https://evil.example", "Origin: null", "Origin: https://127.0.0.1:\(port)",
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
                "/login%00", "/login?next=%ff",
            ]) func `tricks with paths lead nowhere`(_ path: String) async throws {
                try await Stage.run { stage async throws in
                    let cache = stage.path
                    try stage.write("the secret of the key", to: "key")
                    let site = try await stage.rankweb(["--open", "--listen", "127.0.0.1:0", "--cache", cache])
                    let answer = try site.ask("GET \(path.replacing(" ", with: "%20"))")
                    #expect([400, 404].contains(answer.status), "\(path): \(answer.head)")
                    #expect(!answer.body.contains("root:") && !answer.body.contains("the secret"))
                    #expect(try site.ask("GET /login").status == 200)
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
