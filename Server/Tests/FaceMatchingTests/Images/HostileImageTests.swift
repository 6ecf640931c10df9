import FaceMatching
import Testing

/// Pictures that an attacker may send, and the resulting code. Time and memory are measured in
/// Tests/System/pages/test_face.py, where each picture has a process of its own.
@Suite struct HostileImageTests {
    func code(_ bytes: [UInt8]) -> FaceError.Code? {
        do throws(FaceError) {
            _ = try FaceImage(bytes)
            return nil
        } catch {
            return error.code
        }
    }

    private let small = PNGFile(Pixels(64, 64))

    @Test func `No bytes are an empty image`() { #expect(code([]) == .imageEmpty) }

    @Test func `More than sixteen mebibytes are refused, whatever they are`() throws {
        let bytes = [UInt8](repeating: 0xff, count: 16 << 20) + [0]
        #expect(code(bytes) == .imageTooManyBytes)
        #expect(code(Array(bytes.dropLast())) == .imageUnknownFormat)
    }

    @Test(arguments: [
        "GIF89a", "RIFF\0\0\0\0WEBPVP8 ", "BM", "II*\0", "<svg xmlns='", "%PDF-1.7", "\0\0\0\u{18}ftypheic",
    ])
    func `Anything but JPEG and PNG is refused by its first bytes`(magic: String) {
        #expect(code(Array(magic.utf8) + [UInt8](repeating: 0, count: 1000)) == .imageUnknownFormat)
    }

    @Test func `A PNG of any size is refused from its header before a row is read`() {
        for (width, height) in [(50_000, 50_000), (5001, 5000), (0x7fff_ffff, 0x7fff_ffff), (0xffff_ffff, 0xffff_ffff)]
        {
            let bytes = PNGFile(width: UInt32(width), height: UInt32(height), rows: []).bytes
            #expect(code(bytes) == .imageTooManyPixels, "\(width) × \(height)")
        }
    }

    @Test(arguments: [(0, 0), (0, 100), (100, 0), (1, 1), (63, 100)])
    func `A PNG with too short a side is refused`(width: Int, height: Int) {
        #expect(code(PNGFile(Pixels(width, height)).bytes) == .imageTooSmall)
    }

    @Test func `A strip that reducing would leave nothing of is refused`() {
        #expect(code(PNGFile(width: 300_000, height: 80, rows: []).bytes) == .imageTooSmall)
    }

    @Test func `A PNG that is cut off anywhere is damaged`() {
        let bytes = small.bytes
        for count in [8, 9, 20, 33, 40, bytes.count / 2, bytes.count - 13, bytes.count - 1] {
            #expect(code(Array(bytes.prefix(count))) == .imageDamaged, "\(count) of \(bytes.count)")
        }
    }

    @Test func `A PNG with fewer rows than it announces is damaged`() {
        var file = small
        file.rows.removeLast(64 * 3 + 1)
        #expect(code(file.bytes) == .imageDamaged)
    }

    @Test func `A flipped bit in a PNG is damage`() {
        var bytes = small.bytes
        bytes[bytes.count / 2] ^= 1
        #expect(code(bytes) == .imageDamaged)
    }

    @Test func `A chunk that claims four gigabytes is damage`() {
        #expect(code(Array(small.bytes.prefix(33)) + [0xff, 0xff, 0xff, 0xff] + Array("IDAT".utf8)) == .imageDamaged)
    }

    @Test func `A JPEG of sixty-five scans is refused`() {
        #expect(code(JPEGFile.grey(scans: 65)) == .imageTooManyScans)
    }

    @Test func `A JPEG of ten thousand scans is refused like one of sixty-five`() {
        #expect(code(JPEGFile.grey(scans: 10_000)) == .imageTooManyScans)
    }

    @Test func `A JPEG of four colours is refused, one of three is not`() {
        #expect(code(JPEGFile.grey(colors: 4)) == .imageUnsupported)
        #expect(code(JPEGFile.grey(colors: 3)) == nil)
    }

    @Test func `A PNG of sixteen bits is refused`() {
        var file = PNGFile(width: 64, height: 64, rows: [UInt8](repeating: 0, count: 64 * (64 * 6 + 1)))
        file.depth = 16
        #expect(code(file.bytes) == .imageUnsupported)
    }

    @Test func `An animated PNG is refused`() {
        var file = small
        file.chunks = [("acTL", PNGFile.word(2) + PNGFile.word(0))]
        #expect(code(file.bytes) == .imageUnsupported)
    }

    @Test func `An interlaced PNG is refused`() {
        var file = small
        file.isInterlaced = true
        #expect(code(file.bytes) == .imageUnsupported)
    }

    @Test func `A text of a PNG is not unpacked`() {
        var file = small
        // Compressed nonsense: a reader that unpacked it would complain.
        file.chunks = [("zTXt", Array("Comment\0\0".utf8) + [UInt8](repeating: 0xff, count: 1000))]
        #expect(code(file.bytes) == nil)
    }

    @Test func `A palette without colours is damage`() {
        var file = PNGFile(width: 64, height: 64, rows: [UInt8](repeating: 9, count: 64 * 65))
        file.color = 3
        #expect(code(file.bytes) == .imageDamaged)
    }
}
