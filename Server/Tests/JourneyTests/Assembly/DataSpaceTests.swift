import Foundation
import Testing

@testable import BenjiCommand
@testable import ServerRuntime

@Suite("The room for data")
struct DataSpaceTests {
    @Test("The room is that of the folder's disk, and unknown for a folder that is not there")
    func room() throws {
        let folder = NSTemporaryDirectory()
        let free = try #require(DataSpace(path: folder).free)
        let attributes = try FileManager.default.attributesOfFileSystem(forPath: folder)
        let size = try #require(attributes[.systemSize] as? NSNumber).uint64Value
        #expect(free > 0 && free <= size)
        #expect(DataSpace(path: "/nowhere/at/all").free == nil)
    }
}
