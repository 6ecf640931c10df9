import Authority
import BenchmarkSupport
import BenjiFaceProtocol
import BenjiProtocol
import FaceAccounts
import FaceMatching
import FacePuppet
import ServerTestKit
import Synchronization

/// A login by face with its challenge, of an account that the phone remembers: every request that a phone makes, every
/// frame judged. The portrait that moves is bent by a program (docs/face.md).
final class RehearsedLogin: Sendable {
    private let town: FaceWorkload
    private let analyzer: LocalFaceAnalyzer
    /// The camera's frames, in the order in which they were posted.
    private let frames: [[UInt8]]
    private let remembered: Mutex<String>

    private static let pace = Duration.milliseconds(125)
    private static let limits = FacePolicy.standard.challenge.limits

    var count: Int { frames.count }

    /// Enrols the portrait's face, logs in once before a camera that obeys, and keeps what it showed.
    init(_ town: FaceWorkload, _ street: FaceServer) async throws {
        self.town = town
        analyzer = street.analyzer
        let face = try await analyzer.observe(street.portrait, measuring: .all)
        let staged = town.provider(analyzer, StagedChallenges(analyzer, face, clock: town.clock))
        let enrolled = try await town.enrol([street.embedding], staged)
        let puppet = Puppet(try FaceImage(street.portrait), face, width: 480, height: 360)
        var play = PuppetPlay()
        var shown: [[UInt8]] = []
        var before = ""
        let next = try await Self.logIn(town, analyzer, enrolled[0].remembered) { prompt, number in
            let time = Self.pace * number
            if prompt != before, let gesture = Self.gestures[prompt] { play.play(gesture, at: time) }
            before = prompt
            var frame = puppet.frame(play.pose(at: time))
            frame.addNoise(3, seed: UInt64(number) &* 0x9E37_79B9_7F4A_7C15)
            shown.append(frame.png)
            return shown[shown.count - 1]
        }
        frames = shown
        remembered = Mutex(next)
    }

    private static let gestures: [String: FaceGesture] = [
        "turn_left": .turnLeft, "turn_right": .turnRight, "blink": .blink, "open_mouth": .openMouth,
    ]

    /// Milliseconds of processor time for one login.
    func measure() async throws -> Double {
        let secret = remembered.withLock { $0 }
        let begin = ProcessUsage.own.processor
        let next = try await Self.logIn(town, analyzer, secret) { _, number in
            guard number <= self.frames.count else { throw BenchmarkFailure("the same frames no longer pass") }
            return self.frames[number - 1]
        }
        let time = ProcessUsage.own.processor - begin
        remembered.withLock { $0 = next }
        return time * 1000
    }

    /// Milliseconds of processor time for measuring everything in each of its frames, and deciding nothing.
    func look() async throws -> Double {
        let begin = ProcessUsage.own.processor
        for frame in frames { _ = try await analyzer.observe(frame, measuring: .all, in: .ring, within: Self.limits) }
        return (ProcessUsage.own.processor - begin) * 1000
    }

    /// - Parameter camera: the next picture, by the prompt that the phone was told and the number of the picture, from
    ///   1.
    /// - Returns: the account that the phone remembers from now on.
    private static func logIn(
        _ town: FaceWorkload, _ analyzer: LocalFaceAnalyzer, _ remembered: String,
        camera: (_ prompt: String, _ number: Int) throws -> [UInt8]
    ) async throws -> String {
        // Challenges of its own: they remember frames that were shown.
        let challenges = FaceChallenges(analyzer: analyzer, clock: town.clock, random: Draw())
        let faces = town.provider(analyzer, challenges)
        let begun = try await faces.begin(
            FaceBeginRequest(
                appToken: try await town.appToken(faces), purpose: .login, identity: .remembered(remembered), uid: nil,
                phone: nil, language: "en"), from: town.call())
        let challenge = try await faces.challenge(FaceChallengeRequest(session: begun.session), from: town.call())
        var prompt = challenge.step.prompt
        for number in 1...480 {
            town.clock.advance(by: pace)
            let picture = try camera(prompt, number)
            let post = FaceFramesRequest(
                session: begun.session, challenge: challenge.challenge,
                frames: [.init(milliseconds: Int64(125 * number), picture: picture)])
            switch try await faces.frames(post, from: town.call()) {
            case .more(let step): prompt = step.prompt
            case .passed:
                return try await faces.finish(FaceFinishRequest(session: begun.session), from: town.call()).remembered
            case .failed(let failure): throw BenchmarkFailure("the challenge was not passed: \(failure.sentence)")
            }
        }
        throw BenchmarkFailure("the challenge does not end")
    }
}

/// Draws the same gestures each time: a turn to the left, an open mouth, a blink. Names are random.
private final class Draw: RandomSource {
    // Places among the gestures that remain without the one before.
    private let drawn = Mutex<[UInt8]>([0, 2, 2])

    func bytes(_ count: Int) -> [UInt8] {
        let next = count == 1 ? drawn.withLock { $0.isEmpty ? nil : $0.removeFirst() } : nil
        return next.map { [$0] } ?? SystemRandomSource().bytes(count)
    }
}
