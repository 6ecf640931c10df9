// swift-tools-version: 6.2
// What a server resolves. It depends on the package above it, never the other way.
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

func package(_ product: String, _ package: String) -> Target.Dependency { .product(name: product, package: package) }
func benji(_ product: String) -> Target.Dependency { package(product, "benji") }
let crypto = package("Crypto", "swift-crypto")
let cryptoExtras = package("CryptoExtras", "swift-crypto")
let nioCore = package("NIOCore", "swift-nio")
let nioPosix = package("NIOPosix", "swift-nio")
let nioFoundation = package("NIOFoundationCompat", "swift-nio")
let nioSSL = package("NIOSSL", "swift-nio-ssl")
let logging = package("Logging", "swift-log")
let metrics = package("Metrics", "swift-metrics")
let coreMetrics = package("CoreMetrics", "swift-metrics")
let lifecycle = package("ServiceLifecycle", "swift-service-lifecycle")
let unixSignals = package("UnixSignals", "swift-service-lifecycle")
let grdb = package("GRDB", "GRDB.swift")
let bigInt = package("BigInt", "BigInt")
let hummingbird = package("Hummingbird", "hummingbird")
let hummingbirdCore = package("HummingbirdCore", "hummingbird")
let hummingbirdTLS = package("HummingbirdTLS", "hummingbird")
let hummingbirdTesting = package("HummingbirdTesting", "hummingbird")
let httpTypes = package("HTTPTypes", "swift-http-types")
let asyncHTTPClient = package("AsyncHTTPClient", "async-http-client")
let configuration = package("Configuration", "swift-configuration")
let argumentParser = package("ArgumentParser", "swift-argument-parser")

let package = Package(
    name: "benji-server",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "benji", targets: ["BenjiCommand"])],
    dependencies: [
        // Named, because otherwise its identity would be the folder's name and a clone elsewhere would not resolve.
        .package(name: "benji", path: ".."),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.13.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
        .package(url: "https://github.com/attaswift/BigInt.git", from: "6.0.1"),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.1"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
        .package(
            url: "https://github.com/apple/swift-configuration.git", from: "1.4.0",
            traits: [.defaults, "YAML", "CommandLineArguments", "Logging"]),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
    ],
    targets: [
        .target(name: "Store", dependencies: [benji("BenjiProtocol")], swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
