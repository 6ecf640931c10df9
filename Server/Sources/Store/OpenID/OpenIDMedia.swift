/// An image of an app's login page, served to browsers by its digest.
public struct OpenIDMedia: Hashable, Sendable {
    /// As the page's description names it.
    public var name: String
    /// SHA-256 of the content as base64url: its address.
    public var digest: String
    /// A media type: `image/png`.
    public var type: String
    public var content: [UInt8]

    public init(name: String, digest: String, type: String, content: [UInt8]) {
        self.name = name
        self.digest = digest
        self.type = type
        self.content = content
    }
}
