#if Face
import Requests
import ServerRuntime
import ArgumentParser
import Authority
import FaceMatching

/// Where the thresholds are from by which a command judges.
struct FacePolicyOption: ParsableArguments {
    @Option(
        name: .customLong("policy"),
        help: "A file with other thresholds, as face.policy names it.")
    var path: String?

    /// For a person.
    var name: String { path?.printable ?? "the defaults" }

    /// - Throws: an error that describes the file's fault.
    func policy() throws -> FacePolicy { try path.map(ServerConfiguration.facePolicy) ?? .standard }
}

/// Where the models are.
struct FaceOptions: ParsableArguments {
    @Option(help: "The folder of the models (default: models in the folder that BENJI_FACE names, or in .face).")
    var models: String?

    /// - Throws: ``CommandFailure`` that names the missing part and the remedy.
    func analyzer(policy: FacePolicy = .standard, engines: Int = 1) async throws -> LocalFaceAnalyzer {
        let folder = models.map { FaceModelFolder($0) } ?? FaceFolder.models()
        do {
            return try await LocalFaceAnalyzer(models: folder, policy: policy, engines: engines)
        } catch {
            throw CommandFailure("face matching is not available here: \(error.detail)")
        }
    }

    /// A picture; of one that is too large no more than shows that.
    static func read(_ path: String) throws -> [UInt8] {
        try CommandFile.read(path, upTo: FacePolicy.standard.limits.bytes)
    }
}
#endif
