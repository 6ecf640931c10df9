import Foundation

// What the Swift package manager writes for a target that has resources: where these are in an app that has Benji by CocoaPods.
extension Foundation.Bundle {
    /// The framework of this pod; the app itself where pods are linked statically.
    static let module = Bundle(for: Place.self)

    private final class Place {}
}
