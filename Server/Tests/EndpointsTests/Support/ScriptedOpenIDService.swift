import HTTPTypes
import Requests
import Sightings
import Store
import Synchronization
import Testing

@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import Link
@testable import OpenIDProvider

/// An OpenID provider that sends every browser back to the app, and records the requests with their context.
final class ScriptedOpenIDService: OpenIDService {
    static let redirect = "https://shop.example/callback?code=c0de"

    /// Thrown in the place of every answer.
    let stop: OpenIDStop?
    private let seen = Mutex<[OpenIDProvider.BrowserCall]>([])
    private let parameters = Mutex<[OpenIDParameters]>([])
    private let answers = Mutex<[OpenIDProvider.PageAnswer]>([])

    init(stop: OpenIDStop? = nil) { self.stop = stop }

    var calls: [OpenIDProvider.BrowserCall] { seen.withLock { $0 } }
    var seenParameters: [OpenIDParameters] { parameters.withLock { $0 } }
    var seenAnswers: [OpenIDProvider.PageAnswer] { answers.withLock { $0 } }

    func authorize(
        _ asked: OpenIDParameters, _ call: OpenIDProvider.BrowserCall
    ) async throws(OpenIDStop) -> OpenIDStep {
        seen.withLock { $0.append(call) }
        parameters.withLock { $0.append(asked) }
        if let stop { throw stop }
        return .redirect(Self.redirect)
    }

    func answer(
        _ answer: OpenIDProvider.PageAnswer, _ call: OpenIDProvider.BrowserCall
    ) async throws(OpenIDStop) -> OpenIDStep {
        seen.withLock { $0.append(call) }
        answers.withLock { $0.append(answer) }
        if let stop { throw stop }
        return .redirect(Self.redirect)
    }

    func consents(
        ending: ConsentEnding?, _ call: OpenIDProvider.BrowserCall
    ) async throws(OpenIDStop) -> [RememberedApp] {
        seen.withLock { $0.append(call) }
        if let stop { throw stop }
        return ending == nil ? Self.remembered : []
    }

    func requests(
        deciding decision: BackchannelDecision?, _ call: OpenIDProvider.BrowserCall
    ) async throws(OpenIDStop) -> [WaitingRequest] {
        seen.withLock { $0.append(call) }
        if let stop { throw stop }
        return decision == nil ? Self.waiting : []
    }

    static let waiting = [
        WaitingRequest(
            family: -7, name: "Shop", message: "K-12", gets: ["one", "two"], digest: "d1",
            askedAt: Timestamp(milliseconds: 1), expiresAt: Timestamp(milliseconds: 2)),
        WaitingRequest(
            family: 8, name: "Bank", message: nil, gets: [], digest: "d2", askedAt: Timestamp(milliseconds: 3),
            expiresAt: Timestamp(milliseconds: 4)),
    ]

    static let remembered = [
        RememberedApp(
            family: 7, name: "Shop", agreedAt: Timestamp(milliseconds: 1), usedAt: nil,
            expiresAt: Timestamp(milliseconds: 3), getsNumber: true),
        RememberedApp(
            family: -8, name: "Bank", agreedAt: Timestamp(milliseconds: 1), usedAt: Timestamp(milliseconds: 2),
            expiresAt: Timestamp(milliseconds: 3), getsNumber: false),
    ]

    func token(_ credentials: ClientCredentials) async throws(OpenIDFailure) -> JSON {
        Issue.record("a browser's route asked for a token")
        return .null
    }

    func userInfo(_ call: OpenIDProvider.BearerCall) async throws(OpenIDFailure) -> JSON {
        Issue.record("a browser's route asked for a person's data")
        return .null
    }

    func media(digest: String) async throws(OpenIDFailure) -> OpenIDMedia? {
        digest == Self.media.digest ? Self.media : nil
    }

    static let media = OpenIDMedia(
        name: "logo", digest: Base64URL.encode([UInt8](repeating: 7, count: 32)), type: "image/png",
        content: [UInt8](repeating: 0x89, count: 512 * 1024))

    static let answer = OpenIDProvider.PageAnswer(
        secret: String(repeating: "s", count: 43), action: "login", isAgreed: true, digits: "")

    static func call(
        _ sighting: Result<Sighting, SightingRefusal>, _ destination: OpenIDProvider.BrowserCall.Destination = .window
    ) -> OpenIDProvider.BrowserCall {
        OpenIDProvider.BrowserCall(
            cookies: ["benji-0123": String(repeating: "c", count: 43)], languages: ["zh-TW", "en"], sighting: sighting,
            destination: destination)
    }

    /// A form of a login page, as its browser sends it.
    static func login(_ phone: LinkPhone) -> ForwardedRequest {
        phone.browse(
            .post, OpenIDProvider.Path.login.rawValue,
            [.contentType: "application/x-www-form-urlencoded", .cookie: "benji-0123=\(cookie)"],
            Array("page=\(answer.secret)&action=login&agreed=yes".utf8))
    }

    /// A request of a web page in the operator's H5 shape.
    static func browserToken(_ phone: LinkPhone) -> ForwardedRequest {
        phone.browse(
            .post, CMPassportBrowserEndpoints.path,
            [.contentType: "application/json", .origin: "https://shop.example"], browserTokenRequest.serialized)
    }

    private static let cookie = String(repeating: "c", count: 43)

    /// Returns the situations of four browser requests over the link: `nil` for one that is answered.
    static func situations(_ remote: RemoteAuthority, _ sighting: Sighting) async -> [Situation?] {
        let phone = LinkPhone(sighting: .success(sighting))
        let requests = [
            phone.browse(.get, OpenIDProvider.Path.authorize.rawValue + "?client_id=300000000001"), login(phone),
            phone.browse(.get, OpenIDProvider.Path.requests.rawValue),
            browserToken(phone),
        ]
        var situations: [Situation?] = []
        for request in requests {
            do {
                let answer = try await remote.send(request)
                situations.append(answer.status < 400 ? nil : answer.code.flatMap(Situation.init) ?? .internalError)
            } catch { situations.append(error.situation) }
        }
        return situations
    }

    static let browserTokenRequest = JSON.object([
        "appId": .string(Fixtures.appID.rawValue), "version": "1.0", "businessType": "3",
        "msgId": .string(String(repeating: "m", count: 32)), "traceId": .string(String(repeating: "t", count: 32)),
        "timestamp": "20201125101540980", "sign": .string(String(repeating: "0", count: 32)),
    ])
}
