import BenjiPage
import BenjiPageUIKit
import Testing
import UIKit

@MainActor @Suite struct FontMeasureTests {
    @Test("A character is as wide as the system's font draws it, bold and regular, the second time too")
    func widths() {
        let measure = FontMeasure()
        for isBold in [false, true] {
            let font = PageFont(20, isBold: isBold)
            for scalar in "登a 0".unicodeScalars {
                let expected = Double(StandInText.advance(of: scalar, isBold: isBold) * 20)
                #expect(abs(measure.advance(of: scalar, font: font) - expected) < 0.001)
                #expect(abs(measure.advance(of: scalar, font: font) - expected) < 0.001)
            }
        }
    }

    @Test("A typeface of the app's is measured and drawn itself, and one that it has not as the system's")
    func typefaces() {
        let measure = FontMeasure { UIFont(name: $0, size: 12) }
        let own = measure.advance(of: "登", font: PageFont(20))
        let brand = PageFont(20, typeface: "Brand-Wide")
        #expect(abs(measure.advance(of: "登", font: brand) - own * Double(StandInText.breadth)) < 0.001)
        #expect(measure.lineHeight(of: brand) == 20 * Double(StandInText.lineHeight))
        let missing = PageFont(20, typeface: "Nobody-Has-It")
        #expect(measure.advance(of: "登", font: missing) == own)
        #expect(measure.lineHeight(of: PageFont(20)) == 0)
    }

    @Test("Text takes the sum of its characters, so nothing is kerned")
    func sums() {
        let measure = FontMeasure()
        let font = PageFont(16)
        let text = "138****0000 登录"
        let sum = text.unicodeScalars.reduce(0) { $0 + measure.advance(of: $1, font: font) }
        let drawn = NSAttributedString(string: text, attributes: [.font: UIFont.systemFont(ofSize: 16), .kern: 0])
        #expect(abs(Double(drawn.size().width) - sum) < 0.001)
        // The stand-in kerns what does not forbid it, so a measure that forgot would be seen.
        let kerned = NSAttributedString(string: text, attributes: [.font: UIFont.systemFont(ofSize: 16)])
        #expect(abs(Double(kerned.size().width) - sum) > 0.1)
    }
}
