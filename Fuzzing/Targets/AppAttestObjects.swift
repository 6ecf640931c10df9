// App Attest messages: attestations and assertions in CBOR, their authenticator data, and an assertion's header text.
//
// Covers: Server/Sources/AppAttest/Format/CBORReader.swift
// Covers: Server/Sources/AppAttest/Format/AttestationObject.swift
// Covers: Server/Sources/AppAttest/Format/AuthenticatorData.swift
// Covers: Sources/BenjiProtocol/Device/AttestationMessages.swift
import BenjiProtocol

@testable import AppAttest

func target(_ input: [UInt8]) {
    if let object = try? AttestationObject(decoding: input) {
        reached("an attestation")
        // The order of members is the sender's; all else has one form.
        hold("an attestation is written as long as it was", object.encoded.count == input.count)
        hold("an attestation survives writing", (try? AttestationObject(decoding: object.encoded)) == object)
        hold("a chain is short", object.certificates.count <= 4)
        hold("nothing may follow", (try? AttestationObject(decoding: input + [0])) == nil)
        hold("nothing may be missing", (try? AttestationObject(decoding: Array(input.dropLast()))) == nil)
        look(object.authenticatorData)
    }
    if let object = try? AssertionObject(decoding: input) {
        reached("an assertion")
        hold("an assertion is written as long as it was", object.encoded.count == input.count)
        hold("an assertion survives writing", (try? AssertionObject(decoding: object.encoded)) == object)
        hold("nothing may follow", (try? AssertionObject(decoding: input + [0])) == nil)
        look(object.authenticatorData)
    }
    look(input)
    let text = String(decoding: input, as: UTF8.self)
    if let assertion = try? KeyAssertion(parsing: text) {
        reached("a header's text")
        hold("a header's text survives writing", (try? KeyAssertion(parsing: assertion.text)) == assertion)
        hold("a header's text is written in one way", assertion.text == text)
    }
    if let json = try? JSON(parsing: input), let request = try? AttestationRequest(json) {
        reached("a registration")
        hold("a registration survives writing", (try? AttestationRequest(request.json)) == request)
    }
}

private func look(_ bytes: [UInt8]) {
    guard let data = try? AuthenticatorData(decoding: bytes, hasCredential: true) else { return }
    reached("authenticator data")
    hold(
        "the app's hash and the AAGUID have their lengths",
        data.appHash.count == 32 && data.credential?.aaguid.count == 16)
    var bare = data
    bare.credential = nil
    hold("without the key it says the same", (try? AuthenticatorData(decoding: bytes, hasCredential: false)) == bare)
}
