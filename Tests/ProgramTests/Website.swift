#if os(Linux)
    import Foundation
    import ProgramStage
    import Testing

    /// A `rankweb` that runs, and where.
    struct Website {
        let program: Program
        /// As its only line says.
        let address: String

        /// What a browser on this machine would call it.
        var host: String { address.hasPrefix("unix:") ? "localhost" : address.replacing("http://", with: "") }

        /// What comes back for a request of one line, its fields and a form.
        func ask(
            _ line: String, _ fields: [String] = [], host: String? = nil, form: String? = nil
        ) throws -> RawConnection.Answer {
            let connection = try RawConnection(to: address)
            var fields = ["Host: \(host ?? self.host)", "Connection: close"] + fields
            if let form {
                fields += ["Content-Type: application/x-www-form-urlencoded", "Content-Length: \(form.utf8.count)"]
            }
            connection.send(([line + " HTTP/1.1"] + fields).joined(separator: "\r\n") + "\r\n\r\n" + (form ?? ""))
            return try #require(connection.answer(), "\(line) had no answer; \(program.errors)")
        }

        /// A connection on which events come, after the first of them.
        func listens(_ fields: [String] = []) throws -> RawConnection {
            let connection = try RawConnection(to: address)
            connection.send(
                (["GET /events HTTP/1.1", "Host: \(host)"] + fields).joined(separator: "\r\n") + "\r\n\r\n")
            let answer = connection.answer(until: "retry:")
            #expect(answer?.status == 200 && answer?["Content-Type"]?.hasPrefix("text/event-stream") == true)
            return connection
        }

        /// A link to the standings, which are the first page that reads the history.
        func link(_ fields: [String] = []) throws -> String {
            let answer = try ask("POST /links", fields, form: "report=standings&days=1")
            #expect(answer.status == 200, "\(answer.head)")
            return String(try #require(answer.body.firstMatch(of: /\/shared\/[\w.-]+/)).output)
        }
    }

    /// What the tests' own process may have open, and with it those that it starts.
    enum FileDescriptors {
        /// - Returns: whether so many are allowed now.
        static func allow(_ count: rlim_t) -> Bool {
            let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            var limit = rlimit()
            guard getrlimit(kind, &limit) == 0 else { return false }
            if limit.rlim_cur >= count { return true }
            limit.rlim_cur = min(count, limit.rlim_max)
            return setrlimit(kind, &limit) == 0 && limit.rlim_cur >= count
        }
    }

    extension Stage {
        /// Starts `rankweb`, and waits until it says where it listens.
        func rankweb(_ arguments: [String], environment: [String: String] = [:]) async throws -> Website {
            let program = try start(.rankweb, ["--database", database] + arguments, environment: environment)
            let line = try await program.prints("listening on ")
            #expect(program.output == line + "\n")
            return Website(program: program, address: String(line.dropFirst("listening on ".count)))
        }

        /// A file that nobody else may read.
        func secret(_ text: String, to name: String) throws -> String {
            let path = try write(text, to: name)
            try #require(chmod(path, 0o600) == 0)
            return path
        }
    }
#endif
