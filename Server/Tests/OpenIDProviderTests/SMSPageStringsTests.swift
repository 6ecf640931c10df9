import BenjiPage
import OpenIDProvider
import Testing

struct SMSPageStringsTests {
    @Test(
        """
        beside the tick of a page for codes stand the app's words and terms in their order, without the words about \
        the phone's own number
        """,
        arguments: [0, 1, 2, 3, 4])
    func terms(count: Int) {
        let titles = ["《甲》", "《乙》", "《丙》", "《丁》"].prefix(count)
        let page = PageDescription(terms: titles.map { PageTerm($0, url: "https://app.example/\($0)") })
        let words = page.terms.words.map { $0[.simplifiedChinese] }
        let pieces = SMSPageStrings.terms(of: page, .simplifiedChinese)
        let expected =
            switch count {
            case 0: "同意使用此号码登录"
            case 1: words[0] + "《甲》"
            case 2: words[0] + "《甲》" + words[1] + "《乙》"
            case 3: words[0] + "《甲》" + words[1] + "《乙》" + words[2] + "《丙》"
            default: words[0] + "《甲》" + words[1] + "《乙》" + words[2] + "《丙》" + words[2] + "《丁》"
            }
        #expect(words[1] != words[2] && !expected.contains(words[3]))
        #expect(pieces.map(\.text).joined() == expected)
        #expect(pieces.compactMap(\.url).count == count)
    }
}
