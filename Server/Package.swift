// swift-tools-version: 6.2
// The dependencies of a server. It depends on the package above it, never the other way.
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

func product(_ name: String, _ package: String) -> Target.Dependency { .product(name: name, package: package) }
func benji(_ name: String) -> Target.Dependency { product(name, "benji") }
/// The targets that only a build with face login has.
func face(_ targets: String...) -> [Target.Dependency] {
    targets.map { .target(name: $0, condition: .when(traits: ["Face"])) }
}
/// The tables of a store, and the triggers that guard evidence.
let schema: [Resource] = [.embedInCode("Schema/tables.sql"), .embedInCode("Schema/evidence.sql")]
let crypto = product("Crypto", "swift-crypto")
let cryptoExtras = product("CryptoExtras", "swift-crypto")
let nioConcurrency = product("NIOConcurrencyHelpers", "swift-nio")
let nioCore = product("NIOCore", "swift-nio")
let nioPosix = product("NIOPosix", "swift-nio")
let nioEmbedded = product("NIOEmbedded", "swift-nio")
let nioHTTP1 = product("NIOHTTP1", "swift-nio")
let nioHTTPTypes = product("NIOHTTPTypes", "swift-nio-extras")
let nioHTTPTypesHTTP1 = product("NIOHTTPTypesHTTP1", "swift-nio-extras")
let nioTLS = product("NIOTLS", "swift-nio")
let nioSSL = product("NIOSSL", "swift-nio-ssl")
let logging = product("Logging", "swift-log")
let metrics = product("Metrics", "swift-metrics")
let coreMetrics = product("CoreMetrics", "swift-metrics")
let lifecycle = product("ServiceLifecycle", "swift-service-lifecycle")
let unixSignals = product("UnixSignals", "swift-service-lifecycle")
let grdb = product("GRDB", "GRDB.swift")
let sqlite = product("GRDBSQLite", "GRDB.swift")
let mustache = product("Mustache", "swift-mustache")
let hummingbird = product("Hummingbird", "hummingbird")
let hummingbirdCore = product("HummingbirdCore", "hummingbird")
let hummingbirdTesting = product("HummingbirdTesting", "hummingbird")
let httpTypes = product("HTTPTypes", "swift-http-types")
let asyncHTTPClient = product("AsyncHTTPClient", "async-http-client")
let atomics = product("Atomics", "swift-atomics")
let yams = product("Yams", "Yams")
let jwtKit = product("JWTKit", "jwt-kit")
let shop = product("Shop", "benji-shop")
let x509 = product("X509", "swift-certificates")
let asn1 = product("SwiftASN1", "swift-asn1")
let argumentParser = product("ArgumentParser", "swift-argument-parser")

let package = Package(
    name: "benji-server",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "benji", targets: ["BenjiCommand"]),
        .executable(name: "benji-gateway", targets: ["BenjiGateway"]),
    ],
    traits: [
        .default(enabledTraits: ["Face"]),
        .trait(name: "Face", description: "Face login, for which the program is linked to OpenCV, libjpeg and libpng."),
    ],
    // A service is built from the same versions wherever it is built, so each has one version, not a range. Apps
    // resolve the root package, which keeps ranges. docs/bill-of-materials.tsv lists all of them; `make check`
    // compares.
    dependencies: [
        // Named, because otherwise its identity would be the folder's name and a clone elsewhere would not resolve.
        .package(name: "benji", path: ".."),
        // The example shop is built with the server, so that what it depends on is built once.
        .package(name: "benji-shop", path: "../Examples/Shop"),
        .package(url: "https://github.com/apple/swift-crypto.git", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-nio.git", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras.git", exact: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", exact: "2.37.6"),
        .package(url: "https://github.com/apple/swift-log.git", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics.git", exact: "2.13.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", exact: "2.13.0"),
        .package(url: "https://github.com/apple/swift-atomics.git", exact: "1.3.0"),
        .package(url: "https://github.com/groue/GRDB.swift.git", exact: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", exact: "2.28.1"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache.git", exact: "2.1.1"),
        .package(url: "https://github.com/apple/swift-http-types.git", exact: "1.8.0"),
        .package(url: "https://github.com/swift-server/async-http-client.git", exact: "1.37.0"),
        .package(url: "https://github.com/vapor/jwt-kit.git", exact: "5.7.1"),
        .package(url: "https://github.com/jpsim/Yams.git", exact: "6.2.2"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", exact: "1.8.2"),
        // Dependencies of those above. PinnedDependencies uses them, so that SwiftPM does not call them unused.
        .package(url: "https://github.com/apple/swift-algorithms.git", exact: "1.2.1"),
        .package(url: "https://github.com/apple/swift-asn1.git", exact: "1.7.4"),
        .package(url: "https://github.com/apple/swift-async-algorithms.git", exact: "1.1.4"),
        .package(url: "https://github.com/apple/swift-certificates.git", exact: "1.21.1"),
        .package(url: "https://github.com/apple/swift-collections.git", exact: "1.6.0"),
        .package(url: "https://github.com/apple/swift-configuration.git", exact: "1.4.0", traits: []),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", exact: "1.7.3"),
        .package(url: "https://github.com/apple/swift-http-structured-headers.git", exact: "1.7.0"),
        .package(url: "https://github.com/apple/swift-nio-http2.git", exact: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-transport-services.git", exact: "1.28.0"),
        .package(url: "https://github.com/apple/swift-numerics.git", exact: "1.1.1"),
        .package(url: "https://github.com/apple/swift-service-context.git", exact: "1.5.1"),
        .package(url: "https://github.com/apple/swift-system.git", exact: "1.8.1"),
    ],
    targets: [
        .target(
            name: "PinnedDependencies",
            dependencies: [
                product("Algorithms", "swift-algorithms"), product("SwiftASN1", "swift-asn1"),
                product("AsyncAlgorithms", "swift-async-algorithms"), product("X509", "swift-certificates"),
                product("DequeModule", "swift-collections"),
                product("Configuration", "swift-configuration"), product("Tracing", "swift-distributed-tracing"),
                product("StructuredFieldValues", "swift-http-structured-headers"),
                product("NIOHTTP2", "swift-nio-http2"),
                product("NIOTransportServices", "swift-nio-transport-services"),
                product("RealModule", "swift-numerics"), product("ServiceContextModule", "swift-service-context"),
                product("SystemPackage", "swift-system"),
            ], swiftSettings: settings),
        .target(name: "RADIUS", dependencies: [benji("BenjiProtocol"), crypto], swiftSettings: settings),
        .target(name: "CDatagrams"),
        .systemLibrary(name: "CMalloc"),
        .systemLibrary(name: "CProcessor"),
        .systemLibrary(name: "CSQLite"),
        .target(name: "CPhoneNumbers", linkerSettings: [.linkedLibrary("phonenumber")]),
        .target(
            name: "Gateway",
            dependencies: [
                "RADIUS", "CDatagrams", "CPhoneNumbers", "CProcessor", "Sightings",
                benji("BenjiProtocol"), crypto,
                nioConcurrency, nioCore,
                nioPosix, nioSSL, nioTLS, asn1, x509, logging,
                metrics,
                lifecycle,
            ], swiftSettings: settings),
        .target(name: "CPKCS11"),
        .target(
            name: "PKCS11", dependencies: ["CPKCS11", "Authority", benji("BenjiProtocol")],
            swiftSettings: settings),
        .target(name: "CCatalogueTables"),
        .target(
            name: "Catalogue",
            dependencies: ["CCatalogueTables", benji("BenjiPolicy"), benji("BenjiProtocol")],
            exclude: ["Tables"],
            swiftSettings: settings),
        .target(name: "Sightings", dependencies: [benji("BenjiProtocol")], swiftSettings: settings),
        .target(name: "SMPP", swiftSettings: settings),
        .target(name: "ShortMessages", dependencies: [benji("BenjiProtocol")], swiftSettings: settings),
        .target(
            name: "ShortMessageSending",
            dependencies: [
                "SMPP", "ShortMessages", benji("BenjiProtocol"), asyncHTTPClient, nioCore, nioHTTP1,
                nioPosix, nioSSL,
                lifecycle, logging, metrics,
            ], swiftSettings: settings),
        .target(
            name: "AppAttest", dependencies: [benji("BenjiProtocol"), crypto, x509, asn1], swiftSettings: settings),
        .target(
            name: "AppAttestModel", dependencies: ["AppAttest", benji("BenjiProtocol"), crypto, x509, asn1],
            swiftSettings: settings),
        .target(
            name: "Store", dependencies: ["Sightings", benji("BenjiProtocol")], swiftSettings: settings),
        .target(
            name: "StoreRows", dependencies: ["Store", "Sightings", benji("BenjiProtocol")],
            swiftSettings: settings),
        .target(
            name: "StoreSQLite",
            dependencies: [
                "CSQLite", "Processes", "Store", "StoreRows", "Sightings", benji("BenjiProtocol"), grdb,
                sqlite, logging,
            ],
            resources: schema, swiftSettings: settings
        ),
        .systemLibrary(name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .target(
            name: "StorePostgres",
            dependencies: [
                "CLibPQ", "Store", "StoreRows", "Sightings", benji("BenjiProtocol"), logging,
            ],
            resources: schema, swiftSettings: settings),
        // Rules for requests that gateway and authority share.
        .target(
            name: "Requests", dependencies: ["Store", "Sightings", benji("BenjiPage"), benji("BenjiProtocol"), crypto],
            swiftSettings: settings),
        // Listeners, routes and error pages.
        .target(
            name: "ServerHTTP",
            dependencies: [
                "Requests", "Store", "Sightings", benji("BenjiPage"), benji("BenjiPageHTML"), benji("BenjiProtocol"),
                hummingbird, hummingbirdCore, httpTypes, nioCore, nioHTTP1, nioHTTPTypes, nioHTTPTypesHTTP1, nioSSL,
                logging, metrics, mustache,
            ],
            resources: [
                .embedInCode("tokens.css"), .embedInCode("copy.js"),
                .embedInCode("Pages/Templates/document.mustache"), .embedInCode("Pages/Templates/notice.mustache"),
            ], swiftSettings: settings),
        // The messages between gateways and authority, and the gateway's side.
        .target(
            name: "Link",
            dependencies: [
                "Requests", "ServerHTTP", "Store", "Sightings", benji("BenjiProtocol"), crypto,
                asyncHTTPClient, hummingbird, httpTypes, nioCore, nioHTTP1, nioPosix, nioSSL, logging, metrics,
            ], swiftSettings: settings),
        .target(
            name: "Authority",
            dependencies: [
                "Requests", "AppAttest", "ShortMessages", "Store", "Sightings", benji("BenjiPolicy"),
                benji("BenjiProtocol"),
                crypto, cryptoExtras, logging,
            ],
            swiftSettings: settings),
        .target(
            name: "Callbacks",
            dependencies: [
                "Requests", "Authority", "Store", benji("BenjiProtocol"), crypto, nioCore, nioHTTP1,
                nioPosix, nioSSL, logging,
                metrics, lifecycle,
            ], swiftSettings: settings),
        .target(
            name: "OpenIDProvider",
            dependencies: [
                "Requests", "Authority", "Store", "Sightings", benji("BenjiPolicy"),
                benji("BenjiProtocol"), benji("BenjiPage"),
                crypto, cryptoExtras, logging, asn1, x509,
            ], swiftSettings: settings),
        .target(
            name: "Administration",
            dependencies: [
                "Requests", "Authority", "OpenIDProvider", "Store", "Sightings", benji("BenjiProtocol"),
                benji("BenjiFaceProtocol"), benji("BenjiPage"), benji("BenjiPageReports"), benji("BenjiPolicy"), crypto,
                cryptoExtras, logging,
            ] + face("FaceAccounts"), swiftSettings: settings),
        // Debian has OpenCV without a file for pkg-config. Optimised always: it works through every pixel.
        .target(
            name: "CFaceEngine",
            cxxSettings: [.define("NDEBUG"), .unsafeFlags(["-I/usr/include/opencv4", "-O2"])],
            linkerSettings: ["opencv_dnn", "opencv_imgproc", "opencv_core", "jpeg", "png16"].map {
                .linkedLibrary($0)
            }),
        .target(
            name: "FaceMatching",
            dependencies: ["CFaceEngine", benji("BenjiProtocol"), benji("BenjiFaceTexts"), crypto],
            swiftSettings: settings),
        .target(
            name: "FaceAccounts",
            dependencies: [
                "Requests", "Authority", "Store", "FaceMatching", "Sightings",
                benji("BenjiProtocol"), benji("BenjiFaceProtocol"),
                benji("BenjiFaceTexts"), crypto, logging,
            ], swiftSettings: settings),
        .target(
            name: "Endpoints",
            dependencies: [
                "Requests", "ServerHTTP", "Link", "Authority", "Catalogue", "OpenIDProvider", "Store", "Sightings",
                benji("BenjiPolicy"),
                benji("BenjiProtocol"), benji("BenjiFaceProtocol"), benji("CompatibilityCodes"),
                benji("BenjiPage"), benji("BenjiPageHTML"), hummingbird, httpTypes, nioCore, nioSSL, logging, metrics,
                crypto,
                cryptoExtras,
            ],
            resources: [
                .embedInCode("OpenID/Script/benji.js")
            ]
                + [
                    "mistake", "digits", "number", "code", "codes", "post", "consents",
                    "requests",
                    "own-log",
                ].map {
                    .embedInCode("OpenID/Pages/Templates/\($0).mustache")
                }, swiftSettings: settings),
        .target(
            name: "FaceEndpoints",
            dependencies: [
                "Requests", "ServerHTTP", "Authority", "Endpoints", "FaceAccounts", "FaceMatching", "Store",
                benji("BenjiProtocol"),
                benji("BenjiFaceProtocol"), benji("BenjiPage"),
                benji("BenjiFaceTexts"), hummingbird, httpTypes, nioCore,
                crypto,
            ],
            resources: ["account.js", "capture.js", "client.js", "face.css", "page.js", "page.mustache", "trial.js"].map
            {
                .embedInCode("Capture/Web/" + $0)
            }, swiftSettings: settings),
        .target(
            name: "AdministrationEndpoints",
            dependencies: [
                "Requests", "ServerHTTP", "Administration", "Store", benji("BenjiProtocol"),
                benji("BenjiFaceProtocol"), crypto, httpTypes, hummingbird, nioCore, nioSSL,
            ], swiftSettings: settings),
        .target(name: "PrometheusMetrics", dependencies: [coreMetrics], swiftSettings: settings),
        .target(
            name: "Sandbox",
            dependencies: [
                "Requests", "ServerHTTP", "AppAttest", "AppAttestModel", "RADIUS", "Authority", "Catalogue",
                "Endpoints", "OpenIDProvider",
                "ShortMessages", "Store", benji("Benji"), benji("BenjiClient"), benji("BenjiPage"),
                benji("BenjiProtocol"), benji("BenjiTransportCurl"), crypto, hummingbird, httpTypes, nioCore, nioHTTP1,
                nioPosix, logging, lifecycle,
            ], swiftSettings: settings),
        .target(name: "CPageDesigner"),
        // A page in the browser that designs login pages, for any server that mounts it.
        .target(
            name: "PageDesigner",
            dependencies: [
                "Requests", "ServerHTTP", "CPageDesigner", benji("BenjiPage"), hummingbird, httpTypes,
                lifecycle, logging, nioCore,
            ], exclude: ["Resources"], swiftSettings: settings),
        // The sandbox's page and its interface for scripts. Its files are small and go into the program itself.
        .target(
            name: "SandboxWeb",
            dependencies: [
                "Requests", "ServerHTTP", "Sandbox", "Authority", "Catalogue", "Endpoints", "OpenIDProvider",
                "PageDesigner", "RADIUS",
                benji("BenjiClient"),
                benji("BenjiPage"), benji("BenjiPageHTML"),
                benji("BenjiPolicy"), benji("BenjiProtocol"), hummingbird, httpTypes, lifecycle, logging, nioCore,
            ],
            resources: [
                .embedInCode("Resources/page.mustache"), .embedInCode("Resources/phone.mustache"),
                .embedInCode("Resources/timeline.mustache"), .embedInCode("Resources/messages.mustache"),
                .embedInCode("Resources/screen.mustache"), .embedInCode("Resources/wire.mustache"),
                .embedInCode("Resources/message.mustache"),
                .embedInCode("Resources/sandbox.css"), .embedInCode("Resources/screen.css"),
                .embedInCode("Resources/sandbox.js"),
            ], swiftSettings: settings),
        // Pages for developers and operators, over the orders of Administration.
        .target(
            name: "Console",
            dependencies: [
                "Requests", "ServerHTTP", "Administration", "Authority", "Catalogue", "Endpoints",
                "OpenIDProvider", "PageDesigner", "Store",
                benji("BenjiFaceProtocol"),
                benji("BenjiPage"), benji("BenjiPageHTML"), benji("BenjiPageReports"), benji("BenjiProtocol"), crypto,
                httpTypes, hummingbird, nioCore,
            ],
            resources: [
                "document", "sign-in", "invitation", "account", "apps", "app", "tabs", "field", "settings", "web-login",
                "callback", "team", "logins", "logins-tabs", "login-charts", "stage-cells", "login", "find-logins",
                "all-logins", "books", "people", "pages", "page", "audit", "problem",
                "second", "phone", "landed",
                "installation", "feeds", "sessions", "numbers", "policy", "keys",
            ].map { .embedInCode("Resources/\($0).mustache") }
                + [.embedInCode("Resources/console.css"), .embedInCode("Resources/console.js")],
            swiftSettings: settings),
        .target(name: "Processes", swiftSettings: settings),
        .target(
            name: "ServerRuntime",
            dependencies: [
                "Gateway", "Link", "Processes", "PrometheusMetrics", "RADIUS", "Requests", "ServerHTTP", "Sightings",
                "CMalloc", benji("BenjiPolicy"), benji("BenjiProtocol"), hummingbird, nioCore, nioSSL, logging, metrics,
                lifecycle, unixSignals, yams, argumentParser,
            ], swiftSettings: settings),
        .executableTarget(
            name: "BenjiGateway",
            dependencies: ["Requests", "ServerRuntime", benji("BenjiProtocol"), logging, argumentParser],
            swiftSettings: settings),
        .executableTarget(
            name: "BenjiCommand",
            dependencies: [
                "Requests", "ServerHTTP", "ServerRuntime", "Processes", "Link", "AppAttest", "AppAttestModel", "RADIUS",
                "Gateway", "Store", "StorePostgres", "StoreSQLite",
                "Authority", "Administration",
                "AdministrationEndpoints", "Callbacks", "Console", "Endpoints", "PageDesigner",
                "PKCS11", "PrometheusMetrics", "SMPP", "Sandbox", "SandboxWeb", "ShortMessageSending", "ShortMessages",
                "Load", "OpenIDProvider", "Catalogue",
                benji("BenjiClient"), "Sightings",
                benji("BenjiPolicy"), benji("BenjiProtocol"),
                benji("BenjiFaceProtocol"),
                benji("BenjiTransportCurl"),
                benji("BenjiPage"), benji("BenjiPageDesign"), benji("BenjiPageHTML"), benji("BenjiPageReports"),
                asyncHTTPClient, hummingbird,
                nioCore, nioPosix,
                nioHTTP1, nioSSL, logging, metrics, shop, lifecycle, unixSignals, argumentParser,
            ] + face("FaceAccounts", "FaceEndpoints", "FaceMatching"), swiftSettings: settings),
        // Programs and players beside the product: they put it to the test.
        .target(
            name: "Load",
            dependencies: [
                "RADIUS", "Endpoints", "Sandbox", benji("BenjiClient"), benji("BenjiProtocol"),
                crypto, nioCore,
                nioHTTP1, nioPosix,
            ], path: "Tools/Load", swiftSettings: settings),
        .executableTarget(
            name: "RedeemRace",
            dependencies: [
                "Store", "StoreSQLite", "Sightings", benji("BenjiProtocol"), grdb, atomics, logging, argumentParser,
            ],
            path: "Tools/RedeemRace", swiftSettings: settings),
        .executableTarget(
            name: "SendSMS",
            dependencies: [
                "SMPP", "ShortMessageSending", "ShortMessages", benji("BenjiProtocol"), asyncHTTPClient, nioSSL,
                logging,
                argumentParser,
            ],
            path: "Tools/SendSMS", swiftSettings: settings),
        // Optimised always: it works through every pixel.
        .target(
            name: "FacePuppet", dependencies: ["FaceMatching"], path: "Tools/FacePuppet",
            swiftSettings: settings + [.unsafeFlags(["-O"])]),
        .executableTarget(
            name: "FacePuppetCommand", dependencies: ["FacePuppet", "FaceMatching", argumentParser],
            path: "Tools/FacePuppetCommand", swiftSettings: settings),
        // Shared by the tests.
        .target(
            name: "StoreConformance", dependencies: ["Store", "Sightings", benji("BenjiProtocol")],
            path: "Tests/Support/StoreConformance", swiftSettings: settings),
        .testTarget(
            name: "ShopTests",
            // The program itself is built with the tests: Tests/System/dialects/test_shop.py runs it.
            dependencies: [
                shop, product("benji-shop", "benji-shop"), hummingbird, hummingbirdTesting,
                httpTypes, nioCore, jwtKit,
                crypto, logging,
            ],
            swiftSettings: settings),
        .target(
            name: "ServerTestKit",
            dependencies: [
                "Requests", "ServerHTTP", "AppAttest", "AppAttestModel", "Authority", "ShortMessages", "Store",
                "StoreSQLite",
                "Sightings", benji("BenjiPolicy"), benji("BenjiProtocol"), asn1, crypto, grdb, hummingbird,
                hummingbirdCore, httpTypes, logging, nioCore, nioEmbedded, nioSSL, x509,
            ], path: "Tests/Support/ServerTestKit", swiftSettings: settings),
        .testTarget(
            name: "AppAttestTests",
            dependencies: ["AppAttest", "AppAttestModel", benji("BenjiProtocol"), crypto],
            resources: [.embedInCode("Fixtures/apple-sample.base64"), .embedInCode("Fixtures/apple-root.pem")],
            swiftSettings: settings),
        .testTarget(name: "SMPPTests", dependencies: ["SMPP"], swiftSettings: settings),
        .testTarget(
            name: "ShortMessageSendingTests",
            dependencies: [
                "SMPP", "ShortMessageSending", "ShortMessages", benji("BenjiProtocol"), asyncHTTPClient,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "RADIUSTests", dependencies: ["RADIUS", benji("BenjiProtocol")], swiftSettings: settings
        ),
        .testTarget(
            name: "GatewayTests",
            dependencies: [
                "Gateway", "RADIUS", "ServerTestKit", "Sightings", benji("BenjiProtocol"),
                coreMetrics, crypto,
                lifecycle, logging, nioConcurrency, nioCore, nioEmbedded, nioSSL, nioTLS,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "CatalogueTests",
            dependencies: ["Catalogue", "Endpoints", benji("BenjiFaceProtocol"), benji("BenjiProtocol")],
            swiftSettings: settings),
        .testTarget(
            name: "StoreSQLiteTests",
            dependencies: [
                "StoreSQLite", "StoreRows", "StoreConformance", "ServerTestKit", "Store", "Processes",
                "Sightings",
                benji("BenjiProtocol"), grdb, logging,
            ],
            resources: [.embedInCode("flaws.sql")], swiftSettings: settings),
        .testTarget(
            name: "StorePostgresTests",
            dependencies: [
                "StorePostgres", "StoreSQLite", "StoreRows", "StoreConformance", "ServerTestKit",
                "Store", "Sightings",
                benji("BenjiProtocol"), grdb, logging,
            ], swiftSettings: settings),
        .testTarget(
            name: "PKCS11Tests", dependencies: ["PKCS11", "Authority", benji("BenjiProtocol")],
            swiftSettings: settings),
        .testTarget(
            name: "PrometheusMetricsTests", dependencies: ["PrometheusMetrics", coreMetrics], swiftSettings: settings),
        .testTarget(
            name: "AuthorityTests",
            dependencies: [
                "Requests", "AppAttest", "AppAttestModel", "Authority", "ServerTestKit",
                "ShortMessages", "Store", "StoreSQLite",
                "Sightings", benji("BenjiPolicy"), benji("BenjiProtocol"), crypto, grdb, logging,
            ], swiftSettings: settings),
        .testTarget(
            name: "CallbacksTests",
            dependencies: [
                "Callbacks", "Authority", "ServerTestKit", "Store", benji("BenjiProtocol"),
            ], swiftSettings: settings),
        .testTarget(
            name: "AdministrationTests",
            dependencies: [
                "Requests", "ServerHTTP", "Administration", "AdministrationEndpoints", "Authority", "ServerTestKit",
                "Sightings",
                "Store", "StoreSQLite", benji("BenjiPage"), benji("BenjiPolicy"), benji("BenjiProtocol"),
                benji("BenjiFaceProtocol"), crypto, cryptoExtras, grdb, httpTypes, hummingbird, logging, yams,
            ],
            resources: [.embedInCode("Interface/admin.yaml")], swiftSettings: settings),
        .testTarget(
            name: "ConsoleTests",
            dependencies: [
                "Requests", "ServerHTTP", "Console", "Administration", "Authority", "Endpoints",
                "ServerTestKit", "Sightings", "Store",
                "StoreSQLite", benji("BenjiFaceProtocol"), benji("BenjiPolicy"), benji("BenjiProtocol"), crypto,
                httpTypes,
                hummingbird,
            ], swiftSettings: settings),
        .testTarget(
            name: "OpenIDProviderTests", dependencies: ["Requests", "OpenIDProvider", benji("BenjiPage")],
            swiftSettings: settings),
        .testTarget(
            name: "FaceAccountsTests",
            dependencies: [
                "Requests", "FaceAccounts", "Authority", "FaceMatching", "ServerTestKit", "Store",
                "StoreSQLite",
                "Sightings", benji("BenjiProtocol"), benji("BenjiFaceProtocol"), crypto,
            ], swiftSettings: settings),
        .testTarget(
            name: "EndpointsTests",
            dependencies: [
                "Requests", "ServerHTTP", "Link", "Endpoints", "Authority", "Catalogue", "OpenIDProvider",
                "ServerTestKit", "ShortMessages", "Store",
                "StoreSQLite", "Sightings", benji("BenjiPolicy"), benji("BenjiProtocol"), benji("BenjiFaceProtocol"),
                benji("BenjiPage"), hummingbird, grdb,
                hummingbirdTesting, httpTypes, nioCore, nioEmbedded, nioHTTP1,
                nioHTTPTypes, nioSSL, logging, metrics, crypto, cryptoExtras, asn1, x509,
            ], swiftSettings: settings),
        // The vendors' SDKs against the endpoints that phones meet.
        .testTarget(
            name: "FacadeTests",
            dependencies: [
                "Requests", "ServerHTTP", "Authority", "Endpoints", "ServerTestKit", "Sightings", "Store",
                benji("Benji"), benji("BenjiClient"),
                benji("BenjiPage"), benji("BenjiPolicy"), benji("BenjiProtocol"), benji("GeYanSdk"),
                benji("OneLoginSDK"), benji("OneTapTesting"), benji("TYRZLogin"), benji("TYRZSDK"), httpTypes,
                hummingbird,
            ], swiftSettings: settings),
        .testTarget(
            name: "FaceEndpointsTests",
            dependencies: [
                "Requests", "ServerHTTP", "Link", "FaceEndpoints", "Endpoints", "Authority", "FaceAccounts",
                "FaceMatching", "ServerTestKit", "Sightings",
                "Store", benji("BenjiProtocol"), benji("BenjiFaceProtocol"), hummingbird, httpTypes,
            ], swiftSettings: settings),
        .testTarget(
            name: "PageDesignerTests",
            dependencies: ["ServerHTTP", "PageDesigner", benji("BenjiPage"), httpTypes, nioCore],
            swiftSettings: settings),
        .testTarget(
            name: "SandboxTests",
            dependencies: [
                "ServerHTTP", "Catalogue", "Endpoints", "OpenIDProvider", "Sandbox",
                "SandboxWeb", "ServerTestKit",
                "Store",
                benji("Benji"), benji("BenjiClient"), benji("BenjiPage"),
                "Sightings", benji("BenjiProtocol"), hummingbird, httpTypes,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "LoadTests", dependencies: ["Load", benji("BenjiProtocol")], swiftSettings: settings),
        .testTarget(
            name: "FaceMatchingTests",
            dependencies: ["FaceMatching", "FacePuppet", "ServerTestKit", benji("BenjiProtocol")],
            swiftSettings: settings),
        .testTarget(
            name: "JourneyTests",
            dependencies: [
                "Requests", "ServerHTTP", "ServerRuntime", "Processes", "BenjiCommand", "Administration",
                "OpenIDProvider", "Sandbox",
                "RADIUS", "Gateway", "Store",
                "StorePostgres", "StoreSQLite",
                "Authority", "Catalogue", "Endpoints", "PKCS11", "SMPP", "ServerTestKit", "ShortMessageSending",
                benji("BenjiClient"), benji("BenjiFaceProtocol"), benji("BenjiPage"), benji("BenjiPageReports"),
                benji("BenjiPolicy"), benji("BenjiProtocol"), logging, lifecycle, argumentParser,
            ] + face("FaceAccounts", "FaceMatching"), swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

// The benchmarks, only with BENJI_BENCHMARKS=1: neither the program nor its tests need them. They pin processes to
// cores and read /proc.
#if os(Linux)
if Context.environment["BENJI_BENCHMARKS"] == "1" {
    package.targets += [
        .target(name: "CBenchmarkSystem", path: "Benchmarks/CBenchmarkSystem"),
        .target(
            name: "CBenchmarkCurl", path: "Benchmarks/CBenchmarkCurl", linkerSettings: [.linkedLibrary("curl")]),
        .target(
            name: "BenchmarkSupport",
            dependencies: ["CBenchmarkSystem", "RADIUS", benji("BenjiProtocol"), argumentParser],
            path: "Benchmarks/BenchmarkSupport",
            swiftSettings: settings),
        .target(
            name: "BenchmarkPhones",
            dependencies: [
                "BenchmarkSupport", "Endpoints", "Sandbox", benji("BenjiClient"), benji("BenjiProtocol"),
                benji("BenjiTransportCurl"),
            ], path: "Benchmarks/BenchmarkPhones", swiftSettings: settings),
        .executableTarget(
            name: "ClusterBenchmark",
            dependencies: [
                "BenchmarkPhones", "BenchmarkSupport", "RADIUS", benji("BenjiProtocol"), argumentParser,
            ], path: "Benchmarks/ClusterBenchmark", swiftSettings: settings),
        .executableTarget(
            name: "DirectoryBenchmark",
            dependencies: [
                "BenchmarkSupport", "Gateway", "RADIUS", "Sightings", benji("BenjiProtocol"), nioConcurrency, logging,
                argumentParser,
            ], path: "Benchmarks/DirectoryBenchmark", swiftSettings: settings),
        .executableTarget(
            name: "AccountingBenchmark",
            dependencies: [
                "BenchmarkSupport", "RADIUS", "Sandbox", benji("BenjiClient"), benji("BenjiProtocol"),
                benji("BenjiTransportCurl"), argumentParser,
            ], path: "Benchmarks/AccountingBenchmark", swiftSettings: settings),
        .executableTarget(
            name: "FaceBenchmark",
            dependencies: [
                "Requests", "BenchmarkSupport", "Authority", "FaceAccounts", "FaceMatching", "FacePuppet",
                "ServerTestKit", "Store",
                "StoreSQLite", benji("BenjiFaceProtocol"), "Sightings", benji("BenjiProtocol"), crypto, logging,
                argumentParser,
            ], path: "Benchmarks/FaceBenchmark", swiftSettings: settings),
        .executableTarget(
            name: "LoginBenchmark",
            dependencies: [
                "AppAttestModel", "BenchmarkSupport", "CBenchmarkCurl", "RADIUS", "Sandbox",
                benji("BenjiClient"),
                benji("BenjiProtocol"), benji("BenjiTransportCurl"), crypto, argumentParser,
            ], path: "Benchmarks/LoginBenchmark", swiftSettings: settings),
        .executableTarget(
            name: "PageBenchmark",
            dependencies: ["BenchmarkSupport", benji("BenjiPage"), benji("BenjiPageHTML"), argumentParser],
            path: "Benchmarks/PageBenchmark", swiftSettings: settings),
        .executableTarget(
            name: "PrefetchBenchmark",
            dependencies: [
                "BenchmarkSupport", "RADIUS", "Sandbox", benji("BenjiClient"), benji("BenjiProtocol"),
                benji("BenjiTransportCurl"), argumentParser,
            ], path: "Benchmarks/PrefetchBenchmark", swiftSettings: settings),
        .executableTarget(
            name: "RedeemBenchmark",
            dependencies: [
                "BenchmarkSupport", "Authority", "Endpoints", "Store", "StoreSQLite", "Sightings",
                benji("BenjiProtocol"),
                crypto,
                sqlite,
                logging, argumentParser,
            ], path: "Benchmarks/RedeemBenchmark", resources: [.copy("redeem.lua"), .copy("redis.lua")],
            swiftSettings: settings),
        .executableTarget(
            name: "RequestCosts",
            dependencies: [
                "ServerHTTP", "AppAttest", "AppAttestModel", "BenchmarkSupport", "CBenchmarkSystem", "Authority",
                "Endpoints",
                "Gateway",
                "RADIUS", "ServerTestKit", "Sightings", "Store", benji("BenjiProtocol"), hummingbird, httpTypes,
                logging,
                argumentParser,
            ], path: "Benchmarks/RequestCosts", exclude: ["instructions.tsv"], swiftSettings: settings),
        .testTarget(name: "BenchmarkSupportTests", dependencies: ["BenchmarkSupport"], swiftSettings: settings),
    ]
}
#endif
