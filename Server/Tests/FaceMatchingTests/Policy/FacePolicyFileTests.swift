import BenjiProtocol
import Testing

@testable import FaceMatching

/// Thresholds as an operator writes them.
@Suite struct FacePolicyFileTests {
    private func policy(_ text: String) throws -> FacePolicy { try FacePolicy(try JSON(parsing: Array(text.utf8))) }

    @Test func `An empty file keeps every figure`() throws {
        #expect(try policy("{}") == .standard)
    }

    @Test func `How sure it must be that something covers a face is the operator's to say`() throws {
        let strict = try policy(#"{"covered": 0.2, "bystander": 0.3}"#)
        #expect(strict.quality.covered == 0.2 && strict.bystander == 0.3)
        #expect(throws: JSONError.self) { try policy(#"{"covered": 1.5}"#) }
    }

    @Test func `A challenge asks only for the gestures that are named`() throws {
        let among = try policy(#"{"challenge": {"among": ["turnLeft", "turnRight", "blink"]}}"#).challenge.among
        #expect(among == [.turnLeft, .turnRight, .blink])
        let drawn = (0..<200).flatMap { _ in FaceGesture.sequence(3, among: among, SystemRandomSource()) }
        #expect(Set(drawn) == Set(among))
    }

    @Test(arguments: [
        #"["turnLeft", "blink"]"#, #"["turnLeft", "turnLeft", "blink"]"#, #"["turnLeft", "blink", "nod"]"#, "[]", "3",
        #"["turnLeft", "turnRight", "blink", 4]"#,
    ])
    func `Fewer than three gestures, repeated and unknown ones are refused, and the place is named`(among: String) {
        let error = #expect(throws: JSONError.self) { try policy(#"{"challenge": {"among": \#(among)}}"#) }
        #expect(error?.place == "$.challenge.among")
    }
}
