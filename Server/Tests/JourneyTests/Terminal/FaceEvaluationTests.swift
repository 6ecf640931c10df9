#if Face
import FaceMatching
import Foundation
import Testing

@testable import BenjiCommand

@Suite("What an evaluation says of groups") struct FaceEvaluationTests {
    /// An evaluation of groups in which so many of twenty pairs of one person are too little alike.
    private func evaluation(_ errors: [(name: String, count: Int)]) throws -> FaceEvaluation {
        let pairs = errors.flatMap { group in
            (0..<20).map { (group.name, isSame: true, similarity: $0 < group.count ? 0.1 : 0.9) }
        }
        let list = try FacePairList(
            pairs.enumerated().map { "\($0.offset)a.jpg\t\($0.offset)b.jpg\tsame\t\($0.element.0)" }.joined(
                separator: "\n"))
        return FaceEvaluation(
            list: list, scores: FaceScores(pairs.map { .init(similarity: $0.similarity, isSame: true, group: $0.0) }),
            refused: [("\u{1b}[2J.jpg", FaceError(.noFace, "in \u{9b}31m it"))], policy: .standard)
    }

    private func verdict(_ evaluation: FaceEvaluation) -> String? {
        evaluation.lines.first { $0.hasPrefix("FNMR: ") }
    }

    @Test(
        "Groups differ only by more than the number of intervals explains, and a double at 95 % says it too soon"
    )
    func looks() throws {
        let doubtful = try evaluation([("one", 0), ("other", 9)])
        #expect(verdict(doubtful)?.contains("the intervals overlap") == true)
        #expect(doubtful.lines.contains { $0.contains("each of the 6 with 99.17 %") })
        let (one, other) = (doubtful.groups[0].falseNonMatch, doubtful.groups[1].falseNonMatch)
        #expect(one.interval.upperBound < other.interval.lowerBound, "the double")
        let clear = try evaluation([("one", 0), ("other", 15)])
        #expect(verdict(clear) == "FNMR: higher for other than for one, by more than chance explains")
        // The same difference is less among more groups.
        let more = try evaluation([("one", 0), ("other", 11)] + (0..<40).map { ("rest \($0)", 5) })
        #expect(verdict(more)?.contains("the intervals overlap") == true)
        #expect(verdict(try evaluation([("one", 0), ("other", 11)]))?.contains("higher for other") == true)
    }

    @Test("Names and paths from a list steer no terminal")
    func names() throws {
        let wild = "a\u{1b}[31m\u{9b}2J\u{7}<\u{fffe}b"
        let evaluation = try evaluation([(wild, 0), ("other", 15)])
        let text = evaluation.lines.joined(separator: "\n")
        #expect(!text.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control })
        #expect(verdict(evaluation)?.contains("higher for other than for a[31m2J<") == true)
        // A double that prints what it reads steers it.
        #expect(wild.unicodeScalars.contains { $0.properties.generalCategory == .control })
    }
}
#endif
