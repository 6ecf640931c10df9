import BenjiFaceProtocol
import BenjiProtocol
import Testing

@Suite("Frames on the wire") struct FaceFramesTests {
    private let bytes = FaceSamples.frames.bytes

    @Test("They survive their bytes, and none at all does too")
    func roundTrip() throws {
        #expect(try FaceFramesRequest(bytes) == FaceSamples.frames)
        var none = FaceSamples.frames
        none.frames = []
        #expect(try FaceFramesRequest(none.bytes) == none)
    }

    @Test("A body that is cut off anywhere, or goes on, is refused")
    func cut() {
        for count in 0..<bytes.count {
            #expect(throws: JSONError.self, "\(count)") { try FaceFramesRequest(Array(bytes[..<count])) }
        }
        #expect(throws: JSONError.self) { try FaceFramesRequest(bytes + [0]) }
    }

    @Test(
        "A head that lies about lengths is refused",
        arguments: [[0xff, 0xff, 0xff, 0xff], [0, 0, 0x40, 1], [0, 0, 0, 0]])
    func lengths(head: [UInt8]) {
        #expect(throws: JSONError.self) { try FaceFramesRequest(head + bytes.dropFirst(4)) }
    }

    @Test("Frames go forward in time and there are not too many")
    func order() {
        var frames = FaceSamples.frames
        frames.frames[1].milliseconds = 0
        #expect(throws: JSONError.self) { try FaceFramesRequest(frames.bytes) }
        frames.frames = (0...Int64(FaceFramesRequest.maximumCount)).map { .init(milliseconds: $0, picture: [1]) }
        #expect(throws: JSONError.self) { try FaceFramesRequest(frames.bytes) }
        frames.frames.removeLast()
        #expect(throws: Never.self) { try FaceFramesRequest(frames.bytes) }
    }

    @Test(
        "No frame is taken after one of the last millisecond, whatever its time",
        arguments: [0, 3_600_000, 3_600_001, .max])
    func lastMillisecond(next: Int64) throws {
        var frames = FaceSamples.frames
        frames.frames = [.init(milliseconds: 3_600_000, picture: [1])]
        #expect(try FaceFramesRequest(frames.bytes) == frames)
        frames.frames.append(.init(milliseconds: next, picture: [1]))
        #expect(throws: JSONError.self) { try FaceFramesRequest(frames.bytes) }
    }
}
