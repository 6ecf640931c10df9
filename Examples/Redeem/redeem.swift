// swift redeem.swift TOKEN; on Linux the main.swift of a package with swift-crypto
#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif
import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

let (app, secret, token) = ("300000000001", "YOUR_SERVER_SECRET", CommandLine.arguments[1])
let id = UUID().uuidString.replacingOccurrences(of: "-", with: "")
let clock = DateFormatter()
clock.locale = Locale(identifier: "en_US_POSIX")
clock.timeZone = TimeZone(secondsFromGMT: 8 * 3600)
clock.dateFormat = "yyyyMMddHHmmssSSS"
let time = clock.string(from: Date())
let sign = Insecure.MD5.hash(data: Data("\(app)2.0\(id)\(time)0\(token)\(secret)".utf8))
    .map { String(format: "%02x", $0) }.joined()
var request = URLRequest(url: URL(string: "https://api.example/unisdk/rsapi/loginTokenValidate")!)
request.httpMethod = "POST"
request.setValue("application/json", forHTTPHeaderField: "Content-Type")
request.httpBody = try JSONEncoder().encode([
    "appid": app, "version": "2.0", "msgid": id, "systemtime": time, "strictcheck": "0", "token": token, "sign": sign,
])
let (answer, _) = try await URLSession.shared.data(for: request)
print(String(decoding: answer, as: UTF8.self))
