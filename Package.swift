// swift-tools-version: 6.2
import PackageDescription

/// `RANKD_STRICT=1` (set by `.ci/run`) turns every warning in this package's own code into an error.
let strict = Context.environment["RANKD_STRICT"] == "1"

let settings: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ] + (strict ? [.treatAllWarnings(as: .error)] : [])

/// `RANKD_QUICK_TESTS=1` (set by `.ci/run` for its tests) is for a release build of the tests. It leaves what the tests spend
/// their time in optimised, and nothing else: the rest would take longer to compile than it saves.
let quickTests = Context.environment["RANKD_QUICK_TESTS"] == "1"
let busyInTests: Set = ["JSON5", "RankKit", "History", "Judging", "Reports"]

let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let httpClient = Target.Dependency.product(name: "AsyncHTTPClient", package: "async-http-client")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let unixSignals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let nioCompression = Target.Dependency.product(name: "NIOHTTPCompression", package: "swift-nio-extras")
let algorithms = Target.Dependency.product(name: "Algorithms", package: "swift-algorithms")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")

let package = Package(
    name: "rankd",
    platforms: [.macOS(.v15)],
    // One file that is also rankctl and rankweb, if it is called so: script/build-release makes the names.
    products: [.executable(name: "rankd", targets: ["Programs"])],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-algorithms", from: "1.2.1"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        .target(name: "JSON5", dependencies: [algorithms]),
        .target(name: "RankKit", dependencies: ["JSON5", algorithms]),
        .systemLibrary(
            name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .yum(["zlib-devel"]), .brew(["zlib"])]),
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CProcess"),
        .target(name: "History", dependencies: ["RankKit", "CZlib", "CSQLite", algorithms, grdb, sqlite]),
        .target(
            name: "Outgoing", dependencies: ["RankKit", httpClient, nioCore, nioHTTP1, nioPosix, nioSSL]),
        .target(
            name: "AppStore",
            dependencies: ["RankKit", "Outgoing", httpClient, nioCore, nioHTTP1, nioPosix, nioSSL, nioCompression]),
        .target(name: "Judging", dependencies: ["RankKit", "History"]),
        .target(
            name: "Reports", dependencies: ["RankKit", "History", "Judging", algorithms, arguments],
            resources: [.embedInCode("Rendering/Assets/page.css")]),
        .target(name: "Tracking", dependencies: ["RankKit", "AppStore", "History", lifecycle, logging]),
        .target(
            name: "Alerts",
            dependencies: [
                "RankKit", "History", "Judging", "Reports", "Outgoing", "CProcess", arguments, httpClient, nioCore,
                nioHTTP1,
                nioPosix,
                nioSSL, crypto, logging,
            ]),
        .target(
            name: "AppStoreSimulator",
            dependencies: [
                "RankKit", algorithms, hummingbirdCore, lifecycle, logging, httpTypes, nioCore, nioPosix, nioEmbedded,
                nioHTTP1, nioCompression,
            ]),
        .target(
            name: "Monitoring",
            dependencies: [
                "RankKit", "History", "Reports", hummingbirdCore, httpTypes, nioCore, nioPosix, lifecycle, logging,
            ]),
        .target(name: "Agents", dependencies: ["JSON5", "RankKit", "History", "Reports", "Alerts", algorithms]),
        .target(
            name: "Web",
            dependencies: [
                "RankKit", "Outgoing", "AppStore", "History", "Judging", "Reports", "Monitoring", "CZlib", algorithms,
                hummingbird,
                hummingbirdCore,
                httpClient, httpTypes, nioCore, nioHTTP1, nioPosix, crypto, lifecycle, logging,
            ],
            resources: [
                "pages.js", "charts.js", "live.js", "site.css", "icon.svg", "icon-180.png", "icon-192.png",
                "icon-512.png",
            ].map {
                .embedInCode("Pages/Assets/\($0)")
            }),
        .target(
            name: "Console",
            dependencies: [
                "RankKit", "AppStore", "History", "Reports", arguments, lifecycle, logging, unixSignals,
            ]),
        .target(
            name: "ReportCommands", dependencies: ["RankKit", "History", "Reports", "Console", arguments, unixSignals]),
        .target(name: "Manual", dependencies: ["RankKit", "Reports", "Console"]),
        .target(
            name: "rankd",
            dependencies: [
                "RankKit", "Alerts", "AppStore", "History", "Reports", "Monitoring", "Tracking", "Console", arguments,
                lifecycle,
                unixSignals, logging,
            ]),
        .target(
            name: "rankweb",
            dependencies: [
                "RankKit", "AppStore", "History", "Reports", "Web", "Console", arguments, lifecycle, unixSignals,
                logging,
            ]),
        .target(
            name: "rankctl",
            dependencies: [
                "RankKit", "Alerts", "AppStore", "History", "Judging", "Reports", "Agents", "Console", "ReportCommands",
                arguments, unixSignals,
            ]),
        .executableTarget(name: "Programs", dependencies: ["rankd", "rankctl", "rankweb", "Console", "RankKit"]),
        .executableTarget(
            name: "appstore-sim",
            dependencies: [
                "AppStoreSimulator", "Console", "RankKit", arguments, lifecycle, nioCore, unixSignals, logging,
            ]),
        .executableTarget(
            name: "rankdemo",
            dependencies: [
                "RankKit", "AppStore", "AppStoreSimulator", "History", "Reports", "Tracking", "Console",
                "ReportCommands",
                arguments,
            ]),
        .executableTarget(name: "rankdocs", dependencies: ["Manual", "RankKit", "Reports", "Console", arguments]),
        .executableTarget(
            name: "rankbench",
            dependencies: [
                "RankKit", "History", "Judging", "Reports", "Alerts", "Tracking", "Console", arguments, logging, sqlite,
            ]),
        .target(
            name: "TestSupport", dependencies: ["RankKit", logging, nioCore, nioPosix, nioSSL],
            path: "Tests/TestSupport"),
        .target(
            name: "ProgramStage", dependencies: ["TestSupport", grdb, httpClient, nioCore, nioHTTP1, nioPosix, nioSSL],
            path: "Tests/ProgramStage"),
        .target(
            name: "JudgingStage", dependencies: ["Judging", "History", "RankKit", "TestSupport"],
            path: "Tests/JudgingStage"),
        .testTarget(name: "JSON5Tests", dependencies: ["JSON5"]),
        .testTarget(name: "RankKitTests", dependencies: ["RankKit", "TestSupport"]),
        .testTarget(
            name: "OutgoingTests", dependencies: ["Outgoing", "RankKit", "TestSupport", httpClient, nioCore, nioHTTP1]),
        .testTarget(
            name: "AppStoreTests",
            dependencies: [
                "AppStore", "AppStoreSimulator", "RankKit", "TestSupport", httpClient, nioCore,
            ]),
        .testTarget(
            name: "HistoryTests", dependencies: ["History", "RankKit", "TestSupport", grdb], exclude: ["Schemas"]),
        .testTarget(
            name: "TrackingTests",
            dependencies: [
                "Tracking", "AppStore", "AppStoreSimulator", "History", "RankKit", "TestSupport", grdb, logging,
                lifecycle,
            ]),
        .testTarget(
            name: "AppStoreSimulatorTests",
            dependencies: ["AppStoreSimulator", "RankKit", "TestSupport", httpClient, nioCore, nioHTTP1, nioPosix]),
        .testTarget(
            name: "AlertsTests",
            dependencies: [
                "Alerts", "AppStore", "Outgoing", "RankKit", "History", "Judging", "Reports", "JudgingStage",
                "TestSupport",
                grdb, httpClient,
                nioCore, nioHTTP1, nioPosix, nioSSL, logging,
            ]),
        .testTarget(
            name: "MonitoringTests",
            dependencies: [
                "Monitoring", "RankKit", "History", "Reports", "TestSupport", httpClient, nioCore, nioEmbedded,
                nioHTTP1, logging,
            ]),
        .testTarget(
            name: "AgentsTests",
            dependencies: ["Agents", "RankKit", "History", "Reports", "JudgingStage", "TestSupport"]),
        .testTarget(
            name: "WebTests",
            dependencies: [
                "Web", "Outgoing", "AppStore", "AppStoreSimulator", "RankKit", "History", "Reports", "JudgingStage",
                "TestSupport",
                arguments, crypto, httpClient, httpTypes, hummingbirdCore, nioCore, nioEmbedded, nioHTTP1, logging,
            ]),
        .testTarget(name: "ConsoleTests", dependencies: ["Console", "History", "RankKit", "Reports", "TestSupport"]),
        .testTarget(name: "ManualTests", dependencies: ["Manual", "Reports", "RankKit"]),
        .testTarget(
            name: "JudgingTests", dependencies: ["Judging", "RankKit", "History", "JudgingStage", "TestSupport"]),
        .testTarget(
            name: "ReportsTests",
            dependencies: ["Reports", "Judging", "RankKit", "History", "JudgingStage", "TestSupport", arguments]),
        .testTarget(
            name: "GoldenTests",
            dependencies: [
                "rankdemo", "Programs", "Agents", "Alerts", "Reports", "Judging", "History", "RankKit", "ProgramStage",
                "TestSupport", arguments,
            ],
            exclude: ["Goldens"]),
        .testTarget(
            name: "ProgramTests",
            dependencies: [
                "Programs", "rankd", "rankdocs", "appstore-sim", "Console", "History", "ProgramStage", "RankKit",
                "Reports", "TestSupport", crypto, grdb,
            ]),
        .testTarget(
            name: "FaultTests",
            dependencies: [
                "Programs", "appstore-sim", "Alerts", "AppStore", "AppStoreSimulator", "History", "Judging",
                "JudgingStage", "ProgramStage", "RankKit", "Reports", "TestSupport", "Tracking", arguments, grdb,
                logging,
            ]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
    let isOptimised = !quickTests || busyInTests.contains(target.name)
    target.swiftSettings = settings + (isOptimised ? [] : [.unsafeFlags(["-Onone"])])
}
