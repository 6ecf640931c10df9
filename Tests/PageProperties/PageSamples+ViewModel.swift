public import BenjiPage

extension PageJSON {
    /// The part of a description that a view model can express. It lacks some fields, and pictures and views, which
    /// only an app has. Its texts are in one language.
    public func saidByViewModel(without paths: [String], in language: Language, at path: String = "") -> PageJSON? {
        guard !paths.contains(path), self["name"] == nil else { return nil }
        if let text = self[language.rawValue] { return text }
        switch self {
        case .object(let members):
            return .object(
                members.compactMap { member in
                    let place = path.isEmpty ? member.name : path + "." + member.name
                    let value = member.value.saidByViewModel(without: paths, in: language, at: place)
                    return value.map { Member(member.name, $0) }
                })
        case .array(let values):
            return .array(values.compactMap { $0.saidByViewModel(without: paths, in: language, at: path + "[]") })
        default: return self
        }
    }
}
