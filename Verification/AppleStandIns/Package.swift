// swift-tools-version: 6.2
// Stand-ins for Apple's frameworks, so that code for them runs in tests on Linux. No product of Benji ever depends on
// them: the root manifest asks for this package only while BENJI_APPLE_STANDINS=1.
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

// The modules, and their imports of each other.
let modules: [(name: String, needs: [String])] = [
    ("UIKit", []), ("CoreMedia", []), ("CoreImage", ["CoreMedia"]), ("AVFoundation", ["CoreMedia", "UIKit"]),
    ("WebKit", ["UIKit"]), ("ImageIO", ["UIKit"]), ("SwiftUI", ["UIKit"]),
    ("Security", []), ("CoreTelephony", []), ("DeviceCheck", []), ("Network", ["Security"]), ("_Testing_UIKit", []),
]

let package = Package(
    name: "AppleStandIns",
    products: modules.map { .library(name: $0.name, targets: [$0.name]) },
    targets: modules.map {
        .target(name: $0.name, dependencies: $0.needs.map { .byName(name: $0) }, swiftSettings: settings)
    },
    swiftLanguageModes: [.v6]
)
