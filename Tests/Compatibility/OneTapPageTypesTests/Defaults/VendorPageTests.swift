import BenjiPage
import Testing

@testable import OneTapPageTypes

@Suite struct VendorPageTests {
    @Test("A page on which the app has set nothing can be laid out")
    func valid() throws {
        for (vendor, isPopup) in [(VendorPage.geYan, false), (.geYan, true), (.oneLogin, false), (.oneLogin, true)] {
            var vendor = vendor
            vendor.isPopup = isPopup
            #expect(throws: Never.self) { try vendor.description.json() }
            #expect((vendor.description.popup != nil) == isPopup)
        }
    }

    /// By name, because a failure prints its argument.
    enum Vendor: CaseIterable {
        case geYan, oneLogin

        var page: VendorPage { self == .geYan ? .geYan : .oneLogin }
    }

    /// The findings of today's rules on a vendor's page, with terms of the app's own.
    private func today(_ vendor: Vendor, isTicked: Bool, isPopup: Bool) throws -> Set<PageRule> {
        var vendor = vendor.page
        vendor.isPopup = isPopup
        vendor.page.terms.tick.isInitiallySet = isTicked
        vendor.page.terms.items = [
            PageTerm("《用户协议》", url: "https://app.example/agreement"),
            PageTerm("《隐私政策》", url: "https://app.example/privacy"),
        ]
        let page = vendor.description
        var broken: Set<PageRule> = []
        let safeArea = PageInsets(top: 59, bottom: 34)
        for screen in [
            PageScreen(393, 852, safeArea: safeArea, language: .simplifiedChinese),
            PageScreen(375, 667, language: .simplifiedChinese),
            PageScreen(320, 1180, language: .simplifiedChinese),
        ] {
            for carrier in PageCarrier.documented {
                let facts = PageFacts(carrier: carrier, maskedNumber: "138****0000", duties: .standard(carrier))
                let scene = try PageScene(
                    page, facts: facts, state: PageState(of: page), screen: screen, measuredBy: AdvanceTable())
                let findings = PageJudge(.current).findings(
                    scene, facts: facts, missingTick: PageJudge.MissingTick(of: page))
                for finding in findings where finding.severity == .error { broken.insert(finding.rule) }
            }
        }
        return broken
    }

    @Test(
        "Today's rules want nothing of a vendor's page but a tick that is unset and terms of the app's own",
        arguments: Vendor.allCases)
    func current(_ vendor: Vendor) throws {
        for isPopup in [false, true] {
            #expect(try today(vendor, isTicked: false, isPopup: isPopup) == [])
            #expect(try today(vendor, isTicked: true, isPopup: isPopup) == [.untickedAtFirst])
        }
    }

    @Test("The defaults are the documents'", arguments: Vendor.allCases)
    func defaults(_ vendor: Vendor) {
        let vendor = vendor.page
        let page = vendor.page
        func zh(_ text: LocalizedText) -> String { text[.simplifiedChinese] }
        #expect(page.navigationBar.title == nil && !page.navigationBar.isHidden && !page.navigationBar.back.isHidden)
        #expect(page.navigationBar.color.light == PageColor(0xffffff))
        #expect(page.background.color.light == PageColor(0xffffff))
        #expect(!page.logo.isHidden && page.logo.cornerRadius == 0)
        #expect(page.number.color.light == PageColor(0x000000) && page.number.font == PageFont(24, isBold: true))
        #expect(zh(page.switchButton.title.text) == "切换账号" && page.switchButton.title.font == PageFont(15))
        #expect(!page.switchButton.isHidden && page.switchButton.fill == AdaptiveColor(.clear))
        #expect(zh(page.loginButton.title.text) == "一键登录")
        #expect(page.loginButton.title.color.light == PageColor(0xffffff) && page.loginButton.cornerRadius == 0)
        #expect(page.slogan.font == PageFont(12) && page.terms.font == PageFont(12))
        #expect(page.terms.tick.isInitiallySet)
        #expect(page.terms.words.map(zh) == ["登录即同意", "和", "、", "并使用本机号码登录"])
        #expect(page.terms.alignment == .left && !page.terms.quotesCarrierTerms && page.terms.items.isEmpty)
        #expect(page.terms.pressedLinkColor.light == PageColor(0xff0000) && !page.terms.isUnderlined)
        #expect(page.terms.hint.isShown && zh(page.terms.hint.text) == "请同意服务条款" && page.terms.hint.offset == 0)
        #expect(page.background.repeats && page.presentation.style == .modal && page.presentation.appearance == .light)
        #expect(vendor.popup.cornerRadius == 6 && vendor.popup.corners.count == 4)
        #expect(vendor.popup.mask.light == PageColor(0, alpha: 128) && vendor.popup.animation == .coverVertical)
        #expect(zh(page.webPage.title?.style.text ?? LocalizedText("")) == "服务条款")
        #expect(page.webPage.title?.style.font == PageFont(17, isBold: true))
        #expect(!page.webPage.isBarHidden && page.webPage.color.light == PageColor(0xffffff))
    }

    @Test("Where GeYan's and OneLogin's documents disagree, each has its own default")
    func differences() {
        #expect(VendorPage.geYan.page.navigationBar.back.image?.name == "TYRZResource.bundle/back_13x21_")
        #expect(VendorPage.oneLogin.page.navigationBar.back.image?.size == PageSize(22, 22))
        #expect(VendorPage.geYan.popup.close.height == 22 && VendorPage.oneLogin.popup.close.height == 10)
    }
}
