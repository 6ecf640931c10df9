import CFaceEngine
import Crypto
import Foundation

/// A folder with the models. Each new engine reads them and compares them with their digests, so that an altered model
/// is not loaded.
package struct FaceModelFolder: Hashable, Sendable {
    package var path: String

    package init(_ path: String) { self.path = path }

    /// The problem with the folder, a sentence for the administrator. `nil` if every model is present and correct.
    package var problem: String? {
        do throws(FaceError) { _ = try read() } catch { return error.detail }
        return nil
    }

    func read() throws(FaceError) -> [FaceModel: Data] {
        var files: [FaceModel: Data] = [:]
        for model in FaceModel.allCases {
            let file = path + "/" + model.fileName
            guard let bytes = FileManager.default.contents(atPath: file) else {
                throw FaceError(.unavailable, "there is no model \(file); run: make face-models")
            }
            let digest = SHA256.hash(data: bytes).map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
            guard digest == model.digest else {
                throw FaceError(.unavailable, "\(file) is not the model that it should be; run: make face-models")
            }
            files[model] = bytes
        }
        return files
    }
}

extension [FaceModel: Data] {
    /// Gives the models to a function of the engine.
    func withModels<Result>(_ body: (inout face_models) -> Result) -> Result {
        func model(_ model: FaceModel) -> NSData { (self[model] ?? Data()) as NSData }
        let kept = FaceModel.allCases.map(model)
        return withExtendedLifetime(kept) {
            func bytes(_ model: FaceModel) -> face_model {
                let data = kept[FaceModel.allCases.firstIndex(of: model) ?? 0]
                return face_model(bytes: data.bytes.assumingMemoryBound(to: UInt8.self), count: data.length)
            }
            var models = face_models(
                detector: bytes(.detector), embedding: bytes(.embedding), age: bytes(.age), gender: bytes(.gender),
                expression: bytes(.expression), liveness_near: bytes(.livenessNear),
                liveness_wide: bytes(.livenessWide), mesh: bytes(.mesh), eyes: bytes(.eyes))
            return body(&models)
        }
    }
}
