import FaceMatching
import Testing

@Suite struct FaceFlawTests {
    @Test func `Each part has words of its own, in three languages`() {
        let flaws: [FaceFlaw] = [.mouthCovered, .eyesCovered, .half, .unclear]
        #expect(FaceFlaw.allCases.filter(\.hides) == flaws && Set(flaws.map(\.sentence)).count == flaws.count)
        let hints: [FaceHint] = [.noFace, .outside, .severalFaces, .pictureTurned]
        #expect(Set(hints.map(\.sentence)).count == hints.count)
    }
}
