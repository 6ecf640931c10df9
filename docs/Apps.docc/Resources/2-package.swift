// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "FirstLogin", platforms: [.iOS(.v16), .macOS(.v13)],
    dependencies: [.package(path: "../benji")],
    targets: [
        .testTarget(
            name: "FirstLoginTests",
            dependencies: [
                .product(name: "Benji", package: "benji"), .product(name: "BenjiTesting", package: "benji"),
            ])
    ])
