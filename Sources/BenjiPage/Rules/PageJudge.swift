/// Holds a scene against the rules. It looks at boxes and texts only. So it judges a page that the app draws itself, or
/// one that was tampered with, like any other.
public struct PageJudge: Sendable {
    /// The effect of a tap on the login button without a tick.
    public enum MissingTick: Hashable, Sendable {
        /// The person is told or asked.
        case isSaid
        /// It cannot be tapped.
        case disablesLogin
        /// Nothing.
        case isIgnored

        /// The effect that a description defines.
        public init(of page: PageDescription) {
            if page.loginButton.needsTick {
                self = .disablesLogin
            } else {
                self = page.terms.hint.isShown || page.consentDialog != nil ? .isSaid : .isIgnored
            }
        }
    }

    /// The rules that hold.
    public var profile: PageProfile

    public init(_ profile: PageProfile = .current) { self.profile = profile }

    /// The rules that a page breaks as it appears, before anybody has touched it; each once for each kind of box.
    ///
    /// The contrast of text on an image, a GIF or a video cannot be known here and is not judged.
    public func findings(_ scene: PageScene, facts: PageFacts, missingTick: MissingTick) -> [PageFinding] {
        var review = PageReview(scene: scene, facts: facts, missingTick: missingTick, profile: profile)
        review.run()
        return review.findings
    }

    /// The rules that a page of a login by SMS breaks as it appears.
    ///
    /// No network has told a number there, so the rules about a carrier's terms and slogan and about the mask do not
    /// hold. The fields must be seen and answer (`number-visible`), and so must the button that has a code sent
    /// (`login-usable`).
    public func findings(bySMS scene: PageScene) -> [PageFinding] {
        var review = PageReview(scene: scene, facts: .ofNobody, missingTick: .isSaid, profile: profile)
        review.runBySMS()
        return review.findings
    }

    /// The rule about languages: the same page in several of them must have the same elements and lead to the same
    /// addresses.
    public func findings(comparing scenes: [PageScene]) -> [PageFinding] {
        guard let first = scenes.first else { return [] }
        var findings: [PageFinding] = []
        for scene in scenes.dropFirst() {
            guard let severity = profile.severity(of: .languages, scene.carrier) else { continue }
            for role in PageRole.allCases {
                let different =
                    Self.count(role, scene) != Self.count(role, first)
                    || role == .terms && !Self.sameAddresses(scene, first)
                let finding = PageFinding(.languages, severity, role)
                if different, !findings.contains(where: { $0.role == role }) { findings.append(finding) }
            }
        }
        return findings
    }

    /// Whether a text speaks of logging in or registering, as the login button's must.
    public static func speaksOfLogin(_ text: String) -> Bool {
        FoldedText(text).contains(anyOf: PageReview.loginWords)
    }

    private static func count(_ role: PageRole, _ scene: PageScene) -> Int {
        var count = 0
        for box in scene.boxes where box.role == role { count += 1 }
        return count
    }

    private static func sameAddresses(_ first: PageScene, _ second: PageScene) -> Bool {
        let one = first[.terms]?.text?.links ?? []
        let other = second[.terms]?.text?.links ?? []
        guard one.count == other.count else { return false }
        for index in one.indices where !one[index].url.sameBytes(as: other[index].url) { return false }
        return true
    }
}
