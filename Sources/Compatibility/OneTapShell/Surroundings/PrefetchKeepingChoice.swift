package import Foundation

/// Whether an app wants a prefetch to be kept from its start on, without a line of code.
package enum PrefetchKeepingChoice {
    /// The key of `Info.plist`, beside ``BenjiServer/infoKey``.
    package static let infoKey = "BenjiKeepsPrefetch"

    /// Whether YES is written there.
    package static func written(in bundle: Bundle = .main) -> Bool {
        bundle.object(forInfoDictionaryKey: infoKey) as? Bool ?? false
    }
}
