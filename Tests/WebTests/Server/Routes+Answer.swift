@testable import Web

extension [Routes.Route] {
    /// What a visit's path leads to, without the server before it.
    func reply(_ visit: Visit) async throws -> Reply {
        let steps = visit.path.split(separator: "/", omittingEmptySubsequences: false)
        for route in self {
            let names = route.path.split(separator: "/", omittingEmptySubsequences: false)
            guard names.count == steps.count, zip(names, steps).allSatisfy({ $0.hasPrefix(":") || $0 == $1 }) else {
                continue
            }
            var visit = visit
            for (name, step) in zip(names, steps) where name.hasPrefix(":") {
                visit.captures[String(name.dropFirst())] = String(step)
            }
            return try await route.handler(visit)
        }
        throw NoSuchRoute(path: visit.path)
    }

    /// - Throws: `NoSuchRoute` where there is none, or only one that never ends.
    func answer(_ visit: Visit) async throws -> Answer {
        switch try await reply(visit) {
        case .ofHistory(let make): return try make()
        case .now(let answer): return answer
        case .streamed: throw NoSuchRoute(path: visit.path)
        }
    }
}

struct NoSuchRoute: Error { let path: String }
