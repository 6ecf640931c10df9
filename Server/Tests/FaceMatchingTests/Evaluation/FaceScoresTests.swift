import Testing

@testable import FaceMatching

/// Error rates, worked out by hand.
@Suite struct FaceScoresTests {
    private let scores = FaceScores(
        [0.9, 0.8, 0.7, 0.4].map { .init(similarity: $0, isSame: true) }
            + [0.1, 0.2, 0.3, 0.5, 0.6].map { .init(similarity: $0, isSame: false) })

    @Test func `FMR counts pairs of two people at or above the threshold, FNMR pairs of one below it`() {
        #expect(scores.falseMatch(at: 0.45) == .init(errors: 2, of: 5))
        #expect(scores.falseMatch(at: 0.5) == .init(errors: 2, of: 5))
        #expect(scores.falseMatch(at: 0.65) == .init(errors: 0, of: 5))
        #expect(scores.falseNonMatch(at: 0.45) == .init(errors: 1, of: 4))
        #expect(scores.falseNonMatch(at: 0.4) == .init(errors: 0, of: 4))
        #expect(scores.falseNonMatch(at: 0.85) == .init(errors: 3, of: 4))
    }

    @Test func `The best threshold judges all but one rightly`() {
        #expect((0.6...0.7).contains(scores.bestThreshold))
        #expect(abs(scores.accuracy(at: scores.bestThreshold) - 8.0 / 9) < 1e-9)
    }

    @Test func `The equal error rate is where both are nearest`() {
        // At 0.6: one of five let through, one of four refused.
        #expect(abs(scores.equalError.rate - (0.2 + 0.25) / 2) < 1e-9)
        #expect(scores.equalError.threshold == 0.6)
    }

    @Test func `What is kept apart has no error, and what is alike is a toss`() {
        let apart = FaceScores([.init(similarity: 0.9, isSame: true), .init(similarity: 0.1, isSame: false)])
        #expect(apart.equalError.rate == 0 && apart.accuracy(at: apart.bestThreshold) == 1)
        let alike = FaceScores([.init(similarity: 0.5, isSame: true), .init(similarity: 0.5, isSame: false)])
        #expect(alike.accuracy(at: alike.bestThreshold) == 0.5)
    }

    @Test func `Few pairs without an error prove little`() {
        // No error in n: the rate may be 1 - 0.05^(1/n), which is about 3/n.
        #expect(abs(FaceScores.Rate(errors: 0, of: 10).upperBound - 0.2589) < 1e-3)
        #expect(abs(FaceScores.Rate(errors: 0, of: 30_000).upperBound - 0.0001) < 1e-5)
        #expect(abs(FaceScores.Rate(errors: 2, of: 20).upperBound - 0.2826) < 1e-3)
        #expect(FaceScores.Rate(errors: 3, of: 3).upperBound == 1)
        #expect(FaceScores.Rate(errors: 0, of: 0).upperBound == 1)
    }

    @Test func `Each fold is judged by the threshold of the others`() throws {
        // The second fold's scores are shifted: the first's threshold misjudges half of it.
        let folds = FaceScores([
            .init(similarity: 0.8, isSame: true, fold: 0), .init(similarity: 0.1, isSame: false, fold: 0),
            .init(similarity: 0.4, isSame: true, fold: 3), .init(similarity: 0.0, isSame: false, fold: 3),
        ])
        let found = try #require(folds.crossValidated)
        #expect(found.accuracy == 0.75)
        #expect(abs(found.standardError - 0.25) < 1e-9)
        // The folds between them are left out.
        #expect(found.folds == 2)
        #expect(scores.crossValidated == nil)
    }

    @Test func `No pairs are no figures`() {
        let none = FaceScores([])
        #expect(none.bestThreshold.isNaN && none.equalError.rate.isNaN && none.accuracy(at: 0.5).isNaN)
    }

    @Test func `The interval of a rate is the one of Clopper and Pearson`() {
        // From tables: 2 of 20, none of 10, all of 10, and one of a million.
        for (errors, of, low, high) in [
            (2, 20, 0.0123, 0.3170), (0, 10, 0, 0.3085), (10, 10, 0.6915, 1), (1, 1_000_000, 2.53e-8, 5.572e-6),
        ] {
            let interval = FaceScores.Rate(errors: errors, of: of).interval
            #expect(abs(interval.lowerBound - low) < 1e-4 && abs(interval.upperBound - high) < 1e-4)
        }
        #expect(FaceScores.Rate(errors: 0, of: 0).interval == 0...1)
        // 99 % of no error in ten: 1 - 0.005^(1/10).
        let wide = FaceScores.Rate(errors: 0, of: 10).interval(error: 0.01)
        #expect(wide.lowerBound == 0 && abs(wide.upperBound - 0.4113) < 1e-4)
    }

    @Test func `Each group has rates of its own`() {
        let groups = FaceScores([
            .init(similarity: 0.9, isSame: true, group: "b"), .init(similarity: 0.4, isSame: true, group: "a"),
            .init(similarity: 0.5, isSame: false, group: "a"), .init(similarity: 0.1, isSame: false, group: "b"),
            .init(similarity: 0.2, isSame: true),
        ]).groups
        #expect(groups.map(\.name) == ["a", "b"])
        #expect(groups[0].scores.falseMatch(at: 0.45) == .init(errors: 1, of: 1))
        #expect(groups[0].scores.falseNonMatch(at: 0.45) == .init(errors: 1, of: 1))
        #expect(groups[1].scores.falseMatch(at: 0.45) == .init(errors: 0, of: 1))
        #expect(groups[1].scores.falseNonMatch(at: 0.45) == .init(errors: 0, of: 1))
    }
}
