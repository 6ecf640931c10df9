/// A product of the shop.
struct Tea: Sendable {
    let id: String
    let name: (chinese: String, english: String)
    let about: (chinese: String, english: String)
    /// In fen, for 50 g.
    let price: Int

    static let all = [
        Tea(
            id: "longjing", name: ("西湖龙井", "Longjing green tea"),
            about: ("清明前采，豆香，回甘。", "Picked before April; chestnut and spring grass."), price: 12800),
        Tea(
            id: "keemun", name: ("祁门红茶", "Keemun black tea"),
            about: ("蜜糖香，汤色红亮。", "Honey and dried fruit, bright red in the cup."), price: 8800),
        Tea(
            id: "tieguanyin", name: ("安溪铁观音", "Tieguanyin oolong"),
            about: ("兰花香，耐七泡。", "Orchid; good for seven infusions."), price: 9600),
        Tea(
            id: "jasmine", name: ("茉莉花茶", "Jasmine tea"),
            about: ("三窨一提，花香清透。", "Scented three times with fresh flowers."), price: 5800),
    ]

    static func find(_ id: String) -> Tea? { all.first { $0.id == id } }

    static func price(_ fen: Int) -> String {
        let cents = fen % 100
        return "¥\(fen / 100).\(cents < 10 ? "0" : "")\(cents)"
    }
}
