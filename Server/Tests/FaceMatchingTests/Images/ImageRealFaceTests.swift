import FaceMatching
import Testing

/// JPEG files as cameras write them.
@Suite struct ImageRealFaceTests {
    @Test(arguments: 1...8) func `Every EXIF orientation of a JPEG is undone`(orientation: Int) throws {
        let upright = try FaceImageTests().decode(try Portrait.president1.bytes)
        let turned = try FaceImageTests().decode(JPEGFile.oriented(try Portrait.president1.bytes, UInt8(orientation)))
        #expect(turned.stored(for: orientation) == upright)
    }

    @Test func `A JPEG of any size is refused from its header before a row is read`() throws {
        let bytes = JPEGFile.reframed(try Portrait.president1.bytes) {
            $0.replaceSubrange(1..<5, with: [0xff, 0xdc, 0xff, 0xdc])
        }
        #expect(HostileImageTests().code(bytes) == .imageTooManyPixels)
    }

    @Test func `A JPEG without height is damaged`() throws {
        let bytes = JPEGFile.reframed(try Portrait.president1.bytes) { $0.replaceSubrange(1..<3, with: [0, 0]) }
        #expect(HostileImageTests().code(bytes) == .imageDamaged)
    }

    @Test func `A JPEG that is cut off anywhere is damaged`() throws {
        let bytes = try Portrait.president1.bytes
        for count in [3, 4, 20, 1000, bytes.count / 2, bytes.count - 2] {
            #expect(HostileImageTests().code(Array(bytes.prefix(count))) == .imageDamaged, "\(count) of \(bytes.count)")
        }
    }
}
