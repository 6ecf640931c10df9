import Benji
import BenjiClient
import BenjiPage
import BenjiProtocol
import Testing

@Suite struct PageMappingTests {
    private let offer = PageOffer(
        maskedNumber: "138****0000", carrier: .unicom,
        page: CarrierPage(
            termsTitle: "联通统一认证服务条款", termsURL: "https://opencloud.wostore.cn/x", slogan: "认证服务由联通统一认证提供"),
        policyVersion: "7", trace: TraceID(rawValue: String(repeating: "0a", count: 16))!)

    private let page = PageDescription(terms: [
        PageTerm("《用户协议》", url: "https://app.example/agreement"),
        PageTerm("《隐私政策》", url: "https://app.example/privacy"),
    ])

    @Test("A page is shown with what the prefetch brought")
    func facts() {
        let facts = PageFacts(offer)
        #expect(facts.carrier == .unicom)
        #expect(facts.maskedNumber == "138****0000")
        #expect(facts.duties.policyVersion == "7")
        #expect(facts.duties.termsTitle == offer.page.termsTitle)
        #expect(facts.duties.termsURL == offer.page.termsURL)
        #expect(facts.duties.slogan == offer.page.slogan)
        for carrier in Carrier.documented { #expect(PageCarrier(carrier).rawValue == carrier.rawValue) }
    }

    @Test("A consent says what the page said, in the words that the authority checks")
    func content() throws {
        for language in Language.allCases {
            let content = ConsentContent(
                PageContent(page, duties: PageFacts(offer).duties, language: language))
            #expect(content.drawnBy == .benji)
            #expect(content.language == language.rawValue)
            #expect(content.policyVersion == "7")
            #expect(!content.initiallyTicked)
            #expect(content.texts.contains { $0.role == .number && $0.text == ConsentContent.numberPlaceholder })
            #expect(
                content.links.map(\.url) == [offer.page.termsURL, page.terms.items[0].url, page.terms.items[1].url])
            #expect(content.links[0].title.contains(offer.page.termsTitle))
            // An authority reads back the content that a phone signs.
            #expect(try ConsentContent(content.json) == content)
        }
        #expect(PageContent.numberPlaceholder == ConsentContent.numberPlaceholder)
    }

    @Test("Every role of a page's texts has its namesake in a consent")
    func roles() {
        for role in PageContent.Role.allCases {
            var content = PageContent(page, duties: PageFacts(offer).duties, language: .english)
            content.texts = [PageContent.Text(role: role, text: "x")]
            #expect(ConsentContent(content).texts.map(\.role.rawValue) == [role.rawValue])
        }
        #expect(PageContent.Role.allCases.count == ConsentContent.Role.allCases.count)
    }

    @Test("The scene digest changes with a box, not with anything else, and is the digest that a shell computes")
    func digest() throws {
        func scene(_ page: PageDescription) throws -> PageScene {
            try PageScene(
                page, facts: PageFacts(offer), state: PageState(of: page), screen: PageScreen(375, 667),
                measuredBy: AdvanceTable())
        }
        let digest = try scene(page).digest
        #expect(digest == ConsentRecord.hash(of: String(decoding: try scene(page).json.bytes, as: UTF8.self)))
        #expect(digest.utf8.count == 43)
        #expect(try scene(page).digest == digest)
        var moved = page
        moved.logo.placement.portrait.top = 11
        #expect(try scene(moved).digest != digest)
    }

    @Test("A consent carries the times of the page in milliseconds")
    func times() throws {
        let consent = PageConsent(
            PageContent(page, duties: PageFacts(offer).duties, language: .english), scene: nil,
            times: PageTimes(shown: 1, ticked: 2, tapped: 3))
        #expect(consent.shownAt.milliseconds == 1)
        #expect(consent.tickedAt.milliseconds == 2)
        #expect(consent.tappedAt.milliseconds == 3)
        #expect(consent.sceneDigest == nil)
    }

    @Test(
        """
        A consent carries the digest of the page's description, one for all carriers and languages, another for each \
        change
        """
    )
    func pageDigest() throws {
        func carried(_ page: PageDescription, _ language: Language) -> String? {
            PageConsent(
                PageContent(page, duties: PageFacts(offer).duties, language: language), scene: nil,
                times: PageTimes(shown: 1, ticked: 2, tapped: 3)
            ).pageDigest
        }
        let digest = try page.digest()
        #expect(digest.utf8.count == 43)
        for language in Language.allCases { #expect(carried(page, language) == digest) }
        var recoloured = page
        recoloured.terms.tick.isInitiallySet = true
        #expect(carried(recoloured, .english) != digest)
        recoloured = page
        recoloured.loginButton.placement.portrait.top = 300
        #expect(carried(recoloured, .english) != digest)
        // A description that breaks its limits has no digest, and cannot be approved.
        recoloured.logo.placement.portrait.top = .nan
        #expect(carried(recoloured, .english) == nil)
    }
}
