import Foundation
import Testing

/// What can go wrong, a test each, named for its row in the list of faults. Whatever it was, the same must hold
/// afterwards: `Stage.flaws`. Faults that take minutes, root or strace are tried by `script/fault-test`.
@Suite(.serialized) struct FaultTests {
    /// `RANKD_FAULT_TEST=1`.
    static let isLong = ProcessInfo.processInfo.environment["RANKD_FAULT_TEST"] == "1"

    /// A tool of the machine, where it is there.
    static func tool(_ name: String) -> String? {
        ["/usr/bin/", "/bin/", "/usr/sbin/", "/sbin/", "/usr/local/bin/"].map { $0 + name }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}

extension Trait where Self == ConditionTrait {
    /// For what `script/test` has no time for.
    static var longRun: Self { .enabled(if: FaultTests.isLong, "it takes long: script/fault-test runs it") }

    static var asRoot: Self { .enabled(if: geteuid() == 0, "it needs root") }

    static func needs(_ tool: String) -> Self {
        .enabled(if: FaultTests.tool(tool) != nil, "it needs \(tool): install it")
    }
}
