internal import ArgumentParser
import Console
import Reports

struct StatusCommand: AsyncParsableCommand {
    static let configuration = StatusRequest.about.configuration

    @OptionGroup var request: StatusRequest
    @OptionGroup var delivery: DeliveryOptions

    func run() async throws {
        let report = try await delivery.deliver { try request.answer(in: $0) } as? StatusReport
        if let level = report?.status.level, level != .fine { throw ExitCode(level.exitCode) }
    }
}
