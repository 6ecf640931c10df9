import FaceMatching
import Testing

/// The decoding of pictures, and their orientation.
@Suite struct FaceImageTests {
    /// Every pixel has a colour of its own.
    private let picture = Pixels(80, 66) { (UInt8($0 * 3), UInt8($1 * 3), UInt8(($0 + $1) % 256)) }

    func decode(_ bytes: [UInt8], _ limits: FaceImageLimits = FaceImageLimits()) throws -> Pixels {
        let image = try FaceImage(bytes, limits: limits)
        return Pixels(width: image.keptWidth, height: image.keptHeight, bytes: image.pixels)
    }

    @Test func `A PNG is read pixel by pixel`() throws {
        #expect(try decode(PNGFile(picture).bytes) == picture)
    }

    @Test(arguments: 1...8) func `Every EXIF orientation of a PNG is undone`(orientation: Int) throws {
        var file = PNGFile(picture.stored(for: orientation))
        file.chunks = [("eXIf", JPEGFile.exif(UInt8(orientation)))]
        #expect(try decode(file.bytes) == picture)
    }

    @Test(arguments: [0, 9, 255]) func `An orientation that does not exist changes nothing`(value: Int) throws {
        var file = PNGFile(picture)
        file.chunks = [("eXIf", JPEGFile.exif(UInt8(value)))]
        #expect(try decode(file.bytes) == picture)
    }

    @Test func `A broken EXIF structure changes nothing, however it is cut`() throws {
        let exif = JPEGFile.exif(6)
        for count in 0..<exif.count - 6 {
            var file = PNGFile(picture)
            file.chunks = [("eXIf", Array(exif.prefix(count)))]
            #expect(try decode(file.bytes) == picture, "\(count) bytes")
        }
        var file = PNGFile(picture)
        // A directory far behind the end.
        file.chunks = [("eXIf", Array("II*\0".utf8) + [0xff, 0xff, 0xff, 0xff])]
        #expect(try decode(file.bytes) == picture)
    }

    @Test func `What shows through a PNG is white`() throws {
        var file = PNGFile(width: 64, height: 64, rows: [])
        file.color = 6
        for _ in 0..<64 { file.rows += [0] + (0..<64).flatMap { _ in [200, 10, 10, 0] as [UInt8] } }
        #expect(try decode(file.bytes) == Pixels(64, 64) { _, _ in (255, 255, 255) })
    }

    @Test func `A large picture is reduced while it is read, to means, and its size is told as it was sent`() throws {
        var limits = FaceImageLimits()
        limits.keptSide = 40
        limits.shortestSide = 16
        let image = try FaceImage(PNGFile(picture).bytes, limits: limits)
        #expect((image.width, image.height) == (80, 66))
        #expect((image.keptWidth, image.keptHeight) == (40, 33))
        let mean = (0...1).flatMap { y in (0...1).map { x in Int(picture.bytes[(y * 80 + x) * 3]) } }.reduce(2, +) / 4
        #expect(Int(image.pixels[0]) == mean)
    }

    @Test func `A JPEG of sixty-four scans is read`() throws {
        #expect(try decode(JPEGFile.grey(scans: 64)) == Pixels(64, 64))
    }
}
