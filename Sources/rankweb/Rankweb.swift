internal import ArgumentParser
import Console
import Foundation
import Logging
import RankKit
import ServiceLifecycle
import UnixSignals
import Web

struct Rankweb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rankweb",
        abstract: "Shows what rankd recorded: pages for people, JSON for programs.",
        discussion: """
            Reads the history, and never writes to it. It runs until SIGTERM or SIGINT, and prints its address when it is \
            ready. A port needs a password or tokens; --open does without, for this machine alone.
            """,
        version: Release.version)

    @Option(help: ArgumentHelp("The history to show.", valueName: "file"), completion: .file())
    var database: String?

    @Option(
        help: ArgumentHelp(
            "The watchlist that “Track this” names (default: rankd's).", valueName: "file"),
        completion: .file())
    var watchlist: String?

    @Option(
        help: ArgumentHelp(
            "Where to listen: unix:PATH or HOST:PORT; port 0 takes a free one (default: web.sock in the service's run "
                + "folder, else 127.0.0.1:8480).",
            valueName: "address"), transform: Rankweb.listening)
    var listen: Listening?

    @Option(
        help: ArgumentHelp(
            "An address by which people open the site, such as https://ranks.example.com or https://example.com/ranks; give "
                + "it once for each.",
            valueName: "address"), transform: Rankweb.origin)
    var origin: [WebOrigin] = []

    @Option(
        help: ArgumentHelp("A file whose first line is the password.", valueName: "file"), completion: .file())
    var passwordFile: String?

    @Option(
        help: ArgumentHelp("A file with a name, a token and perhaps tags=a,b on each line.", valueName: "file"),
        completion: .file())
    var tokenFile: String?

    @Flag(help: "Let in every user of this machine without a password. Only on loopback, for a try.")
    var open = false

    @Option(
        help: ArgumentHelp(
            "The folder for images and for the key of the sessions (default: the service's cache folder, else none).",
            valueName: "folder"),
        completion: .directory)
    var cache: String?

    @Option(help: ArgumentHelp("How often one client may ask in a minute.", valueName: "number"))
    var requestsPerMinute = 600

    @Option(
        help: ArgumentHelp(
            "Search asks this server instead of Apple, such as http://127.0.0.1:8080.", valueName: "origin"))
    var searchUrl: String?

    @Option(
        help: "trace, debug, info, notice, warning, error or critical (default: notice).",
        completion: Logger.Level.completion, transform: Logger.Level.argument)
    var logLevel: Logger.Level = .notice

    @Option(help: "text or json.")
    var logFormat: LineLogHandler.Format = .text

    /// On the main thread, because there is no other yet.
    @MainActor static func main() async {
        StandardStreams.fill()
        Allocator.shareOneArena()
        ProcessPriority.giveWay()
        RepeatedOption.refuse(in: Self.self)
        await main(nil)
    }

    mutating func validate() throws {
        guard (1...1_000_000).contains(requestsPerMinute) else {
            throw ValidationError("--requests-per-minute is \(requestsPerMinute): write a number from 1 to 1000000")
        }
        for (index, one) in origin.enumerated() {
            guard let other = origin[..<index].first(where: { $0.authority == one.authority && $0.base != one.base })
            else { continue }
            throw ValidationError(
                "--origin: \(other) and \(one) are two places on one host: name one, and start another rankweb for the other"
            )
        }
        let hasSecrets = passwordFile != nil || tokenFile != nil
        if open, hasSecrets {
            throw ValidationError("--open lets everybody in: leave out either --open or the password and the tokens")
        }
        guard case .tcp(let host, _) = listen ?? Self.usualListening(ProcessInfo.processInfo.environment) else {
            return
        }
        let isLocal = listen?.isLocal ?? true
        if open, !isLocal {
            throw ValidationError(
                "--open works only on loopback, and \(SafeText.escaped(host)) is not loopback: listen on 127.0.0.1")
        }
        if !open, !hasSecrets {
            throw ValidationError(
                "a port needs a password, because every user of this machine can reach it: give --password-file FILE or "
                    + "--token-file FILE; --open shows everything to all of them")
        }
    }

    func run() async throws {
        signal(SIGPIPE, SIG_IGN)
        let descriptors = try Descriptors.require(Site.otherDescriptors + 16, wanted: Site.mostDescriptors)
        let environment = ProcessInfo.processInfo.environment
        let log = Logger(lines: "rankweb", level: logLevel, format: logFormat, environment: environment)
        let notifier = SystemdNotifier(environment: environment)
        var settings = try settings(environment)
        settings.mostConnections = descriptors - Site.otherDescriptors
        if open {
            Terminal.say(
                "--open: everybody who uses this machine can see all of the history in a browser, without a password")
        }
        let site = Site(settings, logger: log, now: { Timestamp(Date()) }) { address in
            guard Terminal.show("listening on \(address)\n", patience: 5_000) else { throw ExitStatus.ioError }
            notifier.ready("listening on \(address)")
        }
        try await Complaint.exiting { try await run(site, notifier, log) }
    }

    private func run(_ site: Site, _ notifier: SystemdNotifier, _ log: Logger) async throws {
        var quiet = log
        quiet.logLevel = max(log.logLevel, .error)
        let group = ServiceGroup(
            configuration: .init(
                services: [
                    .init(service: site, failureTerminationBehavior: .cancelGroup),
                    .init(service: LifeSign(notifier: notifier)), .init(service: StopNotice(notifier: notifier)),
                ],
                gracefulShutdownSignals: [.sigterm, .sigint], logger: quiet))
        do { try await group.run() } catch let failure as ListeningFailure {
            Terminal.say(SafeText.escaped("\(failure)"))
            throw ExitStatus.ioError.code
        }
    }

    private func settings(_ environment: [String: String]) throws -> SiteSettings {
        let locations = FileLocations(environment: environment) { FileManager.default.fileExists(atPath: $0) }
        var settings = SiteSettings(
            database: locations.database(flag: database), listening: listen ?? Self.usualListening(environment))
        // rankd's own, if it is rankd's own history that is shown.
        let usual = locations.watchlist(flag: nil)
        settings.watchlist =
            watchlist ?? (database == nil && FileManager.default.fileExists(atPath: usual) ? usual : nil)
        settings.origins = origin
        settings.requestsPerMinute = requestsPerMinute
        settings.zone = .current
        settings.giveBack = Allocator.giveBack
        settings.store = try StoreOrigin.resolve(flag: searchUrl, environment: environment)
        settings.cacheFolder =
            cache ?? environment["CACHE_DIRECTORY"].flatMap { $0.split(separator: ":").first.map(String.init) }
        guard passwordFile != nil || tokenFile != nil else { return settings }
        do {
            settings.credentials = try Credentials(
                password: try passwordFile.map(SecretFile.read), tokens: try tokenFile.map(SecretFile.read))
        } catch let mistake as Credentials.Mistake {
            let file = (mistake.isOfPassword ? passwordFile : tokenFile) ?? passwordFile ?? ""
            Terminal.say(SafeText.escaped("\(file): \(mistake)"))
            throw ExitStatus.configuration.code
        }
        return settings
    }
}
