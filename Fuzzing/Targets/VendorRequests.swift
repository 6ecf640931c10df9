// OneLogin's, OnePass's and GeYan's requests: read field by field, and what their signs cover.
//
// Covers: Server/Sources/Endpoints/AppServer/CallerFields.swift
// Covers: Server/Sources/Endpoints/AppServer/HexadecimalSign.swift
// Covers: Server/Sources/Endpoints/AppServer/MillisecondTime.swift
// Covers: Server/Sources/Endpoints/OneLogin/OneLoginRequest.swift
// Covers: Server/Sources/Endpoints/OneLogin/OneLoginSigning.swift
// Covers: Server/Sources/Endpoints/GeYan/GeYanRequest.swift
// Covers: Server/Sources/Endpoints/GeYan/GeYanSigning.swift
@_spi(Server) import BenjiProtocol
import Store

@testable import Authority
@testable import Endpoints

private let appKey = AppKey("gywzffojtnzl0vd6kcut8fcgyud5wg49")
private let otherKey = AppKey("gywzffojtnzl0vd6kcut8fcgyud5wg40")

private func app(_ id: AppID, unsigned: Bool = false, key: AppKey = appKey) -> RegisteredApp {
    RegisteredApp(
        record: AppRecord(
            id: id, name: "", keys: [], capabilities: [.login], bundleIDs: [],
            serverAddresses: ["192.0.2.7"], unsignedRequests: unsigned, createdAt: Timestamp(milliseconds: 0)), key: key
    )
}

func target(_ input: [UInt8]) {
    guard let json = try? JSON(parsing: input) else { return }
    if let request = try? CheckPhoneRequest(json) {
        reached("a request for a number")
        check(request.common)
    }
    if let request = try? CheckGatewayRequest(json) {
        reached("a request about a number")
        check(request.common)
        hold("a number has 7 to 15 digits", (7...15).contains(request.number.e164.utf8.count))
    }
    if let request = try? GeYanRequest(json) { check(request, json) }
}

private func check(_ request: OneLoginRequest) {
    hold("a process id is 32 digits", request.process.rawValue.utf8.count == 32)
    hold("a token is 56 bytes", request.token.utf8.count == 56)
    hold("a time is thirteen digits", request.timestamp.utf8.count == 13)
    hold("a time is a moment", MillisecondTime.parse(request.timestamp) != nil)
    guard let id = request.appID ?? AppID(rawValue: "b41a959b5cac4dd1277183e074630945") else { return }
    _ = request.isSigned(with: appKey, appID: id)
    var signed = request
    signed.sign = OneLoginSigning.sign(appID: id.rawValue, timestamp: request.timestamp, appKey: appKey.reveal())
    hold("a right sign is right", signed.isSigned(with: appKey, appID: id))
    hold("another key's sign is wrong", !signed.isSigned(with: otherKey, appID: id))
}

private func check(_ request: GeYanRequest, _ json: JSON) {
    reached("a request of GeYan's")
    hold("a token is 56 bytes", request.token.utf8.count == 56)
    let form = try? request.form(of: app(request.appID), takesShortSign: true)
    hold("without a sign nobody is let in", request.sign != nil || form == nil)
    hold("a guessed sign is wrong", form == nil)
    let granted = try? request.form(of: app(request.appID, unsigned: true), takesShortSign: true)
    hold("a wrong sign is never taken for none", (granted == .unsigned) == (request.sign == nil))
    if let text = request.signedText {
        reached("what the long sign covers")
        var signed = request
        signed.sign = GeYanSigning.longSign(joined: text, key: appKey.reveal())
        hold(
            "a right sign is right",
            (try? signed.form(of: app(request.appID), takesShortSign: false))?.key?.key == appKey)
        hold(
            "another key's sign is wrong",
            (try? signed.form(of: app(request.appID, key: otherKey), takesShortSign: true)) == nil)
        uniquelyCut(text, json)
    }
    if let timestamp = request.timestamp {
        reached("a time of GeYan's")
        var signed = request
        signed.sign = GeYanSigning.shortSign(timestamp: timestamp, key: appKey.reveal())
        hold(
            "the short sign is right",
            (try? signed.form(of: app(request.appID), takesShortSign: true))?.key?.key == appKey)
        hold("version 1 knows no short sign", (try? signed.form(of: app(request.appID), takesShortSign: false)) == nil)
    }
}

/// The joined text determines the members: it can be split in one way only.
private func uniquelyCut(_ text: String, _ json: JSON) {
    guard case .object(let members) = json else { return }
    var expected: [String: String] = [:]
    for member in members where member.name != "sign" {
        switch member.value {
        case .string(let text) where !text.isEmpty, .number(let text): expected[member.name] = text
        default: continue
        }
    }
    var cut: [String: String] = [:]
    for pair in text.split(separator: "&", omittingEmptySubsequences: false) {
        let parts = pair.split(separator: "=", omittingEmptySubsequences: false)
        hold("a pair has a name and a value", parts.count == 2)
        cut[String(parts[0])] = String(parts[1])
    }
    hold("the joined text is cut in one way", cut == expected)
}
