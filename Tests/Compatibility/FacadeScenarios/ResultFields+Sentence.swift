package import OneTapShell

extension ResultFields {
    /// Puts `SENTENCE` for the description for developers, which is in no table. Every failure has one in the member
    /// `name`.
    ///
    /// - Returns: the dictionary as it came when it holds types that the documents do not have.
    package static func namingSentence(in name: String, of dictionary: [AnyHashable: Any]?) -> [AnyHashable: Any] {
        guard let dictionary, var fields = ResultFields(dictionary) else { return dictionary ?? [:] }
        guard case .fields(var metadata)? = fields[name] else { return dictionary }
        if case .text(let sentence)? = metadata["description"], !sentence.isEmpty {
            metadata["description"] = "SENTENCE"
        }
        fields[name] = .fields(metadata)
        return fields.dictionary
    }
}
