/// The elements that a login page must show for one carrier.
public struct CarrierPage: Hashable, Sendable {
    /// Title of the carrier's terms, without 《》.
    public var termsTitle: String
    public var termsURL: String
    public var slogan: String

    public init(termsTitle: String, termsURL: String, slogan: String) {
        self.termsTitle = termsTitle
        self.termsURL = termsURL
        self.slogan = slogan
    }

    public var json: JSON {
        .object(["termsTitle": .string(termsTitle), "termsURL": .string(termsURL), "slogan": .string(slogan)])
    }

    public init(_ json: JSON, path: String) throws(JSONError) {
        var reader = try JSONObjectReader(json, path: path)
        termsTitle = try reader.string("termsTitle", length: 1...128)
        termsURL = try reader.value("termsURL", "must start with https://") { $0.hasPrefix("https://") ? $0 : nil }
        slogan = try reader.string("slogan", length: 1...128)
        try reader.finish()
    }
}
