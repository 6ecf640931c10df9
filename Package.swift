// swift-tools-version: 6.2
// What an app resolves when it adds Benji: swift-crypto and nothing else of weight.
// The server lives in Server/, a package of its own, so that no app ever resolves a web server.
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")

let package = Package(
    name: "benji",
    platforms: [.iOS(.v16), .macOS(.v13)],
    products: [
        .library(name: "Benji", targets: ["Benji"]),
        .library(name: "BenjiProtocol", targets: ["BenjiProtocol"]),
        .library(name: "BenjiClient", targets: ["BenjiClient"]),
        .library(name: "BenjiCatalogue", targets: ["BenjiCatalogue"]),
        .library(name: "BenjiPage", targets: ["BenjiPage"]),
        .library(name: "BenjiPageHTML", targets: ["BenjiPageHTML"]),
        .library(name: "BenjiTransportCurl", targets: ["BenjiTransportCurl"]),
        .library(name: "BenjiTesting", targets: ["BenjiTesting"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2")
    ],
    targets: [
        .target(name: "BenjiProtocol", dependencies: [crypto], swiftSettings: settings),
        .target(name: "BenjiCatalogue", dependencies: ["BenjiProtocol"], swiftSettings: settings),
        // No dependency at all: it also compiles as Embedded Swift to WebAssembly.
        .target(name: "BenjiPage", swiftSettings: settings),
        .target(name: "BenjiPageHTML", dependencies: ["BenjiPage"], swiftSettings: settings),
        .target(name: "BenjiClient", dependencies: ["BenjiProtocol", crypto], swiftSettings: settings),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .target(
            name: "BenjiTransportCurl", dependencies: ["BenjiClient", "BenjiProtocol", "CCurl"],
            swiftSettings: settings),
        .target(name: "Benji", dependencies: ["BenjiClient", "BenjiProtocol"], swiftSettings: settings),
        .target(name: "BenjiTesting", dependencies: ["BenjiClient", "BenjiProtocol"], swiftSettings: settings),
        .target(name: "OneTapCTypes", path: "Sources/Compatibility/OneTapCTypes"),
        .target(
            name: "OneTapPageTypes", dependencies: ["BenjiPage", "OneTapCTypes"],
            path: "Sources/Compatibility/OneTapPageTypes", swiftSettings: settings),
        .testTarget(name: "BenjiProtocolTests", dependencies: ["BenjiProtocol", crypto], swiftSettings: settings),
        .testTarget(
            name: "BenjiCatalogueTests", dependencies: ["BenjiCatalogue", "BenjiProtocol"], swiftSettings: settings),
        // Writes the example pages as documents and scenes, for the check in a browser. No product: apps never see it.
        .executableTarget(
            name: "PageGallery", dependencies: ["BenjiPage", "BenjiPageHTML"], path: "Tests/PageGallery",
            swiftSettings: settings),
        .testTarget(
            name: "BenjiPageHTMLTests", dependencies: ["BenjiPage", "BenjiPageHTML"], swiftSettings: settings),
        .testTarget(
            name: "BenjiPageTests", dependencies: ["BenjiPage", "BenjiProtocol"], exclude: ["Golden"],
            swiftSettings: settings),
        .testTarget(
            name: "BenjiClientTests",
            dependencies: ["Benji", "BenjiClient", "BenjiProtocol", "BenjiTesting"], swiftSettings: settings),
        .testTarget(
            name: "OneTapPageTypesTests", dependencies: ["BenjiPage", "OneTapCTypes", "OneTapPageTypes"],
            path: "Tests/Compatibility/OneTapPageTypesTests", swiftSettings: settings),
        .testTarget(
            name: "BenjiTransportCurlTests", dependencies: ["BenjiTransportCurl", "BenjiClient", "BenjiProtocol"],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
