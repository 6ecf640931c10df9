import FaceMatching
import Foundation
import Testing

/// Models are those that were looked at, or face matching says that it is not available.
@Suite struct FaceModelTests {
    @Test func `The server expects the models that the script makes`() throws {
        let table = Face.repository.appendingPathComponent("scripts/face/models.json")
        let json = try JSONSerialization.jsonObject(with: try Data(contentsOf: table)) as? [String: Any]
        let entries = json?["models"] as? [[String: String]] ?? []
        let made = Dictionary(uniqueKeysWithValues: entries.map { ($0["name"] ?? "", $0["converted"] ?? "") })
        #expect(made == Dictionary(uniqueKeysWithValues: FaceModel.allCases.map { ($0.fileName, $0.digest) }))
    }

    @Test func `Without models face matching is unavailable and says what to do`() async {
        let folder = FaceModelFolder("/nonexistent")
        #expect(folder.problem?.contains("make face-models") == true)
        await #expect(throws: FaceError(.unavailable, "")) {
            _ = try await LocalFaceAnalyzer(models: folder, engines: 1)
        }
        let none = UnavailableFaceAnalyzer("no models")
        #expect(none.unavailability == "no models")
        await #expect(throws: FaceError(.unavailable, "")) { _ = try await none.observe([], measuring: .all) }
    }
}
