import GRDB

/// Another program that keeps a history locked.
struct OtherWriter {
    private let queue: DatabaseQueue

    init(_ path: String) throws {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        queue = try DatabaseQueue(path: path, configuration: configuration)
    }

    func lock() async throws { try await queue.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") } }

    func letGo() async throws { try await queue.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") } }
}
