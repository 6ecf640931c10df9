import BenjiPage
import Testing

@testable import Requests

@Suite("The language of a page") struct PageLanguageTests {
    @Test(
        "is the first of the wanted ones that there is, and simplified Chinese if there is none",
        arguments: [
            (["en"], Language.english), (["fr", "EN-gb", "zh"], .english), (["zh"], .simplifiedChinese),
            (["zh-CN"], .simplifiedChinese), (["zh-TW"], .traditionalChinese), (["zh-HK", "en"], .traditionalChinese),
            (["zh-Hant"], .traditionalChinese), (["zh-Hant-CN"], .traditionalChinese),
            (["zh-Hans-HK"], .simplifiedChinese), (["zh-MO"], .traditionalChinese), ([], .simplifiedChinese),
            (["fr", "x-hk"], .simplifiedChinese),
        ])
    func wanted(tags: [String], language: Language) {
        #expect(Language(wanted: tags) == language)
    }
}
