@_spi(Server) import BenjiProtocol
import Crypto
package import Requests
package import Store

/// The rules for an image or a video of a login page. It is a picture or an MP4 by its first bytes, whatever its name,
/// and not too large for a phone's connection. SVG is excluded: it can hold scripts and addresses of other hosts.
enum PageMedia {
    /// The largest image or video, in bytes.
    static let maximumSize = 512 * 1024
    /// The most images and videos on one page.
    static let maximumCount = 16

    static let tooMany = Refusal(.parameterInvalid, "media: at most \(maximumCount) images and videos")

    static func judged(_ media: [String: [UInt8]]) throws(Refusal) -> [OpenIDMedia] {
        guard media.count <= maximumCount else { throw tooMany }
        var judged: [OpenIDMedia] = []
        for (name, content) in media.sorted(by: { $0.key < $1.key }) {
            guard (1...200).contains(name.utf8.count) else {
                throw Refusal(.parameterInvalid, "media: a name has 1 to 200 bytes")
            }
            if let problem = TextGrammar.problem(in: name) {
                throw Refusal(.parameterInvalid, "media: a name \(problem)")
            }
            guard content.count <= maximumSize else {
                throw Refusal(.parameterInvalid, "media \(name): has more than \(maximumSize / 1024) KiB")
            }
            guard let type = type(of: content) else {
                throw Refusal(.parameterInvalid, "media \(name): is no PNG, JPEG, GIF or WebP picture and no MP4 video")
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
        // Other brands of the same container are pictures, sounds, or what only one maker's players play (RFC 4337,
        // mp4ra.org).
        let brands = ["isom", "iso2", "iso4", "iso5", "iso6", "mp41", "mp42", "avc1", "M4V ", "dash"]
        if begins(Array("ftyp".utf8), at: 4), brands.contains(where: { begins(Array($0.utf8), at: 8) }) {
            return "video/mp4"
        }
        return nil
    }
}

extension OpenIDClients {
    /// Checks an app's logo: a still picture.
    package static func logo(_ content: [UInt8]) throws(Refusal) -> [UInt8] {
        guard let type = PageMedia.type(of: content), ["image/png", "image/jpeg", "image/webp"].contains(type) else {
            throw Refusal(.parameterInvalid, "logo: is no PNG, JPEG or WebP picture")
        }
        guard content.count <= PageMedia.maximumSize else {
            throw Refusal(.parameterInvalid, "logo: has more than \(PageMedia.maximumSize / 1024) KiB")
        }
        return content
    }
}

extension OpenIDMedia {
    /// Whether a text can be a digest, and so an address, of ours.
    package static func isDigest(_ text: String) -> Bool {
        text.utf8.count == 43 && Base64URL.decode(text)?.count == 32
    }
}
