package import Foundation

/// Which rules an app asks for, for the page that a facade draws, without a line of code.
package enum PageProfileChoice {
    /// The key of `Info.plist`, beside ``BenjiServer/infoKey``.
    package static let infoKey = "BenjiPageProfile"

    /// The value that is written there, unchecked; `nil` when there is none.
    package static func written(in bundle: Bundle = .main) -> String? {
        bundle.object(forInfoDictionaryKey: infoKey).map { "\($0)" }
    }
}
