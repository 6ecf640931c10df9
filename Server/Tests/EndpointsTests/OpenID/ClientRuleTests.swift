import BenjiPage
import Crypto
import Foundation
import Store
import SwiftASN1
import Testing
import X509

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import OpenIDProvider
@testable import Requests

@Suite("What a client of the OpenID provider may be registered as")
struct ClientRuleTests {
    private static func keySet(_ keys: [JSON]? = nil) -> String {
        let own = [OpenIDWorld.jwk(P256.Signing.PrivateKey().publicKey, id: "a")]
        return JSON.object(["keys": .array(keys ?? own)]).text
    }

    /// Returns the refusal of a client that has a secret, one redirect URI and a page, after a change.
    private func problem(
        isNew: Bool = true, _ change: (inout OpenIDClients.Registration) -> Void
    ) throws -> String? {
        var registration = OpenIDClients.Registration(
            appID: AppID(rawValue: "300000000001")!, page: try PageDescription(parsing: Array(OpenIDWorld.page.utf8)))
        registration.redirectURIs = ["https://shop.example/callback"]
        registration.authentication = .clientSecretBasic
        change(&registration)
        do { try OpenIDClients.validate(registration, isNew: isNew) } catch { return error.detail }
        return nil
    }

    @Test("a registration of which nothing is said is a client that signs, with PKCE, and with nothing else")
    func defaults() {
        let plain = OpenIDClients.Registration(appID: AppID(rawValue: "300000000001")!)
        #expect(plain.authentication == .privateKeyJWT && plain.idTokenAlgorithm == .es256 && plain.profile == .openID)
        #expect(plain.requiresPKCE)
        #expect(!plain.asksMiddleDigits && !plain.requiresPushedRequests && !plain.stableSubjectWithoutPage)
        #expect(!plain.bindsAccessTokens && !plain.bindsToCertificate && !plain.remembersConsent)
        #expect(plain.redirectURIs.isEmpty && plain.purposes.isEmpty && plain.frameAncestors.isEmpty)
        #expect(plain.page == nil && plain.keySet == nil && plain.certificateName == nil && plain.backchannel == nil)
    }

    @Test("a new client needs a page, and one that is there keeps the one that it has")
    func page() throws {
        #expect(try problem { $0.page = nil } == "page: missing; a new client needs one")
        #expect(try problem(isNew: false) { $0.page = nil } == nil)
        #expect(try problem { _ in } == nil)
    }

    @Test("a client has one to thirty-two redirect URIs, each of which could be one")
    func redirectURIs() throws {
        let uris = (1...33).map { "https://shop.example/\($0)" }
        #expect(try problem { $0.redirectURIs = [] } == "redirect URIs: 1 to 32")
        #expect(try problem { $0.redirectURIs = Array(uris.prefix(32)) } == nil)
        #expect(try problem { $0.redirectURIs = uris } == "redirect URIs: 1 to 32")
        let told = try problem { $0.redirectURIs.append("http://shop.example/") }
        #expect(told == "redirect URI http://shop.example/: must be https; http is for the machine itself")
    }

    @Test("a key set is read whoever brings it, and a client that signs needs one")
    func keySets() throws {
        #expect(try problem { $0.keySet = "[]" } != nil)
        #expect(try problem { $0.keySet = Self.keySet() } == nil)
        let missing = try problem { $0.authentication = .privateKeyJWT }
        #expect(missing == "private_key_jwt: needs the client's public keys as a JWK set")
    }

    @Test("a certificate's name is read whoever brings it, and a client of tls_client_auth needs one")
    func certificateNames() throws {
        #expect(try problem { $0.certificateName = CertificateName(.ip, "nobody") } != nil)
        #expect(try problem { $0.authentication = .tlsClientAuth } != nil)
        let named = try problem {
            $0.authentication = .tlsClientAuth
            $0.certificateName = CertificateName(.dns, "client.example")
        }
        #expect(named == nil)
        let unnamed = try problem {
            $0.authentication = .selfSignedTLSClientAuth
            $0.keySet = Self.keySet()
        }
        #expect(unnamed?.hasPrefix("self_signed_tls_client_auth: needs the client's certificate") == true)
    }

    @Test("a certificate's name has 1024 bytes at most")
    func nameLength() {
        func problem(_ length: Int) -> String? {
            CertificateName(.uri, "a:" + String(repeating: "b", count: length - 2)).problem
        }
        #expect(problem(1024) == nil)
        #expect(problem(1025) == "must have 1024 bytes at most")
    }

    @Test(
        """
        a client that signs has thirty-two purposes at most, each a term of the vocabulary, and no other client has one
        """
    )
    func purposes() throws {
        let purposes = (1...33).map { "dpv:Purpose\($0)" }
        func signing(_ purposes: [String]) throws -> String? {
            try problem {
                $0.authentication = .privateKeyJWT
                $0.keySet = Self.keySet()
                $0.purposes = purposes
            }
        }
        #expect(try signing(Array(purposes.prefix(32))) == nil)
        #expect(try signing(purposes) == "purposes: at most 32")
        #expect(try signing(["fraud"])?.hasPrefix("purpose fraud: must be dpv: and a name") == true)
        let other = try problem { $0.purposes = ["dpv:FraudPreventionAndDetection"] }
        #expect(other == "purposes: CAMARA's interfaces need a client that signs (private_key_jwt)")
    }

    @Test("a client has sixteen frame ancestors at most, each an origin")
    func frameAncestors() throws {
        let origins = (1...17).map { "https://shop\($0).example" }
        #expect(try problem { $0.frameAncestors = Array(origins.prefix(16)) } == nil)
        #expect(try problem { $0.frameAncestors = origins } == "frame ancestors: at most 16")
        #expect(try problem { $0.frameAncestors = ["*"] }?.hasPrefix("frame ancestor *: must be an origin") == true)
    }

    @Test("a client remembers consents or always asks for the digits, and not both")
    func remembering() throws {
        #expect(try problem { $0.remembersConsent = true } == nil)
        #expect(try problem { $0.asksMiddleDigits = true } == nil)
        let both = try problem {
            $0.remembersConsent = true
            $0.asksMiddleDigits = true
        }
        #expect(both?.hasPrefix("remember_consent: ") == true)
    }

    @Test(
        """
        profile fapi2 takes no secret, no client without PKCE, no RS256 and no purposes; other clients have all of them
        """
    )
    func fapi() throws {
        func both(_ change: @escaping (inout OpenIDClients.Registration) -> Void) throws -> [String?] {
            try [ClientProfile.fapi2, .openID].map { profile in
                try problem {
                    $0.authentication = .privateKeyJWT
                    $0.keySet = Self.keySet()
                    $0.profile = profile
                    change(&$0)
                }
            }
        }
        #expect(try both { _ in } == [nil, nil])
        let secret = "profile fapi2: needs a client that signs (private_key_jwt), or mutual TLS"
        for method in [ClientAuthentication.clientSecretBasic, .clientSecretPost, .clientSecretJWT] {
            #expect(try both { $0.authentication = method } == [secret, nil])
        }
        let certificate = try both {
            $0.authentication = .tlsClientAuth
            $0.certificateName = CertificateName(.dns, "client.example")
        }
        #expect(certificate == [nil, nil])
        #expect(try both { $0.requiresPKCE = false } == ["profile fapi2: needs PKCE", nil])
        #expect(try both { $0.idTokenAlgorithm = .rs256 } == ["profile fapi2: has no RS256", nil])
        let purposes = try both { $0.purposes = ["dpv:FraudPreventionAndDetection"] }
        #expect(purposes[0]?.hasPrefix("profile fapi2: CAMARA's interfaces") == true && purposes[1] == nil)
    }

    @Test(
        """
        asking people on their phones goes with profile openid alone, and with an endpoint exactly where pings are sent
        """
    )
    func backchannel() throws {
        let rules = CallbackRules()
        func problem(
            _ delivery: BackchannelDelivery?, _ endpoint: String? = nil,
            _ change: (inout OpenIDClients.Registration) -> Void = { _ in }
        ) -> String? {
            var registration = OpenIDClients.Registration(appID: AppID(rawValue: "300000000001")!)
            registration.backchannel = delivery.map {
                BackchannelRegistration(delivery: $0, notificationEndpoint: endpoint)
            }
            change(&registration)
            do { try registration.checkBackchannel(rules) } catch { return error.detail }
            return nil
        }
        let told = "https://shop.example/ping"
        #expect(problem(nil) { $0.asksMiddleDigits = true } == nil)
        #expect(problem(nil) { $0.profile = .fapi2 } == nil)
        #expect(problem(.poll) == nil && problem(.ping, told) == nil)
        #expect(
            problem(.poll) { $0.asksMiddleDigits = true }?.hasPrefix("backchannel: an app that always asks") == true)
        #expect(problem(.poll) { $0.profile = .fapi2 } == "backchannel: the profile fapi2 has none")
        #expect(problem(.poll, told) == "backchannel: only a client with ping has a notification endpoint")
        #expect(problem(.ping)?.hasPrefix("backchannel: ping needs a notification endpoint") == true)
        #expect(problem(.ping, "http://shop.example/")?.contains("backchannel notification endpoint") == true)
    }

    // MARK: - Addresses

    @Test("a redirect URI has 2048 characters at most, all of them visible, and none that means something in a page")
    func redirectURICharacters() {
        func address(_ length: Int) -> String {
            let start = "https://shop.example/"
            return start + String(repeating: "a", count: length - start.utf8.count)
        }
        #expect(OpenIDClients.problem(ofRedirectURI: address(2048)) == nil)
        let asked = "must be ASCII of at most 2048 characters, without spaces, *, # and quotes"
        #expect(OpenIDClients.problem(ofRedirectURI: address(2049)) == asked)
        for character in "\"<>\\^`{|}*# \u{7f}é" {
            #expect(OpenIDClients.problem(ofRedirectURI: "https://shop.example/\(character)") == asked, "\(character)")
        }
        #expect(OpenIDClients.problem(ofRedirectURI: "https://shop.example/!~") == nil)
    }

    @Test("a redirect URI holds no user name, and its scheme is in small letters")
    func redirectURIParts() {
        for uri in ["https://u@shop.example/", "https://u:p@shop.example/"] {
            #expect(OpenIDClients.problem(ofRedirectURI: uri) == "must not hold a user name")
        }
        let scheme = OpenIDClients.problem(ofRedirectURI: "Com.Example.Shop:/callback")
        #expect(scheme == "must be an absolute address with its scheme in lower case")
        #expect(OpenIDClients.problem(ofRedirectURI: "com.example.shop:/callback") == nil)
        #expect(OpenIDClients.problem(ofRedirectURI: "https:/shop.example") == "must name a host")
    }

    @Test("an origin has 255 characters at most, and neither user, path, query nor fragment")
    func originParts() {
        func origin(_ length: Int) -> String {
            let labels = String(repeating: String(repeating: "a", count: 49) + ".", count: 5)
            return "https://" + String(labels.prefix(length - 9)) + "a"
        }
        #expect(origin(255).utf8.count == 255)
        #expect(OpenIDClients.problem(ofFrameAncestor: origin(255)) == nil)
        for text in [
            origin(256), "", "https://u@shop.example", "https://shop.example/", "https://shop.example?a=b",
            "https://shop.example#a", "ftp://localhost", "http://shop.example",
        ] {
            let told = OpenIDClients.problem(ofFrameAncestor: text)
            #expect(told?.hasPrefix("must be an origin") == true, "\(text)")
        }
    }

    @Test("an origin is in small letters, and has no port that its scheme means anyway")
    func originSpelling() {
        for text in [
            "https://shop-1.example", "https://shop.example:80", "http://localhost:443", "http://localhost:81",
        ] {
            #expect(OpenIDClients.problem(ofFrameAncestor: text) == nil, "\(text)")
        }
        for text in [
            "https://shop_1.example", "https://Shop.example", "https://shop.example:443", "http://localhost:80",
            "https://", "https://:8443",
        ] {
            let told = OpenIDClients.problem(ofFrameAncestor: text)
            #expect(told?.hasPrefix("must be written as browsers write it") == true, "\(text)")
        }
    }

    // MARK: - Images

    private static let png: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

    @Test("a page has sixteen images at most, of names of 1 to 200 bytes and of 512 KiB at most")
    func mediaBounds() throws {
        func problem(_ media: [String: [UInt8]]) -> String? {
            do { _ = try PageMedia.judged(media) } catch { return error.detail }
            return nil
        }
        func images(_ count: Int) -> [String: [UInt8]] {
            Dictionary(uniqueKeysWithValues: (0..<count).map { ("image\($0)", Self.png) })
        }
        #expect(problem(images(16)) == nil)
        #expect(problem(images(17)) == "media: at most 16 images and videos")
        #expect(problem([String(repeating: "a", count: 200): Self.png]) == nil)
        #expect(problem([String(repeating: "a", count: 201): Self.png]) == "media: a name has 1 to 200 bytes")
        #expect(problem(["": Self.png]) == "media: a name has 1 to 200 bytes")
        let largest = Self.png + [UInt8](repeating: 0, count: 512 * 1024 - Self.png.count)
        #expect(problem(["a": largest]) == nil)
        #expect(problem(["a": largest + [0]]) == "media a: has more than 512 KiB")
        #expect(try PageMedia.judged(["b": Self.png, "a": Self.png]).map(\.name) == ["a", "b"])
        let judged = try #require(try PageMedia.judged(["a": Self.png]).first)
        #expect(judged.type == "image/png" && judged.content == Self.png)
        #expect(judged.digest == Base64URL.encode(Array(SHA256.hash(data: Self.png))))
    }

    @Test("each kind of picture is known by its first bytes, and every one of them counts")
    func types() {
        let riff = Array("RIFF1234WEBP".utf8)
        let pictures: [(String, [UInt8])] = [
            ("image/png", Self.png), ("image/jpeg", [0xff, 0xd8, 0xff]), ("image/gif", Array("GIF87a".utf8)),
            ("image/gif", Array("GIF89a".utf8)), ("image/webp", riff), ("video/mp4", Array("1234ftypisom".utf8)),
        ]
        for (type, bytes) in pictures {
            #expect(PageMedia.type(of: bytes) == type)
            #expect(PageMedia.type(of: bytes + [0]) == type)
            #expect(PageMedia.type(of: [0] + bytes) == nil)
            #expect(PageMedia.type(of: Array(bytes.dropLast())) == nil)
        }
        #expect(PageMedia.type(of: Array("FORM1234WEBP".utf8)) == nil)
        #expect(PageMedia.type(of: Array("1234moovisom".utf8)) == nil)
        for brand in ["iso2", "iso4", "iso5", "iso6", "mp41", "mp42", "avc1", "M4V ", "dash"] {
            #expect(PageMedia.type(of: Array("1234ftyp\(brand)".utf8)) == "video/mp4")
        }
    }

    @Test("a logo is a picture that stands still, of 512 KiB at most")
    func logos() {
        func problem(_ content: [UInt8]) -> String? {
            do { _ = try OpenIDClients.logo(content) } catch { return error.detail }
            return nil
        }
        let largest = Self.png + [UInt8](repeating: 0, count: 512 * 1024 - Self.png.count)
        #expect(problem(largest) == nil && problem([0xff, 0xd8, 0xff]) == nil)
        #expect(problem(Array("RIFF1234WEBP".utf8)) == nil)
        #expect(problem(largest + [0]) == "logo: has more than 512 KiB")
        for other in ["GIF89a", "1234ftypisom", "<svg/>"] {
            #expect(problem(Array(other.utf8)) == "logo: is no PNG, JPEG or WebP picture")
        }
    }

    // MARK: - What follows from a registration

    private func record(_ change: (inout OpenIDClientRecord) -> Void = { _ in }) -> OpenIDClientRecord {
        var record = OpenIDClientRecord(
            appID: AppID(rawValue: "300000000001")!, redirectURIs: ["https://shop.example/callback"],
            authentication: .clientSecretBasic, secrets: [], keySet: nil, idTokenAlgorithm: .es256,
            asksMiddleDigits: false, requiresPushedRequests: false, page: "{}")
        change(&record)
        return record
    }

    @Test("a secret serves for header and form alike; one that codes are made with serves for nothing else")
    func secrets() {
        let methods = ClientAuthentication.allCases
        let fitting = methods.flatMap { one in methods.filter { one.fits($0) }.map { "\(one.rawValue) \($0.rawValue)" }
        }
        #expect(
            Set(fitting) == [
                "client_secret_basic client_secret_basic", "client_secret_basic client_secret_post",
                "client_secret_post client_secret_basic", "client_secret_post client_secret_post",
                "client_secret_jwt client_secret_jwt",
            ])
    }

    @Test("profile fapi2 takes pushed requests and bound tokens alone; a certificate does where tokens are bound to it")
    func alone() {
        #expect(!record().takesPushedRequestsAlone && !record().takesKeyBoundTokensAlone)
        #expect(record { $0.requiresPushedRequests = true }.takesPushedRequestsAlone)
        #expect(record { $0.bindsAccessTokens = true }.takesKeyBoundTokensAlone)
        let fapi = record { $0.profile = .fapi2 }
        #expect(fapi.takesPushedRequestsAlone && fapi.takesKeyBoundTokensAlone)
        let certificate = record {
            $0.profile = .fapi2
            $0.bindsToCertificate = true
        }
        #expect(certificate.takesPushedRequestsAlone && !certificate.takesKeyBoundTokensAlone)
        #expect(!record { $0.bindsToCertificate = true }.takesKeyBoundTokensAlone)
    }

    @Test("operators see each part of a client under its name, and of what is not there nothing")
    func json() {
        let bare = record().json()
        for name in [
            "tls_client_auth_subject_dn", "tls_client_auth_san_dns", "tls_client_auth_san_uri",
            "tls_client_auth_san_ip", "backchannel_token_delivery_mode", "backchannel_client_notification_endpoint",
            "jwks_digest", "media",
        ] { #expect(bare[name] == nil, "\(name)") }
        #expect(bare["has_jwks"] == false && bare["client_id"] == "300000000001")
        let full = record {
            $0.keySet = "{}"
            $0.certificateName = CertificateName(.dns, "client.example")
            $0.backchannel = BackchannelRegistration(
                delivery: .ping, notificationEndpoint: "https://shop.example/ping")
        }.json(media: ["b": "2", "a": "1"])
        #expect(full["has_jwks"] == true && full["jwks_digest"] != nil)
        #expect(full["tls_client_auth_san_dns"] == "client.example" && full["tls_client_auth_san_uri"] == nil)
        #expect(full["backchannel_token_delivery_mode"] == "ping")
        #expect(full["backchannel_client_notification_endpoint"] == "https://shop.example/ping")
        #expect(full["media"]?.text == #"{"a":"1","b":"2"}"#)
    }

    // MARK: - Names of certificates

    @Test(
        "each name of an attribute's type is that of its number",
        arguments: [
            ("CN", "2.5.4.3"), ("serialNumber", "2.5.4.5"), ("C", "2.5.4.6"), ("L", "2.5.4.7"), ("ST", "2.5.4.8"),
            ("STREET", "2.5.4.9"), ("O", "2.5.4.10"), ("OU", "2.5.4.11"), ("organizationIdentifier", "2.5.4.97"),
            ("UID", "0.9.2342.19200300.100.1.1"), ("DC", "0.9.2342.19200300.100.1.25"),
            ("emailAddress", "1.2.840.113549.1.9.1"),
        ])
    func attributeTypes(name: String, number: String) throws {
        let named = try #require(SubjectName(parsing: "\(name)=x"))
        #expect(named == SubjectName(parsing: "\(number)=x"))
        #expect(named == SubjectName(parsing: "\(name.lowercased())=x"))
    }

    @Test("an attribute's number has two to thirty-two parts of one to nine digits, and begins as X.660 has it")
    func attributeNumbers() {
        func number(_ count: Int) -> String { "2." + (1..<count).map { _ in "1" }.joined(separator: ".") }
        for good in ["0.39", "1.39", "2.40", "2.999999999", "1.2", number(32)] {
            #expect(SubjectName(parsing: "\(good)=x") != nil, "\(good)")
        }
        for bad in ["0.40", "1.40", "3.1", "2.1000000000", "2..1", ".1", "2", "2.a", number(33)] {
            #expect(SubjectName(parsing: "\(bad)=x") == nil, "\(bad)")
        }
    }

    @Test("each character that a name gives a meaning stands behind a backslash for itself")
    func escapedCharacters() {
        for character in " \"#+,;<=>\\" {
            let code = String(character.asciiValue ?? 0, radix: 16)
            let named = SubjectName(parsing: "CN=a\\\(character)b")
            #expect(named != nil && named == SubjectName(parsing: "CN=a\\\(code)b"), "\(character)")
        }
        for character in "\";<>\u{0}" { #expect(SubjectName(parsing: "CN=a\(character)b") == nil, "\(character)") }
        #expect(SubjectName(parsing: "CN=a=b") != nil, "an equals sign needs none")
    }

    @Test("a value in hexadecimal digits may stand before blanks, has whole bytes, and counts whatever type it is of")
    func encodedValues() throws {
        let spaced = try #require(SubjectName(parsing: "CN=#0c0453686f70 , C = #1302434e "))
        #expect(spaced == SubjectName(parsing: "CN=Shop,C=CN"))
        #expect(SubjectName(parsing: "CN=#0c0453686f70 x") == nil)
        #expect(SubjectName(parsing: "CN=#0c0453686f700") == nil)
        // A type of string of old, T61String.
        let old = RelativeDistinguishedName.Attribute.Value(
            asn1Any: try ASN1Any(derEncoded: [0x14, 0x03, 0x61, 0x62, 0x63] as [UInt8]))
        let type: ASN1ObjectIdentifier = [2, 5, 4, 3]
        let found = SubjectName(
            DistinguishedName([RelativeDistinguishedName([.init(type: type, value: old)])]))
        #expect(SubjectName(parsing: "CN=#1403616263") == found)
        #expect(SubjectName(parsing: "CN=#1403616264") != found)
    }
}
