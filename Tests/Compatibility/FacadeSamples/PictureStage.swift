import BenjiClient
import BenjiFace
import BenjiFaceProtocol
import BenjiProtocol
import BenjiTesting
import Foundation

/// A person whose camera sees the pictures of a folder. While the server asks for a prompt, these are the pictures of
/// `FOLDER/PROMPT`, over and over. Without that folder they are those of `FOLDER` itself.
actor PictureStage: FaceStage {
    private let folder: URL
    private var prompt = ""
    /// How many pictures were shown for each prompt: none is shown twice, for a server that has seen it takes it for a
    /// recording.
    private var shown: [String: Int] = [:]
    private var start = ContinuousClock.now  // gate: a camera's pictures come in real time
    private var pace = Duration.milliseconds(125)
    private var due = Duration.zero

    /// Pictures of one movement.
    private static let movement = 25

    init(_ folder: String) { self.folder = URL(fileURLWithPath: folder) }

    nonisolated var language: String { "zh-Hans" }

    func numberPage() -> any AuthorizationPresenter { FakePresenter() }

    func answer(_ question: FaceQuestion) async -> FaceReply {
        switch question {
        case .consent(let terms), .searchConsent(let terms): return .agreed(await agreement([terms.title, "同意使用人脸信息"]))
        case .authorization(let app): return .agreed(await agreement(["允许“\(app.appName)”使用您的账号？"]))
        case .groups(let app): return .agreed(await agreement(["允许“\(app.appName)”刷脸认出您？"]))
        case .profile: return .profile(FaceProfile(name: "小明"))
        case .camera: return .ready
        case .retry(let sentence, let left):
            await FacadeSamples.log("retry", ["sentence": sentence, "left": left])
            return .ready
        }
    }

    private func agreement(_ texts: [String]) async -> FaceAgreement {
        let shown = SystemWallClock().now
        // A person reads before they tap.
        let tapped = shown + .milliseconds(20)
        return FaceAgreement(
            texts: texts, button: "同意", language: language, shownAt: shown, tickedAt: tapped, tappedAt: tapped)
    }

    func tell(_ notice: FaceNotice) {
        switch notice {
        case .challenge(let pace):
            (start, self.pace, due) = (.now, pace, .zero)
        case .due(let progress):
            guard progress.prompt != prompt else { return }
            prompt = progress.prompt
            // A movement begins with its first picture.
            let count = shown[prompt] ?? 0
            shown[prompt] = (count + Self.movement - 1) / Self.movement * Self.movement
        case .passed, .ended: break
        }
    }

    func frames(atMost count: Int) async -> [FaceFrame]? {
        try? await Task.sleep(until: start + due, clock: .continuous)  // gate: a camera's pictures come in real time
        let own = folder.appendingPathComponent(prompt)
        let place = FileManager.default.fileExists(atPath: own.path) ? own : folder
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []).sorted()
            .filter { $0.hasSuffix(".jpg") || $0.hasSuffix(".png") }
        guard !names.isEmpty,
            let picture = try? Data(contentsOf: place.appendingPathComponent(names[(shown[prompt] ?? 0) % names.count]))
        else { return nil }
        shown[prompt, default: 0] += 1
        let at = start.duration(to: .now)
        due = max(due, at) + pace
        return [FaceFrame(milliseconds: Int64(at / .milliseconds(1)), picture: Array(picture))]
    }
}
