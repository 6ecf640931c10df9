import BenjiPage
import Foundation
import Testing

@testable import OneTapPageTypes

@Suite struct VendorImagesTests {
    /// Width and height that a PNG states.
    private func size(_ file: URL) throws -> [Int] {
        let bytes = [UInt8](try Data(contentsOf: file))
        try #require(bytes.starts(with: [0x89, 0x50, 0x4e, 0x47]) && bytes.count > 24, "\(file) is no PNG")
        return [16, 20].map { start in bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
    }

    @Test("Every image has its documented name and, at both scales, the size that its name says")
    func files() throws {
        for images in [VendorImages.geYan, .oneLogin] {
            let folder = try #require(images.folders.last, "\(images.bundle) is not in the package")
            for image in images.all {
                for scale in [2, 3] {
                    let file = folder.appendingPathComponent("\(images.file(of: image))@\(scale)x.png")
                    #expect(try size(file) == [Int(image.size.width) * scale, Int(image.size.height) * scale])
                }
            }
        }
    }

    @Test("The names are those of GeYan's document")
    func names() {
        let names = VendorImages.geYan.all.map { VendorImages.geYan.file(of: $0) }
        #expect(names == ["back_13x21_", "close_icon_11x10_", "logo_80x80_", "check_12x12_", "uncheck_12x12_"])
        #expect(VendorImages.geYan.bundle == "TYRZResource.bundle")
        #expect(VendorImages.oneLogin.bundle == "OneLoginResource.bundle")
    }
}
