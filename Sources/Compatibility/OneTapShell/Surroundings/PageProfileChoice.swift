package import Foundation

/// Which rules an app asks for, for the page that a facade draws, without a line of code.
package enum PageProfileChoice {
    /// The key of `Info.plist`, beside ``BenjiServer/infoKey``.
    package static let infoKey = "BenjiPageProfile"

    /// What is written there, whatever it is; `nil` when nothing is.
    package static func written(in bundle: Bundle = .main) -> String? {
        bundle.object(forInfoDictionaryKey: infoKey).map { "\($0)" }
    }
}
