import Authority
import BenjiPage
import BenjiProtocol
import Endpoints
import OpenIDProvider
import Requests
import Store

/// Answers with the phone's fault where there is one for this step, and otherwise passes on. Only ``SandboxWiring``
/// makes it.
struct FaultyServerService: ServerService {
    let base: any ServerService
    let wiring: SandboxWiring

    func registeredApp(_ id: AppID) async throws(Refusal) -> RegisteredApp { try await base.registeredApp(id) }
    func rememberedApp(_ id: AppID) -> RegisteredApp? { base.rememberedApp(id) }

    func app(ofToken token: String, trace: TraceID) async throws(Refusal) -> AppID {
        try await base.app(ofToken: token, trace: trace)
    }

    func issuer(withSourceID sourceID: String, for app: AppRecord) async throws(Refusal) -> AppRecord {
        try await base.issuer(withSourceID: sourceID, for: app)
    }

    func recognise(_ call: ServerCall) async throws(Refusal) { try await base.recognise(call) }

    func admit(_ call: ServerCall, needs capability: Capability) async throws(Refusal) -> AdmittedCall {
        try await base.admit(call, needs: capability)
    }

    func redeemNumber(_ call: AdmittedCall, token: String) async throws(Refusal) -> ReleasedLogin {
        try meet(token)
        return try await base.redeemNumber(call, token: token)
    }

    func verifyNumber(
        _ call: AdmittedCall, token: String, matches: @escaping @Sendable (PhoneNumber) -> Bool
    ) async throws(Refusal) -> VerificationAnswer {
        try meet(token)
        return try await base.verifyNumber(call, token: token, matches: matches)
    }

    private func meet(_ token: String) throws(Refusal) {
        wiring.recognise(credential: token)
        if let situation = wiring.takeCode(at: .redeem) { throw Refusal(situation, SandboxWiring.faultDetail) }
    }
}

struct FaultyOpenIDService: OpenIDService {
    let base: any OpenIDService
    let wiring: SandboxWiring

    func authorize(
        _ parameters: OpenIDParameters, _ call: OpenIDProvider.BrowserCall
    ) async throws(OpenIDStop) -> OpenIDStep {
        if let situation = wiring.takeCode(at: .page) { throw stop(situation, call) }
        return try await base.authorize(parameters, call)
    }

    func answer(
        _ answer: OpenIDProvider.PageAnswer, _ call: OpenIDProvider.BrowserCall
    ) async throws(OpenIDStop) -> OpenIDStep {
        if let situation = wiring.takeCode(at: .tap) { throw stop(situation, call) }
        let step = try await base.answer(answer, call)
        if case .redirect(let address) = step.last, let code = Self.code(in: address) { wiring.remember(code) }
        return step
    }

    func consents(
        ending: ConsentEnding?, _ call: OpenIDProvider.BrowserCall
    ) async throws(OpenIDStop) -> [RememberedApp] { try await base.consents(ending: ending, call) }

    func requests(
        deciding decision: BackchannelDecision?, _ call: OpenIDProvider.BrowserCall
    ) async throws(OpenIDStop) -> [WaitingRequest] { try await base.requests(deciding: decision, call) }

    func media(digest: String) async throws(OpenIDFailure) -> OpenIDMedia? { try await base.media(digest: digest) }

    func token(_ credentials: ClientCredentials) async throws(OpenIDFailure) -> JSON {
        wiring.recognise(credential: credentials.parameters["code"] ?? "")
        if let situation = wiring.takeCode(at: .code) { throw Self.failure(situation, .invalidGrant) }
        let answer = try await base.token(credentials)
        if let token = answer["access_token"]?.stringValue { wiring.remember(token) }
        return answer
    }

    func userInfo(_ call: OpenIDProvider.BearerCall) async throws(OpenIDFailure) -> JSON {
        wiring.recognise(credential: String((call.authorization ?? "").split(separator: " ").last ?? ""))
        if let situation = wiring.takeCode(at: .number) { throw Self.failure(situation, .invalidToken) }
        return try await base.userInfo(call)
    }

    private func stop(_ situation: Situation, _ call: OpenIDProvider.BrowserCall) -> OpenIDStop {
        .person(situation, Language(wanted: call.languages), otherWay: nil)
    }

    /// OAuth has few words: what a situation is called in them.
    private static func failure(_ situation: Situation, _ credentialRefused: OAuthError) -> OpenIDFailure {
        let error: OAuthError =
            switch situation {
            case .storeUnavailable, .overloaded, .quotaExceeded, .tooManyRequests: .temporarilyUnavailable
            case .appUnknown, .signWrong, .signMissing: .invalidClient
            case .appSuspended, .appNotAllowed, .capabilityMissing, .serverAddressNotAllowed: .unauthorizedClient
            case .malformedRequest, .parameterMissing, .parameterInvalid: .invalidRequest
            case .internalError, .encryptionFailed: .serverError
            default: credentialRefused
            }
        return OpenIDFailure(error, SandboxWiring.faultDetail)
    }

    private static func code(in address: String) -> String? {
        let query = address.drop { $0 != "?" }.dropFirst()
        return FormText.pairs(Array(query.utf8))?.first { $0.name == "code" }?.value
    }
}
