internal import BenjiProtocol
internal import Crypto
internal import Store

/// What an image of a login page may be: a picture by its own first bytes, whatever its name says, and not too large for a
/// phone's connection. SVG is none: it can hold scripts and addresses of other hosts.
enum PageMedia {
    /// Of one image, in bytes.
    static let greatestSize = 512 * 1024
    /// Of one page.
    static let greatestCount = 16

    static func judged(_ media: [String: [UInt8]]) throws(Refusal) -> [OpenIDMedia] {
        guard media.count <= greatestCount else {
            throw Refusal(.parameterInvalid, "media: at most \(greatestCount) images")
        }
        var judged: [OpenIDMedia] = []
        for (name, content) in media.sorted(by: { $0.key < $1.key }) {
            guard (1...200).contains(name.utf8.count) else {
                throw Refusal(.parameterInvalid, "media: a name has 1 to 200 bytes")
            }
            guard content.count <= greatestSize else {
                throw Refusal(.parameterInvalid, "media \(name): has more than \(greatestSize / 1024) KiB")
            }
            guard let type = type(of: content) else {
                throw Refusal(.parameterInvalid, "media \(name): is no PNG, JPEG, GIF or WebP picture")
            }
            judged.append(
                OpenIDMedia(
                    name: name, digest: Base64URL.encode(Array(SHA256.hash(data: content))), type: type,
                    content: content))
        }
        return judged
    }

    /// The media type that the content begins like.
    static func type(of content: [UInt8]) -> String? {
        func begins(_ bytes: [UInt8], at offset: Int = 0) -> Bool { content.dropFirst(offset).starts(with: bytes) }
        if begins([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) { return "image/png" }
        if begins([0xff, 0xd8, 0xff]) { return "image/jpeg" }
        if begins(Array("GIF87a".utf8)) || begins(Array("GIF89a".utf8)) { return "image/gif" }
        if begins(Array("RIFF".utf8)), begins(Array("WEBP".utf8), at: 8) { return "image/webp" }
        return nil
    }

    /// Whether a text can be a digest, and so an address, of ours.
    static func isDigest(_ text: some StringProtocol) -> Bool {
        text.utf8.count == 43 && Base64URL.decode(String(text))?.count == 32
    }
}
