import Foundation
import Testing

@testable import Catalogue

@Suite("Files of the catalogue in the program")
struct TableFileTests {
    @Test("Every file of Tables/ is in the program, as it is")
    func embedded() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/Catalogue/Tables").standardized
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names == TableFile.all.map { $0.name + ".tsv" }.sorted())
        for file in TableFile.all {
            let bytes = try Data(contentsOf: folder.appending(path: file.name + ".tsv"))
            #expect(file.bytes == Array(bytes), "\(file.name)")
        }
    }

    @Test("What is in the program has no mistake")
    func sound() throws {
        #expect(try TableReader.read(TableFile.all).count == TableFile.all.count)
    }
}
