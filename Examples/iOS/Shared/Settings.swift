import Foundation

/// The app that is registered, and where the gateway is: build settings that `Info.plist` carries.
/// `generate.py --sandbox` writes those of a sandbox.
enum Settings {
    static let server = text("BenjiServer")
    static let appID = text("ExampleAppID")
    static let appKey = text("ExampleAppKey")

    private static func text(_ key: String) -> String { Bundle.main.object(forInfoDictionaryKey: key) as? String ?? "" }
}
