internal import ArgumentParser
internal import FaceMatching
internal import Foundation

/// Where the models are.
struct FaceOptions: ParsableArguments {
    @Option(help: "The folder of the models (default: models in the folder that BENJI_FACE names, or in .face).")
    var models: String?

    /// - Throws: ``CommandFailure`` that says what is missing and what to do.
    func analyzer(engines: Int = 1) async throws -> LocalFaceAnalyzer {
        let base = ProcessInfo.processInfo.environment["BENJI_FACE"] ?? ".face"
        let folder = FaceModelFolder(models ?? base + "/models")
        do {
            return try await LocalFaceAnalyzer(models: folder, engines: engines)
        } catch {
            throw CommandFailure("face matching is not available here: \(error.detail)")
        }
    }

    static func read(_ path: String) throws -> [UInt8] {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw CommandFailure("\(path) cannot be read")
        }
        return Array(bytes)
    }
}
