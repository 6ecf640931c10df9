import Testing

@testable import BenjiPage

private let sentence = "登录即同意《中国移动认证服务条款》、《用户协议》和《隐私政策》，并使用本机号码登录。"

private func broken(_ text: String, _ size: Double, _ limit: Double) -> [String] {
    LineBreaker(measure: AdvanceTable(), font: PageFont(size))
        .lines([.init(text: text, link: nil)], limit: limit)
        .map { $0.runs.map(\.text).joined() }
}

@Suite struct AdvanceTableTests {
    @Test(
        "An advance is what the font says, in both weights",
        arguments: [
            ("一", 1000, 1000), ("《", 1000, 1000), ("0", 555, 590), ("*", 467, 507), (" ", 224, 227), ("W", 878, 915),
            ("ﾊ", 500, 500), ("\u{10ffff}", 1000, 1000), ("ก", 1000, 1000),
        ] as [(Unicode.Scalar, Double, Double)])
    func advances(scalar: Unicode.Scalar, regular: Double, bold: Double) {
        #expect(AdvanceTable().advance(of: scalar, font: PageFont(1000)) == regular)
        #expect(AdvanceTable().advance(of: scalar, font: PageFont(1000, isBold: true)) == bold)
    }

    @Test("The table is whole and rising, so that it can be searched by halves")
    func order() {
        let table = AdvanceTable.notoSansCJKSC
        #expect(table.count % 4 == 0 && table.count > 1000)
        for index in stride(from: 0, to: table.count, by: 4) {
            #expect(table[index] <= table[index + 1])
            if index > 0 { #expect(table[index - 3] < table[index]) }
        }
    }
}

@Suite struct LineBreakerTests {
    @Test("Chinese text breaks between any two characters, and punctuation stays with what it belongs to")
    func chinese() {
        // 《 may not end the first line, and 》、 may not begin the third: 策 goes with them.
        #expect(broken("登录即同意《隐私政策》、和", 10, 60) == ["登录即同意", "《隐私政", "策》、和"])
    }

    @Test(
        "No line begins or ends with what may not stand there, at any width",
        arguments: Array(stride(from: 60.0, through: 400, by: 7)))
    func forbiddenPlaces(limit: Double) {
        let lines = broken(sentence, 12, limit)
        #expect(lines.joined() == sentence)
        for line in lines.dropFirst() { #expect(!"》）、，。".contains(line.first!), "\(line)") }
        for line in lines.dropLast() { #expect(!"《（".contains(line.last!), "\(line)") }
        for line in lines {
            #expect(
                line.unicodeScalars.reduce(0) { $0 + AdvanceTable().advance(of: $1, font: PageFont(12)) } <= limit
                    + 0.01)
        }
    }

    @Test("Latin text breaks at spaces, which take no width at a line's end")
    func latin() {
        #expect(broken("aa bb cc", 10, 26) == ["aa bb ", "cc"])
        #expect(broken("aa bb", 10, 12.5) == ["aa ", "bb"])
    }

    @Test("A text that fills its line exactly stays on it")
    func exact() {
        #expect(broken("一二三", 12, 36) == ["一二三"])
        #expect(broken("一二三", 12, 35.9) == ["一二", "三"])
    }

    @Test("A word wider than a line is broken inside, and a line narrower than a character holds one")
    func longWord() {
        #expect(broken("aaaaaaaa", 10, 20) == ["aaa", "aaa", "aa"])
        #expect(broken("一二", 12, 1) == ["一", "二"])
    }

    @Test("A line is made of runs, one for each link and what lies between, side by side")
    func runs() {
        let pieces = [
            LineBreaker<AdvanceTable>.Piece(text: "同意", link: nil), .init(text: "《甲》", link: 0),
            .init(text: "和", link: nil),
            .init(text: "《乙》", link: 1),
        ]
        let breaker = LineBreaker(measure: AdvanceTable(), font: PageFont(10))
        let lines = breaker.lines(pieces, limit: 70)
        #expect(lines.map { $0.runs.map(\.text) } == [["同意", "《甲》", "和"], ["《乙》"]])
        #expect(lines[0].runs.map(\.x) == [0, 20, 50])
        #expect(lines[0].runs.map(\.link) == [nil, 0, nil])
        #expect(breaker.lines(pieces, limit: 70, alignment: .right)[1].runs[0].x == 40)
        #expect(breaker.lines(pieces, limit: 70, alignment: .center)[1].runs[0].x == 20)
    }

    @Test("No text has no lines")
    func empty() { #expect(broken("", 12, 100) == []) }
}
