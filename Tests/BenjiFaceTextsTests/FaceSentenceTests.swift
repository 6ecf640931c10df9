import BenjiFaceTexts
import BenjiPage
import Testing

@Suite struct FaceSentenceTests {
    @Test("Every sentence is written in all three languages", arguments: FaceSentence.allCases)
    func complete(_ sentence: FaceSentence) {
        let texts = Language.allCases.map { sentence.text(in: $0) }
        for text in texts {
            #expect(!text.isEmpty && text.first?.isWhitespace == false && text.last?.isWhitespace == false)
        }
        #expect(isHan(texts[0]) && isHan(texts[1]) && !isHan(texts[2]))
    }

    @Test("No two sentences of a language are the same", arguments: Language.allCases)
    func distinct(_ language: Language) {
        #expect(Set(FaceSentence.allCases.map { $0.text(in: language) }).count == FaceSentence.allCases.count)
    }

    @Test("Traditional Chinese uses no character that only simplified Chinese has", arguments: FaceSentence.allCases)
    func traditional(_ sentence: FaceSentence) {
        let simplified = Set("请脸圆镜头转张动过试没画设录绑应边换净启权隐从册网络号码资机开关闭见线闭睁缩当据这还后几变")
        let used = sentence.text(in: .traditionalChinese).filter { simplified.contains($0) }
        #expect(used.isEmpty, "\(used)")
    }

    @Test("The app's name takes its place in every language", arguments: Language.allCases)
    func app(_ language: Language) {
        #expect(FaceSentence.authorizeTitle.text(in: language, app: "Shop").contains("Shop"))
        #expect(!FaceSentence.authorizeTitle.text(in: language, app: "Shop").contains("%@"))
    }

    @Test(
        "A person whose first language is not Chinese reads English",
        arguments: [
            (["zh-Hans-CN"], Language.simplifiedChinese), (["zh-CN"], .simplifiedChinese),
            (["zh"], .simplifiedChinese),
            (["zh_Hant_TW"], .traditionalChinese), (["zh-HK"], .traditionalChinese),
            (["zh-Hans-HK"], .simplifiedChinese), (["en-US"], .english), (["fr-FR", "zh-Hans"], .english),
            ([], .english),
        ])
    func preferred(_ tags: [String], _ language: Language) {
        #expect(Language(preferred: tags) == language)
    }

    private func isHan(_ text: String) -> Bool { text.unicodeScalars.contains { (0x4E00...0x9FFF).contains($0.value) } }
}
