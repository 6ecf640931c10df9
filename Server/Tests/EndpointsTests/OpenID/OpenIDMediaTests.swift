import BenjiPage
import Crypto
import Foundation
import HTTPTypes
import ServerTestKit
import Store
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import OpenIDProvider
@testable import Requests
@testable import ServerHTTP

@Suite("What browsers load of the OpenID provider besides its pages")
struct OpenIDMediaTests {
    /// A picture as far as its first bytes go.
    private static let picture: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + Array("a logo".utf8)
    private static let digest = Base64URL.encode(Array(SHA256.hash(data: picture)))

    private func register(
        _ media: [String: [UInt8]], page: PageDescription? = nil, in world: OpenIDWorld
    ) async throws {
        let page = try page ?? PageDescription(parsing: Array(OpenIDWorld.page.utf8))
        var registration = OpenIDClients.Registration(appID: world.shop.record.id, page: page)
        registration.redirectURIs = [OpenIDWorld.callback]
        registration.authentication = .clientSecretBasic
        registration.media = media
        _ = try await world.clients.register(registration)
    }

    @Test("a page's image comes from the pages' own host under its digest, and the policy lets in nothing else")
    func image() async throws {
        try await OpenIDWorld.visit { world in
            let without = try await world.open()
            #expect(without.headers[.contentSecurityPolicy]?.contains("img-src") == false)
            #expect(!without.body.contains("<img"))
            try await register(["logo": Self.picture], in: world)
            let page = try await world.open()
            let path = "/openid/media/\(Self.digest)"
            #expect(page.body.contains("src=\"\(path)\""))
            let policy = try #require(page.headers[.contentSecurityPolicy])
            #expect(policy.contains("; img-src 'self'; ") && !policy.contains("data:"))
            let image = try await world.browse(.get, path)
            #expect(image.status == .ok && image.headers[.contentType] == "image/png")
            #expect(image.body == String(decoding: Self.picture, as: UTF8.self))
            #expect(image.headers[.cacheControl] == "public, max-age=31536000, immutable")
            #expect(image.headers[.xContentTypeOptions] == "nosniff")
            #expect(image.headers[.contentSecurityPolicy]?.hasPrefix("default-src 'none'; sandbox") == true)
            #expect(image.headers[.resourcePolicy] == "same-origin")
        }
    }

    @Test("a page's video plays without sound from the pages' own host, and comes in the parts that a browser asks for")
    func video() async throws {
        let content = "1234ftypisom and a picture that moves"
        try await OpenIDWorld.visit { world in
            var description = try PageDescription(parsing: Array(OpenIDWorld.page.utf8))
            description.background.video = PageSlot("waves")
            try await register(["waves": Array(content.utf8)], page: description, in: world)
            let page = try await world.open()
            let digest = Base64URL.encode(Array(SHA256.hash(data: Array(content.utf8))))
            let path = "/openid/media/\(digest)"
            #expect(page.body.contains(" autoplay muted loop playsinline src=\"\(path)\""))
            #expect(page.headers[.contentSecurityPolicy]?.contains("; media-src 'self'; ") == true)
            func ask(_ range: String?, ifRange: String? = nil) async throws -> Exchange {
                var headers = HTTPFields()
                headers[.range] = range
                headers[.ifRange] = ifRange
                return try await world.browse(.get, path, headers: headers)
            }
            let whole = try await ask(nil)
            #expect(whole.status == .ok && whole.body == content && whole.headers[.contentType] == "video/mp4")
            #expect(whole.headers[.acceptRanges] == "bytes" && whole.headers[.contentRange] == nil)
            let part = try await ask("bytes=4-11")
            #expect(part.status == .partialContent && part.body == "ftypisom")
            #expect(part.headers[.contentRange] == "bytes 4-11/\(content.utf8.count)")
            #expect(part.headers[.contentType] == "video/mp4" && part.headers[.xContentTypeOptions] == "nosniff")
            let beyond = try await ask("bytes=1000-")
            #expect(beyond.status == .rangeNotSatisfiable && beyond.body.isEmpty)
            #expect(beyond.headers[.contentRange] == "bytes */\(content.utf8.count)")
            #expect(try await ask("bytes=4-11", ifRange: "\"an older one\"").body == content)
        }
    }

    @Test(
        "a range is a first and a last byte, or one of them; several, none and others are everything",
        arguments: [
            ("bytes=0-0", .part(0..<1)), ("bytes=2-4", .part(2..<5)), ("bytes=2-", .part(2..<10)),
            ("bytes=-3", .part(7..<10)),
            ("bytes=-99", .part(0..<10)), ("bytes=8-99", .part(8..<10)), ("Bytes=0-1", .part(0..<2)),
            ("bytes=10-", .unsatisfiable), ("bytes=10-12", .unsatisfiable), ("bytes=-0", .unsatisfiable),
            ("bytes=9223372036854775807-", .unsatisfiable), ("bytes=0-9223372036854775807", .part(0..<10)),
            ("bytes=9223372036854775808-", .whole), ("bytes=4-2", .whole), ("bytes=-", .whole), ("bytes=", .whole),
            ("bytes=a-b", .whole), ("bytes=1-2,4-5", .whole), ("bytes=+1-2", .whole), ("lines=1-2", .whole),
            ("", .whole),
        ] as [(String, ByteRange)])
    func ranges(header: String, range: ByteRange) {
        #expect(ByteRange(header, of: 10) == range)
        #expect(ByteRange(nil, of: 10) == .whole)
    }

    @Test("an image that no page has is not there, and neither is a text that can be no digest")
    func unknownImage() async throws {
        try await OpenIDWorld.visit { world in
            try await register(["logo": Self.picture], in: world)
            for text in [
                Base64URL.encode(Array(repeating: 0, count: 32)), "x", "..", Self.digest + "A", "%27%20OR%201=1",
                Self.digest.lowercased() + "=",
            ] {
                let answer = try await world.browse(.get, "/openid/media/\(text)")
                #expect(answer.status == .notFound && answer.code == "not_found", "\(text)")
            }
            _ = try await world.clients.remove(world.shop.record.id)
            #expect(try await world.browse(.get, "/openid/media/\(Self.digest)").status == .notFound)
        }
    }

    @Test(
        "a file is what its first bytes are, whatever its name says; scripts in disguise are refused",
        arguments: [
            ("<svg xmlns='http://www.w3.org/2000/svg'/>", nil), ("<script>", nil), ("", nil), ("GIF89a…", "image/gif"),
            ("RIFF1234WEBP…", "image/webp"), ("RIFF1234WAVE…", nil), ("BM", nil), ("1234ftypisom…", "video/mp4"),
            ("1234ftypM4V …", "video/mp4"), ("1234ftypheic…", nil), ("1234ftypqt  …", nil), ("ftypisom", nil),
        ] as [(String, String?)])
    func types(content: String, type: String?) {
        #expect(PageMedia.type(of: Array(content.utf8)) == type)
    }

    @Test("images that are none, too large or too many are not registered, and the client stays as it was")
    func refusedMedia() async throws {
        try await OpenIDWorld.visit { world in
            let large = Self.picture + Array(repeating: 0, count: PageMedia.maximumSize)
            let many = Dictionary(
                uniqueKeysWithValues: (0...PageMedia.maximumCount).map { ("image\($0)", Self.picture) })
            for media in [["logo": Array("<svg/>".utf8)], ["logo": large], many, ["": Self.picture]] {
                await #expect(throws: Refusal.self) { try await register(media, in: world) }
            }
            let tokens = try await world.exchange(try await world.code())
            #expect(tokens.status == .ok, "the secret is the old one")
        }
    }

    @Test("the helper for web developers is a few kilobytes, asks no other host, and any origin may load it")
    func script() async throws {
        try await OpenIDWorld.visit { world in
            let script = try await world.browse(.get, "/openid/benji.js")
            #expect(script.headers[.contentType] == "text/javascript; charset=utf-8")
            #expect(script.headers[.accessControlAllowOrigin] == "*")
            #expect(script.body.utf8.count < 7168 && script.body.contains("export async function login"))
            let forbidden = ["http:", "https:", "eval(", "innerHTML", "import(", "fetch(", "document.cookie"]
            #expect(forbidden.allSatisfy { !script.body.contains($0) })
            var headers = HTTPFields()
            headers[.ifNoneMatch] = script.headers[.eTag]
            let again = try await world.browse(.get, "/openid/benji.js", headers: headers)
            #expect(again.status == .notModified && again.body.isEmpty)
        }
    }
}
