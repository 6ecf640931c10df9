/// An image of an app's login page, served to browsers by its digest.
package struct OpenIDMedia: Hashable, Sendable {
    /// As the page's description names it.
    package var name: String
    /// SHA-256 of the content as base64url: its address.
    package var digest: String
    /// A media type: `image/png`.
    package var type: String
    package var content: [UInt8]

    package init(name: String, digest: String, type: String, content: [UInt8]) {
        self.name = name
        self.digest = digest
        self.type = type
        self.content = content
    }
}
