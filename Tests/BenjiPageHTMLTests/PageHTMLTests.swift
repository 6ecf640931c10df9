import BenjiPage
import BenjiPageHTML
import Foundation
import Testing

private let page = PageDescription(terms: [
    PageTerm("《用户协议》", url: "https://app.example/agreement?a=1&b='2'"),
    PageTerm("《<b>\"隐私\" & '政策'》", url: "https://app.example/privacy"),
])

private func scene(
    _ page: PageDescription = page, _ screen: PageScreen = PageScreen(375, 667, safeArea: PageInsets(top: 20)),
    state change: (inout PageState) -> Void = { _ in }
) throws -> PageScene {
    var state = PageState(of: page)
    change(&state)
    return try PageScene(
        page, facts: .sample(.mobile), state: state, screen: screen, measuredBy: AdvanceTable())
}

private func document(_ scenes: [PageScene], _ change: (inout PageHTML.Options) -> Void = { _ in }) -> String {
    var options = PageHTML.Options(nonce: "bm9uY2U")
    change(&options)
    return PageHTML(scenes, options).document
}

@Suite struct PageHTMLTests {
    @Test(
        "The document asks nobody for anything: no script, no inline style, no foreign file, and a policy that says so")
    func policy() throws {
        let text = try document([scene()])
        #expect(!text.contains("<script") && !text.contains(" style=") && !text.contains("@import"))
        #expect(!text.contains("url(") && !text.contains("<link") && !text.contains("src="))
        #expect(text.contains("<style nonce=\"bm9uY2U\">"))
        let policy = PageHTML(try [scene()], PageHTML.Options(nonce: "bm9uY2U")).contentSecurityPolicy
        #expect(
            policy == "default-src 'none'; style-src 'nonce-bm9uY2U'; form-action 'self'; base-uri 'none'; "
                + "frame-ancestors 'none'")
    }

    @Test("A button with a picture is tapped as far as the scene says: what lies around the picture is not cut off")
    func pictureButtons() throws {
        var page = page
        page.navigationBar.back.image = PageImage("chevron", width: 24, height: 24)
        page.loginButton.images.normal = PageImage("glow", width: 300, height: 48)
        let scene = try scene(page)
        let text = document([scene])
        for role in [PageRole.back, .login] {
            let index = try #require(scene.boxes.firstIndex { $0.role == role })
            let rule = try #require(text.firstMatch(of: try Regex("\\.s0b\(index)\\{([^}]*)\\}")))
            #expect(scene.boxes[index].hitArea != nil && !String(text[rule.range]).contains("overflow"))
        }
        let logo = try #require(scene.boxes.firstIndex { $0.role == .logo })
        let clipped = try #require(text.firstMatch(of: try Regex("\\.s0b\(logo)\\{([^}]*)\\}")))
        #expect(String(text[clipped.range]).contains("overflow:hidden"), "a picture alone keeps to its box")
    }

    @Test("Motion is asked for, and stands in nothing but the rules for people who did not ask for less of it")
    func motion() throws {
        #expect(try !document([scene()]).contains("animation:come"))
        let text = try document([scene()]) { $0.isAnimated = true }
        let query = try #require(text.firstRange(of: "@media (prefers-reduced-motion:no-preference){\n"))
        let end = try #require(text[query.upperBound...].firstRange(of: "\n}\n"))
        #expect(text[query.upperBound..<end.lowerBound].contains("animation:come"))
        for word in ["come", "rise", "transition:"] {
            #expect(!text[..<query.lowerBound].contains(word) && !text[end.upperBound...].contains(word))
        }
    }

    @Test("Images may come from the page's own host or from within it, and only those that there are")
    func mediaSources() throws {
        func policy(_ addresses: String...) throws -> String {
            var options = PageHTML.Options(nonce: "bm9uY2U")
            options.media = addresses.map { ("logo", $0) }
            let html = PageHTML(try [scene()], options)
            #expect(addresses.allSatisfy { html.document.contains("src=\"\($0)\"") == ($0 == addresses[0]) })
            return html.contentSecurityPolicy
        }
        #expect(try policy("/openid/media/abc-_1").contains("; img-src 'self'; media-src 'self'; form-action"))
        #expect(try policy("data:image/png;base64,AAAA").contains("; img-src data:; media-src data:; form-action"))
        #expect(try policy("/a", "data:,").contains("; img-src 'self' data:; "))
        for foreign in ["//evil.example/x", "/\\evil.example", "/a\"b", "https://evil.example/x", "a/b", ""] {
            var options = PageHTML.Options(nonce: "bm9uY2U")
            options.media = [("logo", foreign)]
            let html = PageHTML(try [scene()], options)
            #expect(!html.contentSecurityPolicy.contains("img-src") && !html.document.contains("<img"))
        }
    }

    @Test("A form may lead on where the caller says, and what is no source of a policy stays out of it")
    func formTargets() throws {
        var options = PageHTML.Options(nonce: "bm9uY2U")
        options.formTargets = ["https:", "com.example.shop:", "https://a; script-src *", "", "*"]
        let html = PageHTML(try [scene()], options)
        #expect(html.contentSecurityPolicy.contains("; form-action 'self' https: com.example.shop:; base-uri 'none'"))
        #expect(html.document.contains("form-action &#39;self&#39; https: com.example.shop:;"))
    }

    @Test(
        "A desktop's window shows the highest upright scene that fits as a card, and only a page that asks for it does")
    func cards() throws {
        let screens = [(320.0, 480.0), (393, 660), (760, 360)]
        let scenes = try [PageAppearance.light, .dark].flatMap { appearance in
            try screens.map { try scene(page, PageScreen($0, $1, appearance: appearance)) }
        }
        let text = document(scenes) { $0.isCardOnDesktops = true }
        let rules = text.split(separator: "\n").filter { $0.contains("(min-height:") && !$0.contains(" not ") }
        let conditions = rules.map { $0.prefix { $0 != "{" } }
        #expect(
            conditions == [
                "@media (min-width:600px) and (min-height:520px)", "@media (min-width:600px) and (min-height:780px)",
                "@media (prefers-color-scheme:dark) and (min-width:600px) and (min-height:520px)",
                "@media (prefers-color-scheme:dark) and (min-width:600px) and (min-height:780px)",
            ])
        #expect(zip(rules, [0, 1, 3, 4]).allSatisfy { $0.contains(".s\($1){display:block}") })
        #expect(!document(scenes).contains("(min-height:"))
    }

    @Test(
        "What lies behind a page lies behind the whole window, and its bar is as wide, but for a card's and a popup's")
    func grounds() throws {
        var page = page
        page.background.video = PageSlot("waves")
        let screens = [(320.0, 480.0), (600, 340)]
        let scenes = try screens.map { try scene(page, PageScreen($0, $1)) }
        let text = document(scenes) { $0.isCardOnDesktops = true }
        let rule = "@media not all and (min-width:600px) and (min-height:520px){.b.f{position:fixed;inset:0;"
        #expect(text.contains(rule))
        #expect(text.components(separatedBy: " f\" data-role=\"backgroundVideo\"").count == 3)
        #expect(text.components(separatedBy: " n\" data-role=\"navigationBar\"").count == 3)
        #expect(!document(scenes).contains("position:fixed") && !document(scenes).contains("100vw"))
        page.popup = PageDescription.Popup()
        let popups = try screens.map { try scene(page, PageScreen($0, $1)) }
        let popup = document(popups) { $0.isCardOnDesktops = true }
        #expect(!popup.contains(" f\" data-role") && !popup.contains(" n\" data-role"))
    }

    @Test("Scenes of both appearances follow the device's setting, each the widest that fits")
    func appearances() throws {
        let scenes = try [PageAppearance.light, .dark].flatMap { appearance in
            try [320.0, 430].map { try scene(page, PageScreen($0, 700, appearance: appearance)) }
        }
        let text = document(scenes)
        #expect(text.contains("content=\"light dark\""))
        #expect(
            text.contains(
                "@media (prefers-color-scheme:dark){html{background:#1c1c1e}.s{display:none}.s2{display:block}}")
        )
        #expect(text.contains("@media (prefers-color-scheme:dark) and (min-width:430px) and (orientation:portrait)"))
        #expect(text.contains(".s1{display:none}") && text.contains(".s3{display:none}"))
        #expect(document([scenes[2]]).contains("content=\"dark\""))
    }

    @Test("A link that is broken over lines has its whole name for those who hear it")
    func brokenLink() throws {
        let narrow = try document([scene(page, PageScreen(320, 568))])
        let wide = try document([scene(page, PageScreen(1024, 768))])
        #expect(!wide.contains(" aria-label=\"《用户协议》\""), "one line needs no other name")
        let labels = narrow.matches(of: /noopener noreferrer" aria-label="([^"]*)"/).map { String($0.1) }
        #expect(!labels.isEmpty && labels.allSatisfy { $0.hasPrefix("《") && $0.hasSuffix("》") && !$0.contains(" ") })
    }

    @Test("What an app writes stays text, in content and in attributes")
    func escaping() throws {
        let text = try document([scene()]) {
            $0.formAction = "/login?\"><script>"
            $0.fields = [("a\"", "<b>")]
            $0.nonce = "x'; script-src *\"><script>"
        }
        #expect(!text.contains("<b>") && !text.contains("<script"))
        let joined = text.replacing(/<\/span><span class="[^"]*">/, with: "")
        #expect(joined.contains("《&lt;b&gt;&quot;隐私&quot; &amp; &#39;政策&#39;》"))
        #expect(text.contains("href=\"https://app.example/agreement?a=1&amp;b=&#39;2&#39;\""))
        #expect(text.contains("&#39;nonce-xscript-srcscript&#39;"))
    }

    @Test("Media are shown only from data addresses")
    func media() throws {
        let address = "data:image/png;base64,AAAA"
        #expect(try document([scene()]) { $0.media = [("logo", address)] }.contains("src=\"\(address)\""))
        #expect(try !document([scene()]) { $0.media = [("logo", "https://evil.example/x.png")] }.contains("evil"))
    }

    @Test("By keyboard one goes from the top of the page to its end, and each control says what it does")
    func focusOrder() throws {
        let text = try document([scene()])
        let order = [
            "value=\"close\"", "value=\"login\"", "value=\"switch\"", "type=\"checkbox\"", "contract.html",
            "agreement?", "/privacy",
        ]
        var position = text.startIndex
        for part in order {
            let found = try #require(text.range(of: part, range: position..<text.endIndex), "\(part)")
            position = found.upperBound
        }
        #expect(text.contains("aria-label=\"返回\"") && text.contains("aria-label=\"同意条款\""))
        #expect(!text.contains("tabindex"))
    }

    @Test("The tick is required and not set, so that the browser itself says when it is missing")
    func tick() throws {
        #expect(try document([scene()]).contains(" required aria-label"))
        #expect(try !document([scene()]).contains(" checked"))
        #expect(try document([scene { $0.isTicked = true }]).contains(" required checked aria-label"))
        // Neither leaving nor another login needs it.
        let text = try document([scene()])
        #expect(text.components(separatedBy: "formnovalidate").count == 3)
    }

    @Test("Every text of the scene is in the document, each line at its place")
    func texts() throws {
        let scene = try scene()
        let text = document([scene])
        for box in scene.boxes {
            for line in box.text?.lines ?? [] {
                for run in line.runs where !run.text.contains("<") && !run.text.contains("'") {
                    #expect(text.contains(">\(run.text)</span>"))
                }
            }
        }
        #expect(text.contains("lang=\"zh-Hans\"") && text.contains("prefers-reduced-motion"))
    }

    @Test("With several scenes one is shown at a time, chosen by width and orientation")
    func responsive() throws {
        let screens = [PageScreen(320, 568), PageScreen(852, 393), PageScreen(390, 844)]
        let text = document(try screens.map { try scene(page, $0) })
        let wide = try #require(text.range(of: "@media (min-width:852px) and (orientation:landscape)"))
        let tall = try #require(text.range(of: "@media (min-width:390px) and (orientation:portrait)"))
        #expect(tall.lowerBound < wide.lowerBound)
        #expect(
            text.contains(".s1{display:none}") && text.contains(".s2{display:none}")
                && !text.contains(".s0{display:none}"))
        #expect(text.components(separatedBy: "<main").count == 4)
    }

    @Test("A dialog, a hint and the waiting are told to screen readers as what they are")
    func overlays() throws {
        var page = page
        page.consentDialog = PageDescription.ConsentDialog()
        let dialog = try document([scene(page) { $0.isDialogShown = true }])
        #expect(dialog.contains("role=\"dialog\" aria-modal=\"true\" aria-labelledby=\"s0dialog\""))
        #expect(dialog.contains("value=\"agree\"") && dialog.contains("value=\"disagree\""))
        #expect(try document([scene { $0.isHintShown = true }]).contains("role=\"alert\""))
        #expect(try document([scene { $0.isLoading = true }]).contains("role=\"status\" aria-label=\"正在登录\""))
    }

    @Test(
        """
        With the scene of a higher screen, a scene is as high as the window, and what moves between the two moves evenly
        """
    )
    func stretching() throws {
        let low = try scene(page, PageScreen(390, 660))
        let high = try scene(page, PageScreen(390, 860))
        var options = PageHTML.Options(nonce: "abc")
        options.isCardOnDesktops = true
        let text = PageHTML([low], taller: [high], options).document
        #expect(text.contains("--e:clamp(0px,100svh - 660px,200px)") && text.contains("height:calc(660px + var(--e))"))
        // The terms keep their distance from the lower edge, whatever the height.
        let terms = try #require(low.boxes.firstIndex { $0.role == .terms })
        let start = try #require(text.range(of: ".s0b\(terms){"))
        let rule = text[start.upperBound...].prefix { $0 != "}" }
        #expect(rule.contains("px + 1*var(--e))"))
        #expect(text.contains(".s{--e:0px;display:none;"), "a card has the height of its own scene")
        #expect(!PageHTML([low], options).document.contains("calc(660px"))
        // Another page, or one that is no higher, changes nothing.
        let wide = try scene(page, PageScreen(430, 860))
        for other in [wide, low] { #expect(!PageHTML([low], taller: [other], options).document.contains("calc(660px")) }
    }

    @Test("Where the tick is not required, the form goes without it; under a dialog nothing can be reached")
    func sheet() throws {
        var options = PageHTML.Options(nonce: "abc")
        options.isTickRequired = false
        #expect(try !PageHTML([scene()], options).document.contains(" required"))
        var page = page
        page.consentDialog = PageDescription.ConsentDialog()
        let text = try PageHTML([scene(page) { $0.isDialogShown = true }], options).document
        let inert = try #require(text.range(of: "<div inert>"))
        let mask = try #require(text.range(of: "data-role=\"dialogMask\""))
        let under = text[inert.upperBound..<mask.lowerBound]
        #expect(under.contains("value=\"login\"") && under.contains("data-role=\"tick\"") && under.contains("</div>"))
        #expect(!text[mask.upperBound...].contains("value=\"login\""))
        #expect(text.contains("tabindex=\"-1\" autofocus>"))
        #expect(text.components(separatedBy: "<div").count == text.components(separatedBy: "</div>").count)
    }

    @Test("A letter stands in the place of a logo without a picture, and pages of named origins may frame the page")
    func monogram() throws {
        var options = PageHTML.Options(nonce: "abc")
        options.monogram = "<"
        options.frameAncestors = ["https://shop.example", "https://a.example; script-src *"]
        let html = try PageHTML([scene()], options)
        #expect(html.document.contains("aria-hidden=\"true\">&lt;</span></div>"))
        #expect(html.contentSecurityPolicy.hasSuffix("; frame-ancestors https://shop.example"))
        options.frameAncestors = []
        #expect(try PageHTML([scene()], options).contentSecurityPolicy.hasSuffix("; frame-ancestors 'none'"))
    }

    @Test("With the ticked scene, tick and waiting login button change their looks by themselves")
    func tickedLooks() throws {
        var page = page
        page.loginButton.needsTick = true
        page.terms.tick.setImage = PageImage("on", width: 12, height: 12)
        page.terms.tick.unsetImage = PageImage("off", width: 12, height: 12)
        let first = try scene(page)
        let second = try scene(page, state: { $0.isTicked = true })
        var options = PageHTML.Options(nonce: "bm9uY2U")
        options.media = [("on", "data:image/png,ON"), ("off", "data:image/png,OFF")]
        let text = PageHTML([first], ticked: [second], options).document
        let login = try #require(first.boxes.firstIndex { $0.role == .login })
        let tick = try #require(first.boxes.firstIndex { $0.role == .tick })
        #expect(
            text.contains(".s0:has(.t:checked) .s0b\(login){background:\(page.loginButton.fills.normal.light.text)}"))
        #expect(text.contains(".s0b\(tick){border:0;background:url(\"data:image/png,OFF\")"))
        #expect(text.contains(".s0b\(tick):checked{border:0;background:url(\"data:image/png,ON\")"))
        #expect(!text.contains(" disabled"))
    }

    @Test("An address of an image cannot leave the style sheet")
    func styleEscaping() throws {
        var page = page
        page.terms.tick.unsetImage = PageImage("off", width: 12, height: 12)
        var options = PageHTML.Options(nonce: "bm9uY2U")
        options.media = [("off", "data:image/svg+xml,\");}</style><script>\\a\n'")]
        let text = PageHTML([try scene(page)], ticked: [try scene(page) { $0.isTicked = true }], options).document
        #expect(text.contains("url(\"data:image/svg+xml,%22);}%3C/style%3E%3Cscript%3E%5Ca%27\")"))
        #expect(!text.contains("<script") && text.components(separatedBy: "</style>").count == 2)
    }
}
