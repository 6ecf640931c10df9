import FaceMatching
import Foundation

/// Real faces, which `make face-models ARGS=--portraits` fetches; they are not part of the repository.
enum Portrait: String, CaseIterable {
    case astronaut = "astronaut.png"
    case president1 = "president-1.jpg"
    case president2 = "president-2.jpg"
    case president3 = "president-3.jpg"
    case partial1 = "president-partial-1.jpg"
    case partial2 = "president-partial-2.jpg"
    case vicePresident = "vice-president.jpg"

    var bytes: [UInt8] {
        get throws {
            let path = Face.folder + "/portraits/" + rawValue
            guard let bytes = FileManager.default.contents(atPath: path) else {
                throw Missing(description: "there is no \(path); run: make face-models ARGS=--portraits")
            }
            return Array(bytes)
        }
    }

    var pixels: Pixels {
        get throws {
            let image = try FaceImage(try bytes)
            return Pixels(width: image.keptWidth, height: image.keptHeight, bytes: image.pixels)
        }
    }
}

/// A missing requirement of the tests; it fails them.
struct Missing: Error, CustomStringConvertible { var description: String }

enum Face {
    static let folder = FaceFolder.folder(in: repository.path)

    static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static let models = FaceModelFolder(folder + "/models")

    private static let shared = Task { () throws(FaceError) in
        try await LocalFaceAnalyzer(models: models, engines: 2)
    }

    /// One pool for all tests, so that the models are loaded once.
    static var analyzer: LocalFaceAnalyzer {
        get async throws { try await shared.value }
    }

    static func observe(_ pixels: Pixels, _ measures: FaceMeasures = []) async throws -> FaceObservation {
        try await analyzer.observe(PNGFile(pixels).bytes, measuring: measures)
    }
}
