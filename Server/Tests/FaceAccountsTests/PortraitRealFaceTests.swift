import BenjiFaceProtocol
@_spi(Server) import BenjiProtocol
import Foundation
import Store
import Testing

@testable import Authority
@testable import FaceAccounts
@testable import FaceMatching

/// Real faces and real models; `make face-models ARGS=--portraits` fetches both.
@Suite("Portraits log in") struct PortraitRealFaceTests {
    private static let folder = FaceFolder.folder(
        in: URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
            .standardized.path)

    private static func portrait(_ name: String) throws -> [UInt8] {
        let path = "\(folder)/portraits/\(name)"
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw Missing(description: "there is no \(path); run: make face-models ARGS=--portraits")
        }
        return Array(bytes)
    }

    private struct Missing: Error, CustomStringConvertible { var description: String }

    /// Takes one picture for a challenge: here it is about whose face it is.
    private actor PictureChallenges: FaceChallenging {
        nonisolated var unavailability: String? { analyzer.unavailability }
        nonisolated let policy = FacePolicy.standard
        private let analyzer: LocalFaceAnalyzer
        private let clock: any WallClock

        init(_ analyzer: LocalFaceAnalyzer, clock: any WallClock) {
            self.analyzer = analyzer
            self.clock = clock
        }

        func begin(for session: String, isKnown: Bool) throws(FaceChallengeFailure) -> FaceChallenge {
            FaceChallenge(
                id: SystemRandomSource().alphanumerics(32), expires: clock.now + .seconds(60),
                pace: .milliseconds(125), framesPerPost: 8, bytesPerFrame: 4 << 20,
                step: FaceChallengeStep(prompt: .lookStraight, hint: nil, done: 0, count: 0))
        }

        func judge(
            _ frames: [FaceFrame], of id: String, for session: String
        ) async throws(FaceChallengeFailure) -> FaceVerdict {
            guard let frame = frames.first else { throw FaceChallengeFailure(.frameUnreadable) }
            let face: FaceObservation
            do { face = try await analyzer.observe(frame.image, measuring: .all) } catch {
                throw FaceChallengeFailure(.frameUnreadable)
            }
            guard let embedding = face.embedding, let liveness = face.liveness else {
                throw FaceChallengeFailure(.failed)
            }
            return .passed(
                FaceProof(
                    after: [embedding], face: face, passiveScore: liveness.score, gestures: [], frames: 1,
                    completed: clock.now))
        }
    }

    @Test("One picture of a person enrols, another one logs them in, and a colleague is refused")
    func portraits() async throws {
        let analyzer = try await LocalFaceAnalyzer(models: FaceModelFolder(Self.folder + "/models"), engines: 1)
        let world = try await FaceWorld(analyzer: analyzer, challenges: { PictureChallenges(analyzer, clock: $0) })
        do {
            let begun = try await world.begin(.login, .oneTap(try await world.token()))
            try await world.agree(begun)
            #expect(try await world.show(try Self.portrait("president-1.jpg"), in: begun.session) == .passed(nil))
            let login = try await world.finish(begun, name: "president")

            let again = try await world.begin(.login, .remembered(login.remembered))
            guard
                case .failed(let failure) = try await world.show(
                    try Self.portrait("vice-president.jpg"), in: again.session)
            else {
                Issue.record("the colleague got in")
                return
            }
            #expect(failure.situation == .faceDiffers)
            #expect(try await world.show(try Self.portrait("president-2.jpg"), in: again.session) == .passed(nil))
            #expect(try await world.finish(again).openID == login.openID)
        } catch {
            await world.end()
            throw error
        }
        await world.end()
    }
}
