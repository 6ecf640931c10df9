import Testing

@testable import BenjiPage

/// The error of reading `text` as a description, or `nil` if it is one.
private func refusal(_ text: String) -> PageError? {
    do throws(PageError) {
        _ = try PageDescription(parsing: Array(text.utf8))
        return nil
    } catch {
        return error
    }
}

/// The error of writing a description, or `nil` if it can be written.
private func refusal(_ change: (inout PageDescription) -> Void) -> PageError? {
    var page = PageDescription.usual
    change(&page)
    do throws(PageError) {
        _ = try page.json()
        return nil
    } catch {
        return error
    }
}

@Suite struct PageDescriptionTests {
    @Test("The defaults, and a page without any default, are what their golden files say")
    func golden() throws {
        try expectGolden(indented(try PageDescription.usual.json().text), "usual-page.json")
        try expectGolden(indented(try PageDescription.changed.json().text), "changed-page.json")
    }

    @Test("A description survives writing and reading", arguments: [PageDescription.usual, .changed, .init()])
    func roundTrip(page: PageDescription) throws {
        let bytes = try page.json().bytes
        let again = try PageDescription(parsing: bytes)
        #expect(again == page)
        #expect(try again.json().bytes == bytes)
    }

    @Test("An empty object is the page with every default")
    func empty() throws { #expect(try PageDescription(parsing: Array("{}".utf8)) == PageDescription()) }

    @Test("A field that is not written keeps the default of its place, not of its type")
    func partial() throws {
        let text = #"{"number":{"font":{"size":20}},"loginButton":{"text":"登录"},"terms":{"font":{"bold":true}}}"#
        let page = try PageDescription(parsing: Array(text.utf8))
        #expect(page.number.font == PageFont(20, isBold: true))
        #expect(page.loginButton.title.font == PageFont(16))
        #expect(page.loginButton.title.text == LocalizedText("登录"))
        #expect(page.terms.font == PageFont(12, isBold: true))
    }

    @Test("A typeface is read and written by its name, is told to whoever draws, and is no member where there is none")
    func typeface() throws {
        let text = #"{"number":{"font":{"typeface":"PingFangSC-Semibold"}}}"#
        var page = try PageDescription(parsing: Array(text.utf8))
        #expect(page.number.font == PageFont(24, isBold: true, typeface: "PingFangSC-Semibold"))
        #expect(try PageDescription(parsing: page.json().bytes) == page)
        #expect(String(decoding: try page.json().bytes, as: UTF8.self).contains("PingFangSC-Semibold"))
        page.number.font.typeface = nil
        #expect(try page.json() == PageDescription().json())
        for name in ["", "a b", "../x", "\"};x", String(repeating: "n", count: 129)] {
            page.number.font.typeface = name
            #expect(throws: PageError.self, "\(name)") { try page.json() }
        }
    }

    @Test("Every field of the golden file of a page without defaults differs from the default")
    func nothingLeftAtItsDefault() throws {
        var same: [String] = []
        func compare(_ changed: PageJSON, _ usual: PageJSON?, _ path: String) {
            guard let usual else { return }
            if case .object(let members) = changed, case .object = usual {
                for member in members { compare(member.value, usual[member.name], path + "." + member.name) }
            } else if changed == usual {
                same.append(path)
            }
        }
        var usual = PageDescription.usual
        usual.popup = PageDescription.Popup()
        usual.consentDialog = PageDescription.ConsentDialog()
        compare(try PageDescription.changed.json(), try usual.json(), "$")
        #expect(same == [])
    }

    @Test("The words of a set are written in one order whatever order they came in")
    func words() throws {
        let text = #"{"presentation":{"orientations":["landscapeRight","portrait"]}}"#
        let page = try PageDescription(parsing: Array(text.utf8))
        #expect(page.presentation.orientations == [.portrait, .landscapeRight])
        var reversed = PageDescription()
        reversed.presentation.orientations = [.landscapeRight, .portrait]
        #expect(try reversed.json() == page.json())
    }

    @Test("Whatever changes the page changes the bytes of the page digest, and how it is written does not")
    func digest() throws {
        let first = try PageDescription.usual.bytesForDigest()
        #expect(try PageDescription(parsing: PageDescription.usual.json().bytes).bytesForDigest() == first)
        var page = PageDescription.usual
        page.slogan.color.dark.blue ^= 1
        #expect(try page.bytesForDigest() != first)
    }
}

@Suite struct MalformedPageTests {
    @Test(
        "A malformed description is refused with the path of the field",
        arguments: [
            (#"[]"#, "$"), (#"{"lgoo":{}}"#, "$.lgoo"), (#"{"logo":{"sise":1}}"#, "$.logo.sise"),
            (#"{"logo":[]}"#, "$.logo"), (#"{"logo":{"hidden":1}}"#, "$.logo.hidden"),
            (#"{"logo":{"cornerRadius":-1}}"#, "$.logo.cornerRadius"),
            (#"{"logo":{"placement":{"width":-5}}}"#, "$.logo.placement.width"),
            (#"{"logo":{"placement":{"portrait":{"top":-0.001}}}}"#, "$.logo.placement.portrait.top"),
            (#"{"logo":{"image":{"name":"../secret","width":1,"height":1}}}"#, "$.logo.image.name"),
            (#"{"logo":{"image":{"name":"/etc/passwd"}}}"#, "$.logo.image.name"),
            (#"{"logo":{"image":{"width":0}}}"#, "$.logo.image.width"),
            (#"{"number":{"font":{"size":NaN}}}"#, "$.number.font.size"),
            (#"{"number":{"font":{"size":201}}}"#, "$.number.font.size"),
            (#"{"number":{"font":{"size":"big"}}}"#, "$.number.font.size"),
            (#"{"number":{"color":"red"}}"#, "$.number.color"),
            (##"{"number":{"color":"#12345"}}"##, "$.number.color"),
            (##"{"number":{"color":{"light":"#000000"}}}"##, "$.number.color.dark"),
            (##"{"number":{"color":{"light":"#000000","dark":7}}}"##, "$.number.color.dark"),
            (#"{"presentation":{"style":"sideways"}}"#, "$.presentation.style"),
            (#"{"presentation":{"orientations":[]}}"#, "$.presentation.orientations"),
            (#"{"presentation":{"orientations":["portrait","portrait"]}}"#, "$.presentation.orientations"),
            (#"{"presentation":{"orientations":["portrait","up"]}}"#, "$.presentation.orientations[1]"),
            (#"{"loginButton":{"text":""}}"#, "$.loginButton.text"),
            (#"{"loginButton":{"text":{"en":"Log in"}}}"#, "$.loginButton.text"),
            (#"{"loginButton":{"text":{"zh-Hans":"登录","fr":"Entrer"}}}"#, "$.loginButton.text.fr"),
            (#"{"terms":{"words":["a","b","c"]}}"#, "$.terms.words"),
            (#"{"terms":{"words":["a","b","c",7]}}"#, "$.terms.words[3]"),
            (#"{"terms":{"items":[{"url":"https://a.example"}]}}"#, "$.terms.items[0].title"),
            (#"{"terms":{"items":[{"title":"A"}]}}"#, "$.terms.items[0].url"),
            (
                #"{"terms":{"items":[{"title":"A","url":"https://a.example","index":1.5}]}}"#,
                "$.terms.items[0].index"
            ),
            (#"{"popup":null}"#, "$.popup"), (#"{"custom":[{}]}"#, "$.custom[0].view"),
            (#"{"custom":[{"view":{"name":""}}]}"#, "$.custom[0].view.name"),
        ])
    func places(text: String, place: String) { #expect(refusal(text)?.place == place) }

    @Test(
        "The address of terms must be https with a plain host",
        arguments: [
            "javascript:alert(1)", "JavaScript:alert(1)", "http://a.example", "//a.example", "https://", "https:///x",
            "https://good.example@evil.example/", "https://a.example/ b", "https://a.example/\u{202e}",
            "https://%65vil.example", "https://a.example/\"onclick=", "https://中文.example", " https://a.example",
            "data:text/html,x", "https://a.example\\@b.example",
        ])
    func addresses(address: String) throws {
        let escaped = PageJSON.string(address).text
        let text = #"{"terms":{"items":[{"title":"A","url":"https://a.example"},{"title":"B","url":"# + escaped + "}]}}"
        #expect(refusal(text)?.place == "$.terms.items[1].url")
        #expect(refusal { $0.terms.items[1].url = address }?.place == "$.terms.items[1].url")
    }

    @Test(
        "A text that turns its direction, has invisible parts or means nothing to others is refused",
        arguments: [
            "\u{202e}登录", "登\u{200b}录", "登\u{200d}录", "\u{feff}登录", "登\u{00ad}录", "登\u{2066}录", "登\n录",
            "登\u{0}录", "登\u{7f}录", "登\u{85}录", "登\u{2028}录", "登\u{e000}录", "登\u{fffe}录", "登\u{1fffe}录",
            "登\u{e0041}录", "登\u{fe0f}录", "\u{3164}", "登\u{061c}录",
        ])
    func texts(text: String) {
        let json = #"{"terms":{"items":[{"url":"https://a.example","title":"# + PageJSON.string(text).text + "}]}}"
        #expect(refusal(json)?.place == "$.terms.items[0].title")
        #expect(refusal { $0.loginButton.title.text.english = text }?.place == "$.loginButton.text.en")
    }

    @Test(
        "A text may hold emoji, and words of scripts that need joiners",
        arguments: ["❤️ 登录", "👨‍👩‍👧‍👦", "1️⃣", "می\u{200c}خواهم", "登录 "])
    func joinedTexts(text: String) {
        #expect(refusal { $0.loginButton.title.text.english = text } == nil)
    }

    @Test("What is put together in Swift is held to the same limits, with the path")
    func inSwift() {
        #expect(refusal { $0.logo.cornerRadius = .nan }?.place == "$.logo.cornerRadius")
        #expect(refusal { $0.logo.placement.portrait.top = .infinity }?.place == "$.logo.placement.portrait.top")
        #expect(refusal { $0.number.font.size = -1 }?.place == "$.number.font.size")
        #expect(refusal { $0.terms.words = [] }?.place == "$.terms.words")
        #expect(refusal { $0.terms.items[0].index = 5000 }?.place == "$.terms.items[0].index")
        #expect(refusal { $0.background.gif = PageSlot("a b") }?.place == "$.background.gif.name")
        #expect(
            refusal { $0.terms.items = Array(repeating: $0.terms.items[0], count: 17) }?.place == "$.terms.items")
        #expect(
            refusal {
                $0.slogan.color = .paper
                $0.loginButton.title.text = LocalizedText(String(repeating: "登", count: 201))
            }?
            .place == "$.loginButton.text")
    }

    @Test("Ten megabytes of text are refused with the path of the field")
    func tenMegabytes() {
        let text = String(repeating: "登", count: 3_500_000)
        #expect(refusal(#"{"loginButton":{"text":""# + text + #""}}"#)?.place == "$.loginButton.text")
    }
}
