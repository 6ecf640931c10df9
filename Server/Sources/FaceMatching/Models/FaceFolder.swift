import Foundation

/// Where models and test portraits are: `.face`, or what `BENJI_FACE` names. `scripts/face/place.py` says the same.
package enum FaceFolder {
    /// - Parameters:
    ///   - base: where `.face` is looked for; the working directory if it is empty.
    ///   - environment: the process's own if `nil`.
    package static func folder(
        in base: String = "", environment: [String: String]? = nil
    ) -> String {
        // An empty variable is one that is not set.
        if let named = (environment ?? ProcessInfo.processInfo.environment)["BENJI_FACE"], !named.isEmpty {
            return named
        }
        return base.isEmpty ? ".face" : "\(base)/.face"
    }

    /// The models' folder inside it.
    package static func models(
        environment: [String: String]? = nil
    ) -> FaceModelFolder { FaceModelFolder(folder(environment: environment) + "/models") }
}
