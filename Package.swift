// swift-tools-version: 6.2
// The package that an app resolves when it adds Benji: swift-crypto and nothing else of weight.
// The server lives in Server/, a package of its own, so that no app ever resolves a web server.
import PackageDescription

// Code for Apple's systems is tested on Linux against stand-ins of their frameworks (scripts/lib/test-standins.sh).
// Apps never set this variable, and for them the manifest is as if it did not exist.
let usesStandIns = Context.environment["BENJI_APPLE_STANDINS"] == "1"

// With the stand-ins swift-crypto is the one that the SDK's tests were built with. The script puts it here, because to
// compile it takes more than a minute of a processor.
let builtCrypto = Context.packageDirectory + "/.build-standins/crypto"
let crypto: [Target.Dependency] = usesStandIns ? [] : [.product(name: "Crypto", package: "swift-crypto")]
let cryptoLinking: [LinkerSetting] = usesStandIns ? [.unsafeFlags(["\(builtCrypto)/libCrypto.a", "-lstdc++"])] : []

let cryptoSearch: [SwiftSetting] =
    usesStandIns
    ? [
        .unsafeFlags(
            ["", "/CCryptoBoringSSL", "/CCryptoBoringSSLShims", "/CXKCP", "/CXKCPShims"].map {
                "-I\(builtCrypto)\($0)"
            })
    ] : []

let settings: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ] + cryptoSearch

// Every target that asks canImport() of these modules must name them here: once one target has built a stand-in, it
// lies where all others look.
func apple(_ modules: String...) -> [Target.Dependency] {
    usesStandIns ? modules.map { .product(name: $0, package: "AppleStandIns") } : []
}

let portableTests: [Target] = [
    .testTarget(
        name: "BenjiProtocolTests", dependencies: ["BenjiPolicy", "BenjiProtocol"] + crypto, swiftSettings: settings),
    .testTarget(name: "BenjiPolicyTests", dependencies: ["BenjiPolicy", "BenjiProtocol"], swiftSettings: settings),
    .testTarget(
        name: "BenjiFaceProtocolTests", dependencies: ["BenjiFaceProtocol", "BenjiProtocol"], swiftSettings: settings),
    .testTarget(
        name: "CompatibilityCodesTests",
        dependencies: ["GeYanCodes", "OneLoginCodes", "SuperIDCodes", "BenjiFaceProtocol", "BenjiProtocol"],
        path: "Tests/Compatibility/CompatibilityCodesTests", swiftSettings: settings),
    // Writes the example pages as documents and scenes, for the check in a browser. No product: apps never see it.
    .executableTarget(
        name: "PageGallery", dependencies: ["BenjiPage", "BenjiPageHTML", "BenjiPageReports"],
        path: "Tests/PageGallery",
        swiftSettings: settings),
    .testTarget(
        name: "BenjiPageHTMLTests", dependencies: ["BenjiPage", "BenjiPageHTML", "PageProperties"],
        swiftSettings: settings),
    .testTarget(
        name: "BenjiPageReportsTests", dependencies: ["BenjiPage", "BenjiPageReports", "PageProperties"],
        swiftSettings: settings),
    .testTarget(
        name: "BenjiPageDesignTests",
        dependencies: ["BenjiPage", "BenjiPageDesign", "BenjiPageReports", "PageProperties"],
        swiftSettings: settings),
    .testTarget(
        name: "BenjiPageTests", dependencies: ["BenjiPage", "BenjiPolicy", "BenjiProtocol", "PageProperties"],
        exclude: ["Golden"],
        swiftSettings: settings),
    .testTarget(
        name: "BenjiClientTests",
        dependencies: ["Benji", "BenjiClient", "BenjiPage", "BenjiPolicy", "BenjiProtocol", "BenjiTesting", "Waiting"],
        swiftSettings: settings),
    .testTarget(
        name: "BenjiTransportCurlTests",
        dependencies: ["BenjiTransportCurl", "BenjiClient", "BenjiProtocol", "Waiting"], swiftSettings: settings),
]

// Built and run with the stand-ins only.
let appleTests: [Target] = [
    .testTarget(
        name: "BenjiPageUIKitTests",
        dependencies: ["BenjiPage", "BenjiPageUIKit", "PageProperties", "Waiting"]
            + apple("UIKit", "AVFoundation", "ImageIO", "SwiftUI", "WebKit", "_Testing_UIKit"),
        swiftSettings: settings),
    .testTarget(
        name: "BenjiAppleTests",
        dependencies: [
            "OneTapSMS", "OneTapShell", "OneTapTesting", "TYRZLogin", "Benji", "BenjiClient", "BenjiPage",
            "BenjiPageUIKit", "BenjiProtocol", "BenjiTesting", "Waiting",
        ]
            + apple("CoreTelephony", "DeviceCheck", "Network", "Security", "UIKit", "_Testing_UIKit"),
        swiftSettings: settings),
]

// The vendors' SDKs: one set of sources for systems with and without UIKit.
let compatibility: [Target] = [
    // The codes of the SDKs: a target for each dialect. So a facade ships only its own, and the server can explain all.
    .target(
        name: "CMPassportCodes", dependencies: ["BenjiProtocol"], path: "Sources/Compatibility/CMPassportCodes",
        swiftSettings: settings),
    .target(
        name: "OneLoginCodes", dependencies: ["BenjiProtocol"], path: "Sources/Compatibility/OneLoginCodes",
        swiftSettings: settings),
    .target(
        name: "GeYanCodes", dependencies: ["OneLoginCodes", "BenjiProtocol"],
        path: "Sources/Compatibility/GeYanCodes", swiftSettings: settings),
    .target(
        name: "SuperIDCodes", dependencies: ["BenjiFaceProtocol", "BenjiProtocol"],
        path: "Sources/Compatibility/SuperIDCodes", swiftSettings: settings),
    .target(
        name: "OneTapShell",
        dependencies: ["Benji", "BenjiClient", "BenjiProtocol"] + apple("CoreTelephony", "Network", "Security"),
        path: "Sources/Compatibility/OneTapShell", swiftSettings: settings),
    .target(
        name: "TYRZSDK",
        dependencies: [
            "CMPassportCodes", "OneTapShell", "TYRZSDKTypes", "Benji", "BenjiClient", "BenjiPage", "BenjiPageUIKit",
            "BenjiProtocol",
        ] + apple("UIKit"),
        path: "Sources/Compatibility/TYRZSDK", swiftSettings: settings),
    .target(name: "TYRZLoginTypes", path: "Sources/Compatibility/TYRZLoginTypes"),
    .target(
        name: "TYRZLogin",
        dependencies: ["CMPassportCodes", "OneTapShell", "TYRZLoginTypes", "BenjiClient", "BenjiProtocol"],
        path: "Sources/Compatibility/TYRZLogin", swiftSettings: settings),
    .target(name: "TYRZSDKTypes", path: "Sources/Compatibility/TYRZSDKTypes"),
    .target(name: "OneTapCTypes", path: "Sources/Compatibility/OneTapCTypes"),
    .target(
        name: "OneTapPageTypes", dependencies: ["BenjiPage", "OneTapCTypes"] + apple("UIKit"),
        path: "Sources/Compatibility/OneTapPageTypes",
        resources: [.copy("Resources/OneLoginResource.bundle"), .copy("Resources/TYRZResource.bundle")],
        swiftSettings: settings),
    .target(
        name: "OneTapPage",
        dependencies: [
            "OneTapPageTypes", "OneTapShell", "Benji", "BenjiClient", "BenjiPage", "BenjiPageUIKit", "BenjiProtocol",
        ] + apple("UIKit"),
        path: "Sources/Compatibility/OneTapPage", swiftSettings: settings),
    .target(
        name: "OneLoginSDK",
        dependencies: [
            "OneLoginCodes", "OneTapCTypes", "OneTapPage", "OneTapPageTypes", "OneTapShell", "BenjiClient", "BenjiPage",
            "BenjiProtocol",
        ] + apple("UIKit"),
        path: "Sources/Compatibility/OneLoginSDK", swiftSettings: settings),
    .target(
        name: "GeYanSdk",
        dependencies: [
            "GeYanCodes", "OneTapCTypes", "OneTapPage", "OneTapPageTypes", "OneTapShell", "BenjiClient",
            "BenjiProtocol",
        ] + apple("UIKit"),
        path: "Sources/Compatibility/GeYanSdk", swiftSettings: settings),
    // The page of a login by SMS for apps of these SDKs: apart, so that an app without such logins ships no page.
    .target(
        name: "OneTapSMS",
        dependencies: ["OneTapShell", "Benji", "BenjiClient", "BenjiPage", "BenjiPageUIKit", "BenjiProtocol"]
            + apple("UIKit"),
        path: "Sources/Compatibility/OneTapSMS", swiftSettings: settings),
    // A scripted carrier behind the facades' static calls, for the tests of apps that are written against them.
    .target(
        name: "OneTapTesting", dependencies: ["OneTapShell", "Benji", "BenjiClient", "BenjiProtocol", "BenjiTesting"],
        path: "Sources/Compatibility/OneTapTesting", swiftSettings: settings),
]

// Apart from the others: it brings camera code.
let faceCompatibility: [Target] = [
    .target(name: "SuperIDSDKTypes", path: "Sources/Compatibility/SuperIDSDKTypes"),
    .target(
        name: "SuperIDSDK",
        dependencies: [
            "OneTapShell", "SuperIDCodes", "SuperIDSDKTypes", "Benji", "BenjiClient", "BenjiFace", "BenjiFaceProtocol",
            "BenjiFaceTexts", "BenjiPage", "BenjiProtocol",
        ] + apple("Network", "Security", "UIKit"),
        path: "Sources/Compatibility/SuperIDSDK", swiftSettings: settings),
]

// Run with and without the stand-ins.
let compatibilityTests: [Target] = [
    // The turns at the stand-in camera.
    .target(
        name: "CameraTurn", dependencies: apple("AVFoundation", "UIKit", "_Testing_UIKit"), path: "Tests/CameraTurn",
        swiftSettings: settings),
    .testTarget(
        name: "BenjiFaceTests",
        dependencies: [
            "BenjiFace", "BenjiFaceProtocol", "BenjiFaceTesting", "BenjiFaceTexts", "BenjiPage", "BenjiPageUIKit",
            "CameraTurn", "BenjiClient", "BenjiProtocol", "BenjiTesting", "Waiting",
        ] + apple("AVFoundation", "CoreImage", "UIKit", "_Testing_UIKit"),
        swiftSettings: settings),
    .testTarget(
        name: "BenjiFaceTextsTests", dependencies: ["BenjiFaceTexts", "BenjiPage"], swiftSettings: settings),
    // The documents' samples as a program that logs in against a real server; with the stand-ins on the pages that are
    // drawn. No product: apps never see it.
    .executableTarget(
        name: "FacadeSamples",
        dependencies: [
            "GeYanSdk", "OneLoginSDK", "SuperIDSDK", "OneTapShell", "TYRZLogin", "TYRZSDK", "Benji", "BenjiClient",
            "BenjiFace",
            "BenjiFaceProtocol", "BenjiPage",
            "BenjiPageUIKit", "BenjiProtocol", "BenjiTesting", "BenjiTransportCurl",
        ] + apple("UIKit"),
        path: "Tests/Compatibility/FacadeSamples", swiftSettings: settings),
    // One list of scenarios, and the stage on which every facade plays it.
    .target(
        name: "FacadeScenarios",
        dependencies: ["OneTapShell", "OneTapTesting", "BenjiClient", "BenjiProtocol", "BenjiTesting", "Waiting"],
        path: "Tests/Compatibility/FacadeScenarios", swiftSettings: settings),
    .testTarget(
        name: "TYRZSDKTests",
        dependencies: [
            "FacadeScenarios", "GeYanSdk", "OneLoginSDK", "OneTapShell", "OneTapTesting", "TYRZLogin", "TYRZSDK",
            "BenjiProtocol", "BenjiTesting", "Waiting",
        ]
            + apple("UIKit", "_Testing_UIKit"),
        path: "Tests/Compatibility/TYRZSDKTests", swiftSettings: settings),
    .testTarget(
        name: "TYRZLoginTests",
        dependencies: [
            "FacadeScenarios", "OneTapShell", "OneTapTesting", "TYRZLogin", "BenjiProtocol", "BenjiTesting", "Waiting",
        ],
        path: "Tests/Compatibility/TYRZLoginTests", swiftSettings: settings),
    .testTarget(
        name: "OneTapShellTests",
        dependencies: ["OneTapShell", "OneTapTesting", "BenjiClient", "BenjiProtocol", "BenjiTesting", "Waiting"],
        path: "Tests/Compatibility/OneTapShellTests", swiftSettings: settings),
    .testTarget(
        name: "OneTapPageTypesTests",
        dependencies: ["BenjiPage", "OneTapCTypes", "OneTapPageTypes"] + apple("UIKit", "_Testing_UIKit"),
        path: "Tests/Compatibility/OneTapPageTypesTests", swiftSettings: settings),
    .testTarget(
        name: "OneLoginSDKTests",
        dependencies: [
            "FacadeScenarios", "OneLoginSDK", "OneTapPage", "OneTapPageTypes", "OneTapShell", "OneTapTesting",
            "PageProperties", "BenjiPage",
            "BenjiPageDesign", "BenjiPageUIKit", "BenjiClient", "BenjiProtocol", "BenjiTesting", "Waiting",
        ]
            + apple("UIKit", "_Testing_UIKit"),
        path: "Tests/Compatibility/OneLoginSDKTests", swiftSettings: settings),
    .testTarget(
        name: "SuperIDSDKTests",
        dependencies: [
            "BenjiFace", "BenjiFaceProtocol", "BenjiFaceTesting", "BenjiFaceTexts", "BenjiPage", "CameraTurn",
            "OneTapShell", "OneTapTesting", "SuperIDSDK", "BenjiClient", "BenjiProtocol", "BenjiTesting", "Waiting",
        ]
            + apple("AVFoundation", "UIKit", "_Testing_UIKit"),
        path: "Tests/Compatibility/SuperIDSDKTests", swiftSettings: settings),
    .testTarget(
        name: "GeYanSdkTests",
        dependencies: [
            "FacadeScenarios", "GeYanSdk", "OneTapPageTypes", "OneTapShell", "OneTapTesting", "PageProperties",
            "BenjiPage", "BenjiPageDesign",
            "BenjiPageUIKit", "BenjiClient",
            "BenjiProtocol", "BenjiTesting", "Waiting",
        ]
            + apple("UIKit", "_Testing_UIKit"),
        path: "Tests/Compatibility/GeYanSdkTests", swiftSettings: settings),
]

let package = Package(
    name: "benji",
    platforms: [.iOS(.v16), .macOS(.v13)],
    products: [
        .library(name: "Benji", targets: ["Benji"]),
        .library(name: "BenjiProtocol", targets: ["BenjiProtocol"]),
        .library(name: "BenjiPolicy", targets: ["BenjiPolicy"]),
        .library(name: "BenjiClient", targets: ["BenjiClient"]),
        .library(name: "BenjiPage", targets: ["BenjiPage"]),
        .library(name: "BenjiPageHTML", targets: ["BenjiPageHTML"]),
        .library(name: "BenjiPageReports", targets: ["BenjiPageReports"]),
        .library(name: "BenjiPageDesign", targets: ["BenjiPageDesign"]),
        .library(name: "BenjiPageUIKit", targets: ["BenjiPageUIKit"]),
        .library(name: "BenjiTransportCurl", targets: ["BenjiTransportCurl"]),
        .library(name: "BenjiFace", targets: ["BenjiFace"]),
        .library(name: "BenjiFaceProtocol", targets: ["BenjiFaceProtocol"]),
        .library(name: "BenjiFaceTexts", targets: ["BenjiFaceTexts"]),
        .library(name: "BenjiTesting", targets: ["BenjiTesting"]),
        .library(name: "BenjiServerAPI", targets: ["BenjiServerAPI"]),
        .library(name: "BenjiFaceTesting", targets: ["BenjiFaceTesting"]),
        .library(name: "OneTapTesting", targets: ["OneTapTesting"]),
        // For the server, which explains them. Apps have those of their facade without it.
        .library(
            name: "CompatibilityCodes", targets: ["CMPassportCodes", "GeYanCodes", "OneLoginCodes", "SuperIDCodes"]),
        .library(name: "OneTapSMS", targets: ["OneTapSMS"]),
        .library(name: "OneLoginSDK", targets: ["OneLoginSDK"]),
        .library(name: "GeYanSdk", targets: ["GeYanSdk"]),
        .library(name: "SuperIDSDK", targets: ["SuperIDSDK"]),
        .library(name: "TYRZSDK", targets: ["TYRZSDK"]),
        .library(name: "TYRZLogin", targets: ["TYRZLogin"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2")
    ] + (usesStandIns ? [.package(path: "Verification/AppleStandIns")] : []),
    targets: [
        // No dependency at all: it also compiles as Embedded Swift to WebAssembly. The next and BenjiPage export it.
        .target(name: "BenjiValues", swiftSettings: settings),
        .target(
            name: "BenjiProtocol", dependencies: ["BenjiValues"] + crypto, swiftSettings: settings,
            linkerSettings: cryptoLinking),
        // For the server, and for the scripted carrier of tests. Apps do not have it.
        .target(name: "BenjiPolicy", dependencies: ["BenjiProtocol"], swiftSettings: settings),
        // No other dependency: it also compiles as Embedded Swift to WebAssembly.
        .target(name: "BenjiPage", dependencies: ["BenjiValues"], swiftSettings: settings),
        .target(name: "BenjiPageHTML", dependencies: ["BenjiPage"], swiftSettings: settings),
        // The reports of tools on a page. Apps do not have it; it also compiles as Embedded Swift.
        .target(name: "BenjiPageReports", dependencies: ["BenjiPage"], swiftSettings: settings),
        // The page designer: fields, fixes, moves, a page as code. Not in apps; it also compiles as Embedded Swift.
        .target(name: "BenjiPageDesign", dependencies: ["BenjiPage", "BenjiPageReports"], swiftSettings: settings),
        // The messages between phone and server in a face login.
        .target(name: "BenjiFaceProtocol", dependencies: ["BenjiProtocol"], swiftSettings: settings),
        // The sentences for people in front of a camera; the authority's page has the same.
        .target(name: "BenjiFaceTexts", dependencies: ["BenjiPage"], swiftSettings: settings),
        // The only target with camera code.
        .target(
            name: "BenjiFace",
            dependencies: [
                "Benji", "BenjiClient", "BenjiFaceProtocol", "BenjiFaceTexts", "BenjiPage", "BenjiPageUIKit",
                "BenjiProtocol",
            ]
                + apple("AVFoundation", "CoreImage", "Network", "Security", "UIKit"),
            resources: [.copy("PrivacyInfo.xcprivacy")], swiftSettings: settings),
        // Empty where there is no UIKit.
        .target(
            name: "BenjiPageUIKit",
            dependencies: ["BenjiPage"] + apple("UIKit", "AVFoundation", "ImageIO", "SwiftUI", "WebKit"),
            swiftSettings: settings),
        .target(
            name: "BenjiClient", dependencies: ["BenjiProtocol"] + crypto + apple("DeviceCheck", "Network", "Security"),
            resources: [.copy("PrivacyInfo.xcprivacy")], swiftSettings: settings),
        // The vendors' view models as a table, for the tests of all renderers. No product: apps never see it.
        .target(
            name: "PageProperties", dependencies: ["BenjiPage"], path: "Tests/PageProperties", swiftSettings: settings),
        // How tests wait: one patience for all. No product: apps never see it.
        .target(name: "Waiting", path: "Tests/Waiting", swiftSettings: settings),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .target(
            name: "BenjiTransportCurl", dependencies: ["BenjiClient", "BenjiProtocol", "CCurl"],
            swiftSettings: settings),
        .target(
            name: "Benji",
            dependencies: ["BenjiClient", "BenjiPage", "BenjiPageUIKit", "BenjiProtocol"] + crypto
                + apple("Network", "Security", "UIKit"),
            swiftSettings: settings),
        // For servers in Swift: it knows nothing of the SDK in apps.
        .target(name: "BenjiServerAPI", dependencies: crypto, swiftSettings: settings),
        .target(
            name: "BenjiTesting", dependencies: ["Benji", "BenjiClient", "BenjiPolicy", "BenjiProtocol"],
            swiftSettings: settings),
        // Apart from it, because it brings camera code.
        .target(
            name: "BenjiFaceTesting",
            dependencies: ["Benji", "BenjiClient", "BenjiFace", "BenjiFaceProtocol", "BenjiProtocol", "BenjiTesting"],
            swiftSettings: settings),
    ] + compatibility + faceCompatibility + compatibilityTests + (usesStandIns ? appleTests : portableTests),
    swiftLanguageModes: [.v6]
)
