import BenjiPage
import Crypto
import Foundation
import HTTPTypes
import Store
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints

@Suite("What browsers load of the OpenID provider besides its pages")
struct OpenIDMediaTests {
    /// A picture as far as its first bytes go.
    private static let picture: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + Array("a logo".utf8)
    private static let digest = Base64URL.encode(Array(SHA256.hash(data: picture)))

    private func register(_ media: [String: [UInt8]], in world: OpenIDWorld) async throws {
        var registration = OpenIDClients.Registration(
            appID: world.shop.record.id, page: try PageDescription(parsing: Array(OpenIDWorld.page.utf8)))
        registration.redirectURIs = [OpenIDWorld.callback]
        registration.authentication = .clientSecretBasic
        registration.media = media
        _ = try await world.authority.openIDClients.register(registration)
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
            _ = try await world.authority.openIDClients.remove(world.shop.record.id)
            #expect(try await world.browse(.get, "/openid/media/\(Self.digest)").status == .notFound)
        }
    }

    @Test(
        "a file is what its first bytes are, whatever its name says; scripts in disguise are refused",
        arguments: [
            ("<svg xmlns='http://www.w3.org/2000/svg'/>", nil), ("<script>", nil), ("", nil), ("GIF89a…", "image/gif"),
            ("RIFF1234WEBP…", "image/webp"), ("RIFF1234WAVE…", nil), ("BM", nil),
        ] as [(String, String?)])
    func types(content: String, type: String?) {
        #expect(PageMedia.type(of: Array(content.utf8)) == type)
    }

    @Test("images that are none, too large or too many are not registered, and the client stays as it was")
    func refusedMedia() async throws {
        try await OpenIDWorld.visit { world in
            let large = Self.picture + Array(repeating: 0, count: PageMedia.greatestSize)
            let many = Dictionary(
                uniqueKeysWithValues: (0...PageMedia.greatestCount).map { ("image\($0)", Self.picture) })
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
