import Foundation

// Replaces the accessor that SwiftPM generates for a target with resources, in apps that have Benji by CocoaPods.
extension Foundation.Bundle {
    /// The framework of this pod; the app itself where pods are linked statically.
    static let module = Bundle(for: Place.self)

    private final class Place {}
}
