#if os(Linux)
    import Foundation
    import ProgramStage
    import Testing

    /// A library to be loaded into a program before all others: it says what addresses some names have, another one each
    /// time it is asked, lets nobody connect to another machine, and writes down who was looked up and connected to.
    struct LyingResolver {
        /// What a program needs in its environment.
        let environment: [String: String]
        private let log: String

        /// - Parameter answers: the addresses of each name, in the order of the look-ups; the last one stays.
        init(_ answers: [String: [String]], on stage: Stage) async throws {
            let library = stage.file("resolver.so")
            let source = try stage.write(Self.source, to: "resolver.c")
            let compiler = try stage.start(
                path: FaultTests.tool("cc") ?? "cc",
                ["-shared", "-fPIC", "-O2", "-o", library, source, "-ldl", "-lpthread"])
            #expect(try await compiler.ends() == .code(0), "\(compiler.errors)")
            log = stage.file("resolver.log")
            environment = [
                "LD_PRELOAD": library, "RESOLVER_LOG": log,
                "RESOLVER_NAMES": answers.map { "\($0.key)=\($0.value.joined(separator: ","));" }.joined(),
            ]
        }

        /// How often this name was looked up.
        func looks(at host: String) -> Int { lines.count { $0 == "look \(host)" } }

        /// Where connections were tried, as `ADDRESS PORT`.
        var connections: [String] {
            lines.filter { $0.hasPrefix("connect ") }.map { String($0.dropFirst("connect ".count)) }
        }

        private var lines: [Substring] {
            String(decoding: FileManager.default.contents(atPath: log) ?? Data(), as: UTF8.self).split(separator: "\n")
        }

        private static let source = """
            #define _GNU_SOURCE
            #include <arpa/inet.h>
            #include <dlfcn.h>
            #include <errno.h>
            #include <fcntl.h>
            #include <netdb.h>
            #include <pthread.h>
            #include <stdio.h>
            #include <stdlib.h>
            #include <string.h>
            #include <sys/socket.h>
            #include <unistd.h>

            static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
            static int asked[16];

            static void note(const char *what, const char *name, int port) {
                char line[512];
                int length = port < 0 ? snprintf(line, sizeof line, "%s %s\\n", what, name)
                                      : snprintf(line, sizeof line, "%s %s %d\\n", what, name, port);
                int file = open(getenv("RESOLVER_LOG"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
                if (file >= 0) {
                    if (write(file, line, length) < 0) { }
                    close(file);
                }
            }

            /* Puts the address that is next for the name, if it has one. */
            static int answer(const char *name, char *address, size_t size) {
                char names[4096];
                snprintf(names, sizeof names, "%s", getenv("RESOLVER_NAMES"));
                int found = 0, number = 0;
                char *rest = NULL;
                pthread_mutex_lock(&turn);
                for (char *one = strtok_r(names, ";", &rest); one && !found; one = strtok_r(NULL, ";", &rest), number++) {
                    char *list = strchr(one, '=');
                    if (!list) continue;
                    *list++ = 0;
                    if (strcmp(one, name)) continue;
                    for (int skipped = 0; skipped < asked[number] && strchr(list, ','); skipped++)
                        list = strchr(list, ',') + 1;
                    list[strcspn(list, ",")] = 0;
                    snprintf(address, size, "%s", list);
                    asked[number]++;
                    found = 1;
                }
                pthread_mutex_unlock(&turn);
                return found;
            }

            int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
                int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **) =
                    dlsym(RTLD_NEXT, "getaddrinfo");
                char address[128];
                if (name) note("look", name, -1);
                if (name && answer(name, address, sizeof address)) return real(address, service, hints, result);
                return real(name, service, hints, result);
            }

            int connect(int descriptor, const struct sockaddr *where, socklen_t length) {
                int (*real)(int, const struct sockaddr *, socklen_t) = dlsym(RTLD_NEXT, "connect");
                char text[INET6_ADDRSTRLEN] = "";
                int port, own;
                if (where->sa_family == AF_INET) {
                    const struct sockaddr_in *four = (const struct sockaddr_in *)where;
                    inet_ntop(AF_INET, &four->sin_addr, text, sizeof text);
                    port = ntohs(four->sin_port);
                    own = (ntohl(four->sin_addr.s_addr) >> 24) == 127;
                } else if (where->sa_family == AF_INET6) {
                    const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)where;
                    inet_ntop(AF_INET6, &six->sin6_addr, text, sizeof text);
                    port = ntohs(six->sin6_port);
                    own = IN6_IS_ADDR_LOOPBACK(&six->sin6_addr);
                } else {
                    return real(descriptor, where, length);
                }
                note("connect", text, port);
                if (own) return real(descriptor, where, length);
                errno = ENETUNREACH;
                return -1;
            }

            """
    }
#endif
