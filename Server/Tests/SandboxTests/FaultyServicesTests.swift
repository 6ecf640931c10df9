import BenjiProtocol
import Endpoints
import HTTPTypes
import Hummingbird
import OpenIDProvider
import ServerHTTP
import ServerTestKit
import Sightings
import Store
import Testing

@testable import Sandbox

@Suite("Services that stand before the real ones")
struct FaultyServicesTests {
    /// Answers everything the same way, as a provider that is well.
    struct Well: OpenIDService {
        func authorize(
            _ parameters: OpenIDParameters, _ call: OpenIDProvider.BrowserCall
        ) async throws(OpenIDStop) -> OpenIDStep { .redirect("https://shop.example/callback?code=c0de&state=x") }

        func answer(
            _ answer: OpenIDProvider.PageAnswer, _ call: OpenIDProvider.BrowserCall
        ) async throws(OpenIDStop) -> OpenIDStep { .redirect("https://shop.example/callback?code=c0de&state=x") }

        func consents(
            ending: ConsentEnding?, _ call: OpenIDProvider.BrowserCall
        ) async throws(OpenIDStop) -> [RememberedApp] { [] }

        func requests(
            deciding decision: BackchannelDecision?, _ call: OpenIDProvider.BrowserCall
        ) async throws(OpenIDStop) -> [WaitingRequest] { [] }

        func media(digest: String) async throws(OpenIDFailure) -> OpenIDMedia? { nil }

        func token(_ credentials: ClientCredentials) async throws(OpenIDFailure) -> JSON {
            .object(["access_token": "t0ken"])
        }

        func userInfo(_: OpenIDProvider.BearerCall) async throws(OpenIDFailure) -> JSON {
            .object(["sub": "s"])
        }
    }

    private let wiring = SandboxWiring()
    private var service: any OpenIDService { wiring.service(Well()) }

    private func phone(_ position: Int, _ fault: SandboxFault?) -> SandboxPhone {
        let phone = SandboxPhone(position: position)
        phone.change { $0.fault = fault }
        wiring.add(phone)
        return phone
    }

    /// A phone's login up to the code, as a listener would let it pass.
    private func tap(_ phone: String) async throws {
        let call = OpenIDProvider.BrowserCall(cookies: [:], languages: ["en"], sighting: .failure(.unknownAddress))
        let answer = OpenIDProvider.PageAnswer(secret: "s", action: "login", isAgreed: true, digits: "")
        _ = try await ExchangeNotes.$current.withValue(ExchangeNotes(phone: phone)) {
            try await service.answer(answer, call)
        }
    }

    /// The shop's server, which no phone stands behind.
    private func exchange(_ notes: ExchangeNotes = ExchangeNotes(phone: nil)) async throws -> JSON {
        let parameters = try OpenIDParameters([(name: "code", value: "c0de")])
        return try await ExchangeNotes.$current.withValue(notes) {
            try await service.token(ClientCredentials(authorization: nil, parameters: parameters, peer: nil))
        }
    }

    @Test("without a fault everything is passed on, and a request of nobody's meets none")
    func passing() async throws {
        _ = phone(1, nil)
        try await tap("phone-1")
        #expect(try await exchange()["access_token"]?.stringValue == "t0ken")
        _ = phone(2, try SandboxFault(.number, .code(.overloaded)))
        #expect(
            try await service.userInfo(.init(authorization: "Bearer unknown", peer: nil))["sub"]?.stringValue == "s")
    }

    @Test(
        "a code at the exchange is told to the shop's server in OAuth's words, by the phone that earned the code",
        arguments: [
            (Situation.tokenExpired, OAuthError.invalidGrant), (.storeUnavailable, .temporarilyUnavailable),
            (.appSuspended, .unauthorizedClient), (.internalError, .serverError),
        ])
    func exchanging(situation: Situation, error: OAuthError) async throws {
        _ = phone(1, try SandboxFault(.code, .code(situation)))
        try await tap("phone-1")
        let notes = ExchangeNotes(phone: nil)
        let failure = await #expect(throws: OpenIDFailure.self) { try await exchange(notes) }
        #expect(failure?.error == error)
        // Told with the request that it happened to.
        #expect(notes.entries.map(\.code) == [situation.rawValue])
        #expect(notes.entries.allSatisfy { $0.phone == "phone-1" && $0.kind == .fault })
    }

    @Test("a fault answers an app's request, and the token of one that was answered is known for the phone's")
    func requests() async throws {
        let phone = phone(1, try SandboxFault(.prefetch, .code(.overloaded)))
        wiring.assign(try #require(InternetAddress("10.0.0.7")), to: phone)
        let routes = [DevicePath.prefetch, .authorize].map { path in
            EndpointRoute(.post, path.rawValue) { _, _ in Response(.object(["token": "t0ken"])) }
        }
        let router = PublicServer.router("device", routes: wiring.routes(routes, of: .device))
        #expect(try await Exchange.send(router, .post, DevicePath.prefetch.rawValue).code == "overloaded")
        #expect(wiring.memory.phone(ofCredential: "t0ken") == nil)
        let answer = try await Exchange.send(router, .post, DevicePath.authorize.rawValue)
        #expect(answer.json["token"]?.stringValue == "t0ken")
        #expect(wiring.memory.phone(ofCredential: "t0ken") == phone.id)
    }

    @Test("one phone's fault is not another's")
    func apart() async throws {
        _ = phone(1, try SandboxFault(.tap, .code(.overloaded)))
        _ = phone(2, nil)
        try await tap("phone-2")
        let stop = await #expect(throws: OpenIDStop.self) { try await tap("phone-1") }
        #expect(stop?.situation == .overloaded)
    }
}
