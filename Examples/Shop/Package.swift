// swift-tools-version: 6.2
// A small web shop whose customers log in with Benji. It knows Benji by HTTP only and uses none of this repository's
// code, so it has all that a shop of your own needs.
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

func product(_ name: String, _ package: String) -> Target.Dependency { .product(name: name, package: package) }

let pages = ["layout", "front", "basket", "login", "account", "landed", "notice"].map { "\($0).mustache" }
let drawings = ["mark", "longjing", "keemun", "tieguanyin", "jasmine"].map { "\($0).svg" }

let package = Package(
    name: "benji-shop",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "Shop", targets: ["Shop"]),
        .executable(name: "benji-shop", targets: ["ShopServer"]),
    ],
    // One version each, so that the service is the same wherever it is built.
    dependencies: [
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", exact: "2.28.1"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache.git", exact: "2.1.1"),
        .package(url: "https://github.com/swift-server/async-http-client.git", exact: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", exact: "2.13.0"),
        .package(url: "https://github.com/vapor/jwt-kit.git", exact: "5.7.1"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto.git", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types.git", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log.git", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio.git", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", exact: "2.37.6"),
    ],
    targets: [
        .target(
            name: "Shop",
            dependencies: [
                product("Hummingbird", "hummingbird"), product("HummingbirdCore", "hummingbird"),
                product("HummingbirdTLS", "hummingbird"),
                product("Mustache", "swift-mustache"), product("AsyncHTTPClient", "async-http-client"),
                product("ServiceLifecycle", "swift-service-lifecycle"), product("JWTKit", "jwt-kit"),
                product("Crypto", "swift-crypto"), product("HTTPTypes", "swift-http-types"),
                product("Logging", "swift-log"), product("NIOCore", "swift-nio"),
                product("NIOFoundationCompat", "swift-nio"), product("NIOHTTP1", "swift-nio"),
                product("NIOSSL", "swift-nio-ssl"),
            ],
            // In the program itself, so that it is one file to install.
            resources: (pages + drawings + ["shop.css", "shop.js", "benji.js", "logo.png"]).map {
                .embedInCode("Resources/\($0)")
            },
            swiftSettings: settings),
        .executableTarget(
            name: "ShopServer",
            dependencies: [
                "Shop", product("ArgumentParser", "swift-argument-parser"), product("Logging", "swift-log"),
                product("ServiceLifecycle", "swift-service-lifecycle"),
                product("UnixSignals", "swift-service-lifecycle"),
            ], swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
