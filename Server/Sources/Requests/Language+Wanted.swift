package import BenjiPage

extension Language {
    /// The first of the wanted languages (BCP 47 tags, best first) that there is; simplified Chinese if there is none.
    package init(wanted tags: [String]) {
        for tag in tags {
            let parts = tag.lowercased().split(separator: "-")
            switch parts.first {
            case "en": self = .english
            case "zh":
                let isTraditional = parts.dropFirst().contains { ["hant", "tw", "hk", "mo"].contains($0) }
                self = isTraditional && !parts.contains("hans") ? .traditionalChinese : .simplifiedChinese
            default: continue
            }
            return
        }
        self = .simplifiedChinese
    }
}
