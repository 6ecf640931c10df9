// The operators' three requests: read field by field, their signed texts of fixed lengths, their times.
//
// Covers: Server/Sources/Endpoints/AppServer/CallerFields.swift
// Covers: Server/Sources/Endpoints/CMPassport/CallerFields+CMPassport.swift
// Covers: Server/Sources/Endpoints/CMPassport/CMPassportGrammar.swift
// Covers: Server/Sources/Endpoints/CMPassport/CMPassportSigning.swift
// Covers: Server/Sources/Endpoints/CMPassport/CMPassportTime.swift
// Covers: Server/Sources/ServerHTTP/SecondText.swift
// Covers: Server/Sources/Endpoints/CMPassport/LoginTokenValidateRequest.swift
// Covers: Server/Sources/Endpoints/CMPassport/NumberVerificationRequest.swift
// Covers: Server/Sources/Endpoints/CMPassport/UserInformationRequest.swift
@_spi(Server) import BenjiProtocol
import Store

@testable import Authority
@testable import Endpoints

private let appKey = AppKey("demo-key-0123456789")
private let number = PhoneNumber("14700000000")!

func target(_ input: [UInt8]) {
    time(String(decoding: input, as: UTF8.self))
    guard let json = try? JSON(parsing: input) else { return }
    for (object, name) in [(json, "msgid"), (json["header"], "msgid"), (json["header"], "msgId")] {
        let echo = CallerFields.echo(object, name, CMPassportGrammar.isMessageID)
        hold("only a message id is repeated", echo.isEmpty || CMPassportGrammar.isMessageID(echo))
    }
    login(json)
    verification(json)
    user(json)
}

private func login(_ json: JSON) {
    guard let request = try? LoginTokenValidateRequest(json) else { return }
    reached("a login request")
    // Without separators, only fixed lengths keep a character in its field.
    hold("the version is fixed", Array(request.version.utf8) == Array("2.0".utf8))
    check(request.messageID, request.systemTime, request.token, request.sentAt)
    hold("strictcheck is one digit", request.strictCheck.utf8.count == 1)
    _ = request.isSigned(with: appKey)
    var signed = request
    signed.sign = CMPassportSigning.loginSign(
        appID: request.appID.rawValue, version: request.version, messageID: request.messageID,
        systemTime: request.systemTime, strictCheck: request.strictCheck, token: request.token, appKey: appKey.reveal())
    hold("a right sign is right", signed.isSigned(with: appKey))
    hold("another key's sign is wrong", !signed.isSigned(with: AppKey("demo-key-0123456780")))
    signed.messageID += "0"
    hold("a longer message id breaks the sign", !signed.isSigned(with: appKey))
}

private func verification(_ json: JSON) {
    guard let request = try? NumberVerificationRequest(json) else { return }
    reached("a verification request")
    hold("the version is fixed", Array(request.version.utf8) == Array("1.0".utf8))
    check(request.messageID, request.timestamp, request.token, request.sentAt)
    hold("a number's hash is 64 digits", request.phoneNumberHash.utf8.count == 64)
    _ = request.isSigned(with: appKey)
    _ = request.matches(number, appKey: appKey)
    var signed = request
    signed.phoneNumberHash = CMPassportSigning.phoneNumberHash(
        number: number.national, appKey: appKey.reveal(), timestamp: request.timestamp)
    hold("the number's own hash matches", signed.matches(number, appKey: appKey))
    signed.sign = CMPassportSigning.verificationSign(
        appID: signed.appID.rawValue, messageID: signed.messageID, phoneNumberHash: signed.phoneNumberHash,
        timestamp: signed.timestamp, token: signed.token, version: signed.version, appKey: appKey.reveal())
    hold("a right sign is right", signed.isSigned(with: appKey))
}

private func user(_ json: JSON) {
    guard let request = try? UserInformationRequest(json) else { return }
    reached("a user request")
    check(request.messageID, request.systemTime, request.token, request.sentAt)
    for id in [request.sourceID, request.targetSourceID] {
        hold("a source id is 1 to 32 digits", id.map { (1...32).contains($0.utf8.count) } ?? true)
    }
}

private func check(_ messageID: String, _ time: String, _ token: String, _ sentAt: Timestamp?) {
    hold("a message id is 1 to 36 bytes", (1...36).contains(messageID.utf8.count))
    hold("a time is seventeen digits", time.utf8.count == 17 && sentAt != nil)
    hold("a token is 56 bytes", token.utf8.count == 56)
    if let sentAt { hold("a time is written as it was read", CMPassportTime.format(sentAt) == time) }
}

private func time(_ text: String) {
    guard let moment = CMPassportTime.parse(text) else { return }
    reached("a time")
    hold("a time survives writing", Array(CMPassportTime.format(moment).utf8) == Array(text.utf8))
    hold("the other form has 19 characters", CMPassportTime.formatDateTime(moment).utf8.count == 19)
    let next = moment + .milliseconds(1)
    if moment.milliseconds < 253_402_271_999_999 {
        hold("times are in order", CMPassportTime.parse(CMPassportTime.format(next)) == next)
        hold("later is written behind", CMPassportTime.format(moment) < CMPassportTime.format(next))
    }
}
