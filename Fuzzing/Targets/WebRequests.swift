// Input from web pages and servers: forms, queries, OpenID Connect authorization requests, times of signed claims. Also
// CAMARA's bodies, SuperID's signed calls and the operator's H5 request. The first byte chooses the kind.
//
// Covers: Server/Sources/OpenIDProvider/CAMARA/CAMARAScopes.swift
// Covers: Server/Sources/OpenIDProvider/CAMARA/ClaimedNumber.swift
// Covers: Server/Sources/OpenIDProvider/Requests/AuthorizationRequest.swift
// Covers: Server/Sources/Authority/FormText.swift
// Covers: Server/Sources/OpenIDProvider/Requests/OpenIDParameters.swift
// Covers: Server/Sources/OpenIDProvider/Requests/SignedClaims.swift
// Covers: Server/Sources/Endpoints/CAMARA/CAMARABodies.swift
// Covers: Server/Sources/Endpoints/CMPassport/H5/BrowserTokenRequest.swift
// Covers: Server/Sources/FaceEndpoints/SuperIDCall.swift
// Covers: Server/Sources/FaceEndpoints/SuperIDSigning.swift
@_spi(Server) import BenjiProtocol
import Store

@testable import Authority
@testable import Endpoints
@testable import FaceEndpoints
@testable import OpenIDProvider

private let appKey = AppKey("demo-key-0123456789")
private let otherKey = AppKey("demo-key-0123456780")
private let appID = AppID(rawValue: "300000000001")!
private let app = RegisteredApp(
    record: AppRecord(
        id: appID, name: "", keys: [], capabilities: [.login], bundleIDs: [], serverAddresses: [],
        unsignedRequests: false, createdAt: Timestamp(milliseconds: 0)), key: appKey)
private let client = OpenIDClientRecord(
    appID: appID, redirectURIs: ["https://shop.example/back", "https://shop.example/back?a=b"],
    authentication: .privateKeyJWT, secrets: [], keySet: nil, idTokenAlgorithm: .es256, asksMiddleDigits: false,
    requiresPushedRequests: false, page: "{}", purposes: ["dpv:FraudPreventionAndDetection"])
private let now = Timestamp(seconds: 1_790_000_000)

func target(_ input: [UInt8]) {
    guard let mode = input.first else { return }
    let rest = Array(input.dropFirst())
    guard mode % 2 == 0 else { return form(rest) }
    guard let json = try? JSON(parsing: rest) else { return }
    claims(json)
    camara(json)
    browser(json)
    if let call = try? SuperIDCall(json) { check(call) }
}

private func form(_ bytes: [UInt8]) {
    guard let pairs = FormText.pairs(bytes) else { return }
    reached("a form")
    let written = pairs.map { "\(FormText.encode($0.name))=\(FormText.encode($0.value))" }.joined(separator: "&")
    let again = FormText.pairs(Array(written.utf8)) ?? []
    hold(
        "a form survives writing and reading",
        again.elementsEqual(pairs) {
            $0.name.utf8.elementsEqual($1.name.utf8) && $0.value.utf8.elementsEqual($1.value.utf8)
        })
    if let call = try? SuperIDCall(pairs) { check(call) }
    guard let parameters = try? OpenIDParameters(pairs) else { return }
    hold("an empty parameter counts as absent", pairs.allSatisfy { !$0.value.isEmpty || parameters[$0.name] == nil })
    guard let request = try? AuthorizationRequest(parameters, client: client) else { return }
    reached("an authorization request")
    let isRegistered = client.redirectURIs.contains { $0.utf8.elementsEqual(request.redirectURI.utf8) }
    hold("an answer goes to a registered address", isRegistered)
    hold("a challenge is a SHA-256", Base64URL.decode(request.challenge)?.count == 32)
    hold(
        "only known scopes are granted",
        request.scopes.allSatisfy {
            AuthorizationRequest.knownScopes.contains($0) || client.purposes.contains($0)
        })
    if request.isWithoutPage {
        reached("a request without a page")
        hold("without a page nothing is shown", request.isSilent)
        hold("and no number is read by the scope phone", !request.scopes.contains("phone"))
    }
    let address = FormText.adding(
        ["code": "c", "state": request.state, "iss": "https://benji.example"], to: request.redirectURI)
    hold("an answer's address is one line of ASCII", address.utf8.allSatisfy { (0x21...0x7e).contains($0) })
    hold(
        "a state comes back as it was sent",
        request.state.map { state in
            let query = address.utf8.drop { $0 != 0x3f }.dropFirst()
            return FormText.pairs(query)?.contains { $0.name == "state" && $0.value.utf8.elementsEqual(state.utf8) }
                == true
        } ?? true)
    // The stored form omits members that matter only before it is stored: silence, remembered consent and maximum age.
    var rested = request
    rested.isSilent = false
    rested.acceptsRemembered = false
    rested.maximumAge = nil
    let kept = hold("a kept request is read") { try AuthorizationRequest(JSON(parsing: request.json.serialized)) }
    hold("a request survives being kept", kept == rested)
}

private func claims(_ json: JSON) {
    guard json["exp"] != nil, SignedClaims.timeProblem(json, needsIssueTime: true, now: now) == nil else { return }
    reached("claims whose times are right")
    guard let expiry = json["exp"]?.integerValue, let issued = json["iat"]?.integerValue else {
        return hold("what is right has both times", false)
    }
    hold("what counts has not expired", expiry > now.seconds)
    hold("what counts does not live long", expiry - now.seconds <= 310 && expiry - issued <= 300)
    hold("what counts was issued", issued - now.seconds <= 10)
    _ = SignedClaims.audiences(json)
}

private func camara(_ json: JSON) {
    if let claim = try? ClaimedNumber(json) {
        switch claim {
        case .plain(let text):
            reached("a claimed number")
            hold("a number is E.164", text.utf8.first == 0x2b && (6...16).contains(text.utf8.count))
        case .hashed(let hash):
            reached("a claimed hash")
            hold("a hash is 32 bytes", hash.count == 32)
        }
        hold(
            "another's number is another",
            !claim.isNumber(PhoneNumber("14700000000")!) || claim == .plain("+8614700000000"))
    }
    if let body = try? SIMSwapBody(json, hasMaxAge: true) {
        reached("a question about a swap")
        hold("an age is within its range", SIMSwapBody.ages.contains(body.maxAge))
    }
    if (try? SIMSwapBody(json, hasMaxAge: false)) != nil { hold("no age where none is asked", json["maxAge"] == nil) }
}

private func check(_ call: SuperIDCall) {
    reached("a call of SuperID's")
    var signed = call.members
    signed["signature"] = nil
    let right = SuperIDSigning.sign(signed, key: appKey.reveal())
    func isSigned(_ members: [String: String]) -> Bool {
        guard let call = try? SuperIDCall(members.map { ($0.key, $0.value) }) else { return false }
        do {
            _ = try call.signer(of: app)
            return true
        } catch {
            return false
        }
    }
    hold("a right sign is right", isSigned(signed.merging(["signature": right]) { $1 }))
    let strange = SuperIDSigning.sign(signed, key: otherKey.reveal())
    hold("another key's sign is wrong", !isSigned(signed.merging(["signature": strange]) { $1 }))
    let more = signed.merging(["signature": right, "zz_more": "1"]) { $1 }
    hold("one member more breaks the sign", signed["zz_more"] == "1" || !isSigned(more))
    if let (name, _) = try? call.name() {
        reached("a call with a name")
        hold("a call's name is short", name.utf8.count <= 28)
    }
}

private func browser(_ json: JSON) {
    guard var request = try? BrowserTokenRequest(json) else { return }
    reached("a request of a web page")
    hold("ids are 32 letters and digits", [request.messageID, request.traceID].allSatisfy { $0.utf8.count == 32 })
    request.sign = CMPassportSigning.browserSign(
        appID: request.appID.rawValue, businessType: BrowserTokenRequest.businessType, messageID: request.messageID,
        timestamp: request.timestamp, traceID: request.traceID, version: BrowserTokenRequest.version,
        appKey: appKey.reveal())
    hold("a right sign is right", request.isSigned(with: appKey))
    hold("another key's sign is wrong", !request.isSigned(with: otherKey))
}
