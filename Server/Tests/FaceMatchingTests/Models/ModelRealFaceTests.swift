import FaceMatching
import Foundation
import Testing

/// Models as they were fetched.
@Suite struct ModelRealFaceTests {
    @Test func `A folder with all models has no problem`() {
        #expect(Face.models.problem == nil)
    }

    @Test(arguments: FaceModel.allCases) func `A model that was altered by one byte is not loaded`(model: FaceModel)
        throws
    {
        let copy = FileManager.default.temporaryDirectory.appendingPathComponent("models-\(UUID())")
        try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: copy) }
        for one in FaceModel.allCases where one != model {
            try FileManager.default.createSymbolicLink(
                atPath: copy.appendingPathComponent(one.fileName).path,
                withDestinationPath: Face.models.path + "/" + one.fileName)
        }
        var bytes = try Data(contentsOf: URL(fileURLWithPath: Face.models.path + "/" + model.fileName))
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: copy.appendingPathComponent(model.fileName))
        #expect(FaceModelFolder(copy.path).problem?.contains(model.fileName) == true)
    }
}
