import ServerTestKit
import Sightings
import Synchronization

@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import Requests
@testable import ServerHTTP

/// An authority and a gateway with scripted answers, which record their requests.
final class ScriptedDeviceService: DeviceService, SightingSource {
    struct Seen: Sendable {
        var devices: [DeviceCall] = []
        var prefetches: [PrefetchRequest] = []
        var authorizations: [AuthorizeRequest] = []
        var forgotten: [ForgetRequest] = []
        var attestations: [AttestationRequest] = []
        var codeRequests: [SMSCodeRequest] = []
        var codeLogins: [SMSLoginRequest] = []
        var textRequests: [SMSUpstreamRequest] = []
        var textQuestions: [SMSUpstreamStatusRequest] = []
        var textLogins: [SMSUpstreamLoginRequest] = []
        var lookups: [String] = []
        var origins: [String?] = []
    }

    let failure: Refusal?
    private let state = Mutex(Seen())

    init(failure: Refusal? = nil) { self.failure = failure }

    var seen: Seen { state.withLock { $0 } }

    static let sighting = Sighting(
        subscription: SubscriptionReference(subscription: 1, epoch: 1, simGeneration: 1), carrier: .mobile,
        binding: BindingID(rawValue: 1), gateway: "gateway", time: Timestamp(milliseconds: 0),
        localAddressConfirmed: true,
        roaming: false)

    static let scrip = "SCrip" + String(repeating: "a", count: 48)
    static let transaction = String(repeating: "0f", count: 16)
    static let nonce = "SNonc" + String(repeating: "b", count: 44)

    func sighting(
        from address: InternetAddress, port: UInt16, claimedLocalAddress: InternetAddress?
    ) async -> Result<Sighting, SightingRefusal> {
        state.withLock { $0.lookups.append("\(address) \(port) \(claimedLocalAddress?.description ?? "-")") }
        return address.description.hasPrefix("10.") ? .success(Self.sighting) : .failure(.unknownAddress)
    }

    private func note(_ device: DeviceCall, _ change: (inout Seen) -> Void) throws(Refusal) {
        state.withLock {
            $0.devices.append(device)
            change(&$0)
        }
        if let failure { throw failure }
    }

    func prefetch(_ request: PrefetchRequest, from device: DeviceCall) async throws(Refusal) -> PrefetchResponse {
        try note(device) { $0.prefetches.append(request) }
        return PrefetchResponse(
            trace: Fixtures.trace, scrip: Self.scrip, scripLifetime: 3600, maskedNumber: "138****0000",
            carrier: .mobile,
            policyVersion: "1", page: .init(termsTitle: "t", termsURL: "https://example.com", slogan: "s"),
            nonce: Self.nonce, assurance: .net, serverTime: TestClock.document.now)
    }

    func authorize(
        _ request: AuthorizeRequest, from device: DeviceCall
    ) async throws(Refusal) -> AuthorizeResponse {
        try note(device) { $0.authorizations.append(request) }
        return AuthorizeResponse(
            trace: Fixtures.trace, token: Fixtures.loginToken, tokenLifetime: 120, openID: nil, scrip: nil, nonce: nil,
            assurance: .net, consentReceipt: nil)
    }

    func forget(_ request: ForgetRequest, from device: DeviceCall) async throws(Refusal) {
        try note(device) { $0.forgotten.append(request) }
    }

    func sendCode(_ request: SMSCodeRequest, from device: DeviceCall) async throws(Refusal) -> SMSCodeResponse {
        try note(device) { $0.codeRequests.append(request) }
        return SMSCodeResponse(
            trace: Fixtures.trace, transaction: Self.transaction, digits: 6, lifetime: 300, policyVersion: "1",
            serverTime: TestClock.document.now)
    }

    func logIn(_ request: SMSLoginRequest, from device: DeviceCall) async throws(Refusal) -> AuthorizeResponse {
        try note(device) { $0.codeLogins.append(request) }
        return AuthorizeResponse(
            trace: Fixtures.trace, token: Fixtures.loginToken, tokenLifetime: 120, openID: nil, scrip: nil, nonce: nil,
            assurance: .sms, consentReceipt: nil)
    }

    func giveText(_ request: SMSUpstreamRequest, from device: DeviceCall) async throws(Refusal) -> SMSUpstreamResponse {
        try note(device) { $0.textRequests.append(request) }
        return SMSUpstreamResponse(
            trace: Fixtures.trace, transaction: Self.transaction, text: "K7M2Q9XN4RTDW3HE", serviceNumber: "10690123",
            lifetime: 300, retryAfter: 3, policyVersion: "1", serverTime: TestClock.document.now)
    }

    func textStatus(
        _ request: SMSUpstreamStatusRequest, from device: DeviceCall
    ) async throws(Refusal) -> SMSUpstreamStatusResponse {
        try note(device) { $0.textQuestions.append(request) }
        return SMSUpstreamStatusResponse(
            trace: Fixtures.trace, sender: .init(carrier: .mobile, maskedNumber: "138****0001"), retryAfter: 3)
    }

    func logIn(_ request: SMSUpstreamLoginRequest, from device: DeviceCall) async throws(Refusal) -> AuthorizeResponse {
        try note(device) { $0.textLogins.append(request) }
        return AuthorizeResponse(
            trace: Fixtures.trace, token: Fixtures.loginToken, tokenLifetime: 120, openID: nil, scrip: nil, nonce: nil,
            assurance: .smsUpstream, consentReceipt: nil)
    }

    @Sendable func browserToken(
        _ request: BrowserTokenRequest, origin: String?, sighting: Result<Sighting, SightingRefusal>
    ) async throws(Refusal) -> (token: String, trace: TraceID) {
        state.withLock { $0.origins.append(origin) }
        if let failure { throw failure }
        return (Fixtures.loginToken, Fixtures.trace)
    }

    func register(_ request: AttestationRequest, from device: DeviceCall) async throws(Refusal) {
        try note(device) { $0.attestations.append(request) }
    }

    func attestationChallenge(for app: AppID) async throws(Refusal) -> String {
        if let failure { throw failure }
        return "challenge-of-\(app.rawValue)"
    }

    func policyDocument() async -> JSON { .object(["code": "success", "version": "1"]) }
}
