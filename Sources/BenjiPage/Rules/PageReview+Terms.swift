extension PageReview {
    mutating func judgeTerms() {
        guard let index = index(.terms), let text = scene.boxes[index].text else {
            report(.termsVisible, .terms)
            return
        }
        var isFree = visibility.isVisible(index)
        for area in scene.linkAreas where visibility.isTaken(area.area, above: index) { isFree = false }
        if !isFree { report(.termsVisible, .terms) }
        judgeLinks(text)
        if FoldedText(text.text).contains(anyOf: Self.otherConsents) { report(.oneConsent, .terms) }
        if text.font.size < 12 { report(.termsSize, .terms) }
    }

    private static let otherConsents = [
        "营销", "營銷", "行銷", "推广", "推廣", "广告", "廣告", "自动续费", "自動續費", "商业短信", "marketing",
        "promotion", "advertis", "auto-renew", "newsletter",
    ]

    private mutating func judgeLinks(_ text: TextBlock) {
        var own: [TextBlock.Link] = []
        var hasCarrier = false
        for link in text.links {
            let hasTitle = FoldedText(link.title).scalars == quoted || FoldedText(link.title).scalars == unquoted
            let hasAddress = link.url.sameBytes(as: facts.duties.termsURL)
            if hasTitle || hasAddress {
                hasCarrier = true
                if !hasTitle || !hasAddress { report(.carrierTermsExact, .terms) }
            } else if isByNetwork, namesOtherCarrier(link.title) || namesOtherCarrier(link.url) {
                hasCarrier = true
                report(.otherCarrier, .terms)
            } else {
                own.append(link)
            }
            let isQuoted = link.title.unicodeScalars.first == "《" && link.title.unicodeScalars.last == "》"
            if scene.screen.language != .english, !isQuoted { report(.quotationMarks, .terms) }
        }
        if !hasCarrier, isByNetwork { report(.carrierTerms, .terms) }
        // Without any there is nothing that the person agrees to.
        if own.isEmpty, !isByNetwork { report(.termsVisible, .terms) }
        judgeOwnTerms(own)
    }

    private var unquoted: [UInt32] { FoldedText(facts.duties.termsTitle).scalars }
    private var quoted: [UInt32] { FoldedText("《" + facts.duties.termsTitle + "》").scalars }

    private mutating func judgeOwnTerms(_ own: [TextBlock.Link]) {
        var isPrivacyThere = false
        var isAgreementThere = false
        var areAllGood = own.count <= 4
        for index in own.indices {
            let title = FoldedText(own[index].title)
            if title.contains(anyOf: ["隐私", "隱私", "privacy"]) { isPrivacyThere = true }
            if title.contains(anyOf: ["协议", "協議", "条款", "條款", "协定", "agreement", "terms"]) { isAgreementThere = true }
            if PageGrammar.address(own[index].url) != nil { areAllGood = false }
            for other in own[..<index] where FoldedText(other.title).scalars == title.scalars { areAllGood = false }
        }
        if !isPrivacyThere || !isAgreementThere || !areAllGood { report(.ownTerms, .terms) }
    }
}
