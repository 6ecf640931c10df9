/// One scene before the judge.
struct PageReview {
    let scene: PageScene
    let facts: PageFacts
    let missingTick: PageJudge.MissingTick
    let profile: PageProfile
    let visibility: PageVisibility
    private(set) var findings: [PageFinding] = []

    init(scene: PageScene, facts: PageFacts, missingTick: PageJudge.MissingTick, profile: PageProfile) {
        self.scene = scene
        self.facts = facts
        self.missingTick = missingTick
        self.profile = profile
        visibility = PageVisibility(scene: scene)
    }

    mutating func run() {
        judgeNumber()
        judgeLogin()
        judgeSlogan()
        judgeTerms()
        judgeTick()
        judgeReading()
        judgeWaysOut()
        judgePage()
    }

    /// A page on which the person types the number.
    mutating func runBySMS() {
        for role in [PageRole.numberField, .codeField] where !isUsable(role) { report(.numberVisible, role) }
        if !isUsable(.sendCode) { report(.loginUsable, .sendCode) }
        judgeLogin()
        judgeTerms()
        judgeTick()
        judgeReading()
        judgeWaysOut()
        judgePage()
    }

    /// Whether a network reports the number: its page has no field for one.
    var isByNetwork: Bool { index(.numberField) == nil }

    mutating func report(_ rule: PageRule, _ role: PageRole) {
        guard let severity = profile.severity(of: rule, facts.carrier) else { return }
        let finding = PageFinding(rule, severity, role)
        for known in findings where known == finding { return }
        findings.append(finding)
    }

    /// Where the highest box of that role lies.
    func index(_ role: PageRole) -> Int? { scene.index(of: role) }

    func isVisible(_ role: PageRole) -> Bool {
        guard let index = index(role) else { return false }
        return visibility.isVisible(index)
    }

    /// Seen, and answering where it is seen.
    func isUsable(_ role: PageRole) -> Bool {
        guard let index = index(role), visibility.isVisible(index) else { return false }
        return isTappable(index)
    }

    func isTappable(_ index: Int) -> Bool {
        let box = scene.boxes[index]
        guard let hit = box.hitArea, let common = hit.intersection(box.frame) else { return false }
        guard common.width * common.height >= box.frame.width * box.frame.height / 2 else { return false }
        return !visibility.isTaken(box.frame, above: index)
    }
}
