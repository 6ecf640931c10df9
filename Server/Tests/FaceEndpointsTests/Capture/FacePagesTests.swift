import BenjiFaceProtocol
import BenjiProtocol
import FaceMatching
import HTTPTypes
import Hummingbird
import ServerTestKit
import Testing

@testable import FaceEndpoints
@testable import ServerHTTP

/// The pages of face login: what browsers are told of them, and that they have all their words.
@Suite struct FacePagesTests {
    private let challenges = FaceChallenges(
        analyzer: UnavailableFaceAnalyzer("no models"), clock: TestClock.document, random: SystemRandomSource())

    private var router: Router<EndpointContext> {
        PublicServer.router(
            "device",
            routes: FacePages().accountRoutes
                + FaceTrialEndpoints(challenges: challenges, random: SystemRandomSource()).routes)
    }

    @Test func `The page that tries the camera takes no more frames at a time than there is memory for`() async throws {
        let router = PublicServer.router(
            "device",
            routes: FaceTrialEndpoints(challenges: challenges, random: SystemRandomSource(), frameRequests: 0).routes)
        var headers = HTTPFields()
        headers[.contentType] = FaceFramesRequest.contentType
        let answer = try await Exchange.send(
            router, .post, FaceTrialEndpoints.Path.frames.rawValue, headers: headers, body: [1],
            authority: Self.loopback)
        #expect(try JSON(parsing: Array(answer.body.utf8))["sentence"]?.stringValue == "crowded")
    }

    private func get(_ path: String, language: String = "zh-CN") async throws -> Exchange {
        var headers = HTTPFields()
        headers[.acceptLanguage] = language
        return try await Exchange.send(router, .get, path, headers: headers, body: [], authority: Self.loopback)
    }

    @Test(arguments: [FacePages.accountPath, "/face/trial"])
    func `A page runs files of ours only, and only it may use the camera`(path: String) async throws {
        let page = try await get(path)
        let policy = try #require(page.headers[.contentSecurityPolicy])
        #expect(page.status == .ok && policy.hasPrefix("default-src 'none'; script-src 'self';"))
        #expect(policy.contains("frame-ancestors 'none'") && policy.contains("require-trusted-types-for 'script'"))
        #expect(!policy.contains("unsafe") && !policy.contains("http") && !policy.contains("*"))
        #expect(page.headers[.permissionsPolicy]?.hasPrefix("camera=(self), microphone=()") == true)
        #expect(page.headers[.cacheControl] == "no-store" && page.headers[.frameOptions] == "DENY")
    }

    @Test(arguments: [("zh-CN", "zh-Hans"), ("zh-TW", "zh-Hant"), ("fr", "en")])
    func `A page is in the browser's language`(asked: String, tag: String) async throws {
        #expect(try await get(FacePages.accountPath, language: asked).body.contains("<html lang=\"\(tag)\">"))
    }

    @Test func `Every file that a page asks for is there, and is ours`() async throws {
        for (name, bytes) in Self.files {
            let file = try await get(FacePages.folder + name)
            #expect(file.status == .ok && file.body == String(decoding: bytes, as: UTF8.self))
            #expect(file.headers[.xContentTypeOptions] == "nosniff")
            for part in file.body.matches(of: #/from "\./([^"]+)"/#) {
                #expect(Self.files.map(\.0).contains(String(part.1)), "\(name) imports \(part.1)")
            }
            #expect(!file.body.contains("https://") && !file.body.contains("innerHTML"))
        }
    }

    @Test func `Every sentence that a script says has words in three languages`() throws {
        let json = try JSON(parsing: Array(FacePageStrings.json.utf8))
        let sentences = try #require(json["sentences"])
        var names: Set<String> = []
        for (_, bytes) in Self.files {
            let text = String(decoding: bytes, as: UTF8.self)
            for found in text.matches(of: #/say\("([a-z_]+)"/#) { names.insert(String(found.1)) }
            // The tables of what codes and screens say.
            for found in text.matches(of: #/: "([a-z]+(?:_[a-z]+)+)"/#) where text.contains("SENTENCES") {
                names.insert(String(found.1))
            }
        }
        #expect(names.count > 40)
        for name in names {
            guard case .array(let words)? = sentences[name] else {
                Issue.record("there are no words for \(name)")
                continue
            }
            #expect(words.count == 3 && words.allSatisfy { $0.stringValue?.isEmpty == false }, "\(name)")
        }
    }

    @Test func `The words of a page cannot end the element that holds them`() {
        #expect(!FacePageStrings.json.contains("<"))
    }

    @Test func `Without models a trial says that face login is not available`() async throws {
        let answer = try await Exchange.send(
            router, .post, "/face/trial/challenge", headers: [.contentType: "application/json"], body: Array("{}".utf8),
            authority: Self.loopback)
        #expect(answer.json["state"] == "failed" && answer.json["sentence"] == "face_unavailable")
    }

    @Test func `Frames that are no frames are refused with a code`() async throws {
        func post(_ body: [UInt8], _ type: String = FaceFramesRequest.contentType) async throws -> Exchange {
            try await Exchange.send(
                router, .post, "/face/trial/frames", headers: [.contentType: type], body: body, authority: Self.loopback
            )
        }
        for body: [UInt8] in [[], [0, 0, 0], [0xff, 0xff, 0xff, 0xff, 1], [0, 0, 0, 2, 0x7b, 0x7d]] {
            #expect(try await post(body).code == "malformed_request")
        }
        #expect(try await post([], "application/json").code == "malformed_request")
        let large = try await post([UInt8](repeating: 0, count: 5 << 20))
        #expect(large.status == .contentTooLarge && large.code == "body_too_large")
        let unknown = FaceFramesRequest(
            session: CredentialGrammar.faceSession.make(random: SystemRandomSource()),
            challenge: CredentialGrammar.faceChallenge.make(random: SystemRandomSource()),
            frames: [.init(milliseconds: 1, picture: [1])])
        let answer = try await post(unknown.bytes)
        #expect(answer.json["state"] == "failed" && answer.json["sentence"] == "attempt_over")
    }

    @Test func `Without a host, or with two of them, the page that tries the camera is not answered`() async throws {
        let routes =
            FaceTrialEndpoints(challenges: challenges, random: SystemRandomSource()).routes + FacePages().routes
        let router = PublicServer.router("face", routes: routes)
        let second: HTTPFields = [HTTPField.Name("Host")!: "other.example"]
        for route in routes {
            for (host, headers) in [(nil, [:]), ("127.0.0.1:8095", second)] as [(String?, HTTPFields)] {
                let answer = try await Exchange.send(
                    router, route.method, route.path, headers: headers, authority: host)
                #expect(answer.status == .badRequest && answer.code == "malformed_request", "\(route.path)")
                #expect(answer.body.lowercased().contains("host"), "\(route.path): \(answer.body)")
            }
        }
        let path = FaceTrialEndpoints.Path.page.rawValue
        #expect(try await Exchange.send(router, .get, path, authority: Self.loopback).status == .ok)
    }

    @Test func `Another site's page tries nothing, and neither does one under another name of this machine`()
        async throws
    {
        let routes = FaceTrialEndpoints(challenges: challenges, random: SystemRandomSource()).routes
        let router = PublicServer.router("face", routes: routes)
        for route in routes {
            func send(_ headers: HTTPFields = [:], to host: String = Self.loopback) async throws -> Exchange {
                let type: HTTPFields = [.contentType: FaceFramesRequest.contentType]
                return try await Exchange.send(
                    router, route.method, route.path, headers: type + headers, authority: host)
            }
            let rebound = try await send(to: "evil.example:8095")
            #expect(rebound.status == .forbidden && rebound.code == "order_not_permitted", "\(route.path)")
            #expect(try await send().status != .forbidden, "\(route.path)")
            guard route.method == .post else { continue }
            for headers in [
                [.origin: "https://evil.example"], [.origin: "null"], [.secFetchSite: "cross-site"],
            ] as [HTTPFields] {
                let answer = try await send(headers)
                #expect(answer.status == .forbidden && answer.code == "order_not_permitted", "\(route.path)")
            }
            let own: HTTPFields = [.origin: "http://\(Self.loopback)", .secFetchSite: "same-origin"]
            #expect(try await send(own).status != .forbidden, "\(route.path)")
        }
    }

    /// The name under which `benji face try` is called.
    private static let loopback = "127.0.0.1:8095"

    private static let files: [(String, [UInt8])] = [
        ("account.js", PackageResources.account_js), ("capture.js", PackageResources.capture_js),
        ("client.js", PackageResources.client_js), ("face.css", PackageResources.face_css),
        ("page.js", PackageResources.page_js), ("trial.js", PackageResources.trial_js),
    ]
}
