#if canImport(UIKit)
import BenjiFaceProtocol
import BenjiProtocol
import Testing

@testable import BenjiFace

@MainActor @Suite struct FaceReelTests {
    private func frame(_ milliseconds: Int64) -> FaceFrame { FaceFrame(milliseconds: milliseconds, picture: [0xFF]) }

    @Test("A picture that was on its way when the next challenge began is not handed over with that one's")
    func late() async {
        let reel = FaceReel()
        reel.begin(1)
        reel.add(frame(0), of: 1)
        reel.begin(2)
        reel.add(frame(4000), of: 1)
        reel.add(frame(0), of: 2)
        reel.add(frame(125), of: 2)
        #expect(await reel.next(atMost: 8)?.map(\.milliseconds) == [0, 125])
        reel.close()
        #expect(await reel.next(atMost: 8) == nil)
    }
}
#endif
