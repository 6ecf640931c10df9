import BenjiProtocol
import FaceMatching
import FacePuppet
import ServerTestKit
import Testing

/// The challenge with real models. No person can be asked for gestures here, so a program bends portraits. It passes,
/// as docs/face.md states of an attacker who feeds pictures in.
@Suite struct PuppetRealFaceTests {
    private func puppet(_ portrait: Portrait) async throws -> Puppet {
        let face = try await Face.analyzer.observe(try portrait.bytes, measuring: [])
        return Puppet(try FaceImage(try portrait.bytes), face, width: 400, height: 300)
    }

    private func observe(_ puppet: Puppet, _ pose: PuppetPose) async throws -> FaceObservation {
        var frame = puppet.frame(pose)
        frame.addNoise(3, seed: 42)
        return try await Face.analyzer.observe(frame.png, measuring: .all)
    }

    /// Runs a challenge with real models, in which `show` supplies the picture before the camera.
    private func run(
        _ gestures: [FaceGesture], by analyzer: (any FaceAnalyzer)? = nil,
        strangers: [Stranger] = [], _ show: (FacePrompt, PuppetPose) -> (Puppet, PuppetPose)
    ) async throws(FaceChallengeFailure) -> FaceProof? {
        guard let own = try? await Face.analyzer else { throw FaceChallengeFailure(.unavailable) }
        let clock = TestClock()
        let challenges = FaceChallenges(
            analyzer: analyzer ?? own, clock: clock, random: TestRandom(gestures))
        let challenge = try await challenges.begin(for: "session")
        var prompt = challenge.step.prompt
        var play = PuppetPlay()
        for number in 1..<400 {
            clock.advance(by: .milliseconds(125))
            let time = Duration.milliseconds(125 * number)
            let (puppet, pose) = show(prompt, play.pose(at: time))
            var frame = puppet.frame(pose)
            for stranger in strangers where stranger.isThere(prompt) {
                let picture = Pixels(width: frame.width, height: frame.height, bytes: frame.pixels)
                frame.pixels = picture.pasted(stranger.face, stranger.left, stranger.top).bytes
            }
            frame.addNoise(3, seed: UInt64(number) &* 0x9E37_79B9_7F4A_7C15)
            switch try await challenges.judge(
                [FaceFrame(image: frame.png, time: time)], of: challenge.id, for: "session")
            {
            case .passed(let proof): return proof
            case .goingOn(let step):
                if step.prompt != prompt, case .gesture(let gesture) = step.prompt { play.play(gesture, at: time) }
                prompt = step.prompt
            }
        }
        return nil
    }

    @Test(arguments: [
        (Portrait.astronaut, [FaceGesture.turnLeft, .openMouth, .turnRight]),
        (.president1, [.openMouth, .blink, .turnLeft]),
        (.president3, [.blink, .turnRight, .openMouth]),
    ])
    func `A bent portrait passes the challenge, and its passive score is that of a person`(
        portrait: Portrait, gestures: [FaceGesture]
    ) async throws {
        let puppet = try await puppet(portrait)
        let proof = try #require(try await run(gestures) { (puppet, $1) })
        #expect(proof.passiveScore > FacePolicy.standard.liveness)
        let enrolled = try await Face.analyzer.observe(try portrait.bytes, measuring: .embedding)
        #expect(proof.isAlike(to: try #require(enrolled.embedding), by: .standard))
        // A template of another day, and another person's.
        for (other, isSame) in [(Portrait.president2, portrait != .astronaut), (.vicePresident, false)] {
            let template = try #require(
                try await Face.analyzer.observe(try other.bytes, measuring: .embedding).embedding)
            #expect(
                proof.isAlike(to: template, by: .standard) == isSame,
                "\(proof.leastSimilarity(to: template)), mean \(proof.meanSimilarity(to: template))")
        }
    }

    @Test func `A portrait that is only held before the camera fails`() async throws {
        let puppet = try await puppet(.astronaut)
        await #expect(throws: FaceChallengeFailure(.gestureMissed)) {
            _ = try await run([.turnLeft, .blink, .openMouth]) { _, pose in (puppet, PuppetPose(x: pose.x, y: pose.y)) }
        }
    }

    @Test func `Another person who does the gestures fails`() async throws {
        let one = try await puppet(.astronaut)
        let other = try await puppet(.president1)
        await #expect(throws: FaceChallengeFailure(.anotherFace)) {
            _ = try await run([.openMouth, .turnLeft, .blink]) { prompt, pose in
                (prompt == .lookStraight ? one : other, pose)
            }
        }
    }

    @Test(arguments: [Portrait.astronaut, .president1, .president3, .vicePresident])
    func `A puppet's mouth is open when it is told to, and shut before, by the thresholds of a challenge`(
        portrait: Portrait
    ) async throws {
        let puppet = try await puppet(portrait)
        let limits = FacePolicy.standard
        let shut = try await observe(puppet, PuppetPose()).mesh.mouthOpening
        let open = try await observe(puppet, PuppetPose(mouth: 1))
        #expect(shut < limits.challenge.mouthClosed)
        #expect(open.mesh.mouthOpening > limits.mouthOpen, "\(shut) \(open.mesh.mouthOpening)")
        #expect(open.mesh.mouthOpening - shut > limits.challenge.mouthChange)
        #expect(abs(open.mesh.turn) < limits.challenge.frontal)
    }

    @Test(arguments: [Portrait.astronaut, .president1])
    func `Closed eyes are told from open ones by the eye model, and hardly by the mesh`(portrait: Portrait) async throws
    {
        let puppet = try await puppet(portrait)
        let open = try await observe(puppet, PuppetPose())
        let closed = try await observe(puppet, PuppetPose(blink: 1))
        let (eyesOpen, eyesClosed) = (try #require(open.eyes), try #require(closed.eyes))
        #expect(eyesClosed < eyesOpen * FacePolicy.standard.challenge.eyesClosed, "\(eyesOpen) \(eyesClosed)")
        #expect(closed.mesh.eyeOpening > open.mesh.eyeOpening * 0.8)
    }

    @Test func `A puppet's head turns to the side that it is told`() async throws {
        let puppet = try await puppet(.astronaut)
        let limits = FacePolicy.standard
        #expect(abs(try await observe(puppet, PuppetPose()).mesh.turn) < limits.challenge.frontal)
        #expect(try await observe(puppet, PuppetPose(yaw: 24)).mesh.turn > limits.turned)
        #expect(try await observe(puppet, PuppetPose(yaw: -24)).mesh.turn < -limits.turned)
    }

    // MARK: - Other people

    /// Somebody else in the picture, 89 × 113 pixels large where the person before the camera has about 130 × 168.
    private struct Stranger {
        var face: Pixels
        var left: Int
        var top: Int
        var isThere: (FacePrompt) -> Bool = { _ in true }

        init(
            _ face: Pixels? = nil, left: Int, top: Int, isThere: @escaping (FacePrompt) -> Bool = { _ in true }
        ) throws {
            self.face = try face ?? Portrait.astronaut.pixels.cropped(168, 45, 110, 140)
            (self.left, self.top, self.isThere) = (left, top, isThere)
        }
    }

    /// Counts every face in the picture, as if no person held the camera.
    private struct RinglessAnalyzer: FaceAnalyzer {
        var analyzer: LocalFaceAnalyzer
        var unavailability: String? { nil }

        func observe(
            _ image: [UInt8], measuring measures: FaceMeasures, in framing: FaceFraming, within limits: FaceImageLimits?
        ) async throws(FaceError) -> FaceObservation {
            try await analyzer.observe(image, measuring: measures, in: .picture, within: limits)
        }
    }

    @Test func `Strangers in the background do not end the attempt, and a double that counts them does`() async throws {
        let puppet = try await puppet(.president1)
        let strangers = [try Stranger(left: 0, top: 0), try Stranger(left: 290, top: 160)]
        #expect(try await run([.turnLeft, .blink, .openMouth], strangers: strangers) { (puppet, $1) } != nil)
        let late = try strangers.map { try Stranger(left: $0.left, top: $0.top) { $0 != .lookStraight } }
        let double = RinglessAnalyzer(analyzer: try await Face.analyzer)
        await #expect(throws: FaceChallengeFailure(.severalFaces)) {
            _ = try await run([.turnLeft, .blink, .openMouth], by: double, strangers: late) { (puppet, $1) }
        }
    }

    /// The double that is fooled by it is in `FaceChallengeTests`.
    @Test func `Who steps from the background into the ring is refused`() async throws {
        let person = try await puppet(.president1)
        let other = try await puppet(.vicePresident)
        /// A small one of the face of a puppet, for the background.
        func small(_ puppet: Puppet) -> Pixels {
            let frame = puppet.frame(PuppetPose())
            let pixels = Pixels(width: frame.width, height: frame.height, bytes: frame.pixels)
            return pixels.moved(200, 150) { ($0 * 2, $1 * 2) }.cropped(55, 15, 90, 120)
        }
        // Both are seen in every picture. The one is before the camera at first, then the other, who does the gestures.
        let behind = [
            try Stranger(small(other), left: 0, top: 0) { $0 == .lookStraight },
            try Stranger(small(person), left: 0, top: 0) { $0 != .lookStraight },
        ]
        await #expect(throws: FaceChallengeFailure(.anotherFace)) {
            _ = try await run([.openMouth, .turnLeft, .blink], strangers: behind) { prompt, pose in
                (prompt == .lookStraight ? person : other, pose)
            }
        }
    }
}
