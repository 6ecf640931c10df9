// The messages that phone and gateway exchange, and the operator's policy: each reads back what it writes, and none
// prints what it must not.
//
// Covers: Sources/BenjiProtocol/Device/PrefetchMessages.swift
// Covers: Sources/BenjiProtocol/Device/AuthorizeMessages.swift
// Covers: Sources/BenjiProtocol/Device/DeviceFailure.swift
// Covers: Sources/BenjiPolicy/CarrierPolicy+JSON.swift
// Covers: Sources/BenjiProtocol/Consent/ConsentContent.swift
// Covers: Sources/BenjiProtocol/JSON/JSONObjectReader.swift
import BenjiPolicy
@_spi(Server) import BenjiProtocol

func target(_ input: [UInt8]) {
    guard let json = try? JSON(parsing: input) else { return }
    let prefetch = { (json: JSON) throws(JSONError) in try PrefetchRequest(json, dialects: Dialect.spokenByPhones) }
    if let request = survive(json, prefetch, \.json) {
        reached("a prefetch request")
        if let proof = request.appKeyProof { hold("an app key's proof is not printed", !"\(request)".contains(proof)) }
    }
    if let response = survive(json, PrefetchResponse.init, \.json) {
        reached("a prefetch response")
        hold("a scrip is not printed", !"\(response)".contains(response.scrip))
        _ = response.serverTime.seconds
        _ = response.serverTime + .seconds(response.scripLifetime)
        _ = response.serverTime - Timestamp(milliseconds: .min)
    }
    if let request = survive(json, AuthorizeRequest.init, \.json) {
        reached("an authorize request")
        hold("a scrip is not printed", !"\(request)".contains(request.scrip))
    }
    if let response = survive(json, AuthorizeResponse.init, \.json) {
        reached("an authorize response")
        hold("a token is not printed", !"\(response)".contains(response.token))
    }
    if let request = survive(json, ForgetRequest.init, \.json) {
        reached("a forget request")
        hold("a scrip is not printed", !"\(request)".contains(request.scrip))
    }
    if let failure = survive(json, { (json: JSON) throws(JSONError) in try DeviceFailure(json) }, \.json) {
        reached("a failure")
        _ = failure.serverTime.map { $0.seconds }
        _ = failure.serverTime.map { $0 - Timestamp(milliseconds: 0) }
    }
    if let policy = survive(json, CarrierPolicy.init, \.json) {
        reached("a policy")
        for (_, entry) in policy.carriers { hold("a carrier has a device lifetime", entry.lifetimes[.device] != nil) }
    }
    if let content = survive(json, { value throws(JSONError) in try ConsentContent(value) }, \.json) {
        reached("a consent's content")
        hold("a digest is 43 characters", content.digest.utf8.count == 43)
    }
    if let key = survive(json, { value throws(JSONError) in try DevicePublicKey(jwk: value) }, \.jwk) {
        reached("a device key")
        hold("a thumbprint is 43 characters", key.thumbprint.utf8.count == 43)
    }
}
