extension PageReview {
    mutating func judgeNumber() {
        for box in scene.boxes {
            if FoldedText(box.text?.text ?? "").holdsWholeNumber || FoldedText(box.label).holdsWholeNumber {
                report(.numberMasked, box.role)
            }
        }
        let text = FoldedText(scene[.number]?.text?.text ?? "")
        let isMasked = text.maskCount >= 4 && text.digitCount >= 3
        // A number without a mask was reported above; here it is only asked whether the person can see which number.
        let isThere = isVisible(.number) && (isMasked || text.holdsWholeNumber)
        // China Mobile's document also takes words for it.
        if !isThere, !profile.takesWordsForNumber || !saysThisNumber() { report(.numberVisible, .number) }
    }

    private func saysThisNumber() -> Bool {
        for index in scene.boxes.indices {
            guard let text = scene.boxes[index].text, visibility.isVisible(index) else { continue }
            let words = ["本机号码", "本機號碼", "this phone's number", "this device's number"]
            if FoldedText(text.text).contains(anyOf: words) { return true }
        }
        return false
    }

    mutating func judgeLogin() {
        let isUsable = isUsable(.login)
        let box = scene[.login]
        let mayWait = (missingTick == .disablesLogin || !isByNetwork) && scene[.tick]?.isTicked == false
        if !isUsable || box?.isEnabled == false && !mayWait { report(.loginUsable, .login) }
        guard let box else { return }
        let title = FoldedText(box.text?.text ?? "")
        if isUsable, !title.contains(anyOf: Self.loginWords) || title.contains(anyOf: Self.luringWords) {
            report(.loginWording, .login)
        }
        if box.frame.height < 40 || box.frame.width < scene.viewport.width / 2 - 0.5 { report(.loginSize, .login) }
    }

    static let loginWords = [
        "登录", "登錄", "登入", "注册", "註冊", "login", "logging in", "signin", "signup", "register",
    ]
    private static let luringWords = [
        "领取", "領取", "优惠", "優惠", "继续浏览", "繼續瀏覽", "下一步", "红包", "紅包", "免费", "免費", "抽奖", "抽獎",
        "福利", "赚", "賺", "礼包", "禮包", "reward", "coupon", "prize", "bonus", "gift", "for free", "next step",
        "continue browsing",
    ]

    mutating func judgeSlogan() {
        let text = scene[.slogan]?.text?.text ?? ""
        if isVisible(.slogan), !text.sameBytes(as: facts.duties.slogan), namesOtherCarrier(text) {
            report(.otherCarrier, .slogan)
        } else if !isVisible(.slogan) || !text.sameBytes(as: facts.duties.slogan) {
            report(.slogan, .slogan)
        }
    }

    /// Whether a text or an address belongs to a carrier that is not this one. Only the documented ones are known by
    /// their words.
    func namesOtherCarrier(_ text: String) -> Bool {
        let folded = FoldedText(text)
        for carrier in PageCarrier.documented where carrier != facts.carrier {
            let words: [String]
            switch carrier {
            case .mobile: words = ["中国移动", "移动认证", "cmpassport.com"]
            case .unicom: words = ["联通", "wostore.cn", "wosms.cn", "10010.com"]
            case .telecom: words = ["天翼", "中国电信", "e.189.cn"]
            case .other: words = []
            }
            if folded.contains(anyOf: words) { return true }
        }
        return false
    }

    mutating func judgeTick() {
        let isUnticked = scene[.tick]?.isTicked == false
        if !isUnticked || !isUsable(.tick) { report(.untickedAtFirst, .tick) }
        if missingTick == .isIgnored { report(.missingTick, .login) }
        if let tick = scene[.tick], min(tick.frame.width, tick.frame.height) < 12 { report(.termsSize, .tick) }
    }
}
