import BenjiPage
import BenjiPageReports
import Testing

@Suite struct PageRuleTextsTests {
    @Test("Every rule explains itself in two languages and names its source")
    func texts() {
        var seen: Set<String> = []
        for rule in PageRule.allCases {
            for text in [
                rule.explanation.simplifiedChinese, rule.explanation.english, rule.fix.simplifiedChinese,
                rule.fix.english, rule.source,
            ] { #expect(!text.isEmpty) }
            #expect(seen.insert(rule.explanation.english).inserted)
            #expect(seen.insert(rule.explanation.simplifiedChinese).inserted)
        }
    }
}
