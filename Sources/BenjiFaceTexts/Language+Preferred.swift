public import BenjiPage

extension Language {
    /// The first of a person's languages that is Chinese or English, as BCP 47 writes them; English when there is none.
    ///
    /// Only the first language counts: someone who reads French before Chinese is shown English, as the vendor's
    /// document has it.
    public init(preferred tags: [String]) {
        let tag = (tags.first ?? "").lowercased().replacing("_", with: "-")
        let parts = tag.split(separator: "-").map(String.init)
        guard parts.first == "zh" else {
            self = parts.first == "yue" ? .traditionalChinese : .english
            return
        }
        let isTraditional =
            parts.contains("hant") || (!parts.contains("hans") && !Set(parts).isDisjoint(with: ["tw", "hk", "mo"]))
        self = isTraditional ? .traditionalChinese : .simplifiedChinese
    }
}
