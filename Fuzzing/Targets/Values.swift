// Addresses, prefixes, numbers and the two encodings of bytes as text. A parsed value, when written, parses as the same
// value, and addresses parse as in the C library.
//
// Covers: Sources/BenjiProtocol/Values/InternetAddress.swift
// Covers: Sources/BenjiProtocol/Values/PhoneNumber.swift
// Covers: Sources/BenjiProtocol/Values/Base64URL.swift
// Covers: Sources/BenjiProtocol/Values/Hexadecimal.swift
// Covers: Sources/BenjiProtocol/Identifiers/CredentialGrammar.swift
@_spi(Server) @testable import BenjiProtocol

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

func target(_ input: [UInt8]) {
    let text = String(decoding: input, as: UTF8.self)
    address(text)
    prefix(text)
    number(text)
    encodings(input, text)
    identifiers(text)
}

private func address(_ text: String) {
    let address = InternetAddress(text)
    if !text.utf8.contains(0) {
        hold("addresses are read as the C library reads them", address == systemAddress(text))
    }
    guard let address else { return }
    reached("an address")
    hold("an address survives writing and reading", InternetAddress(address.description) == address)
    hold("an address has 4 or 16 bytes", InternetAddress(bytes: address.bytes) == address)
    let all = IPPrefix(address: address, length: address.bytes.count * 8)
    hold("an address is in its own prefix", all?.contains(address) == true)
}

private func systemAddress(_ text: String) -> InternetAddress? {
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, text, &bytes) == 1 { return InternetAddress(bytes: bytes[..<4]) }
    return inet_pton(AF_INET6, text, &bytes) == 1 ? InternetAddress(bytes: bytes) : nil
}

private func prefix(_ text: String) {
    guard let prefix = IPPrefix(text) else { return }
    if text.utf8.contains(0x2f) { reached("a prefix") }
    hold("a prefix survives writing and reading", IPPrefix(prefix.description) == prefix)
    hold("a prefix holds its first address", prefix.contains(prefix.address))
    // Setting the last bit leaves the prefix only where every bit counts.
    var other = prefix.address.bytes
    other[other.count - 1] |= 1
    if prefix.length < other.count * 8, let address = InternetAddress(bytes: other),
        address.family == prefix.address.family
    {
        hold("a prefix holds its addresses", prefix.contains(address))
    }
}

private func number(_ text: String) {
    guard let number = PhoneNumber(text) else { return }
    reached("a phone number")
    hold("a number has 7 to 15 digits", (7...15).contains(number.e164.utf8.count))
    hold("a number survives writing and reading", PhoneNumber("+" + number.e164) == number)
    hold("a number survives 00", PhoneNumber("00" + number.e164) == number)
    if number.isMainlandMobile {
        reached("a number of mainland China")
        hold("a mainland number reads as its people write it", PhoneNumber(number.national) == number)
    }
    hold("a mask hides digits", number.masked.utf8.filter { $0 == 0x2a }.count >= 3)
    hold("a mask does not change the length", number.masked.utf8.count == number.national.utf8.count)
    hold(
        "a number is printed masked", "\(number)" == number.masked && !String(reflecting: number).contains(number.e164))
}

private func encodings(_ input: [UInt8], _ text: String) {
    hold("base64url gives the bytes back", Base64URL.decode(Base64URL.encode(input)) == input)
    hold("hexadecimal gives the bytes back", Hexadecimal.decode(Hexadecimal.encode(input)) == input)
    hold("upper case too", Hexadecimal.decode(Hexadecimal.encode(input, uppercase: true)) == input)
    if let bytes = Base64URL.decode(text) {
        reached("base64url")
        hold("one text for one value in base64url", Array(Base64URL.encode(bytes).utf8) == Array(text.utf8))
    }
    if let bytes = Hexadecimal.decode(text) {
        reached("hexadecimal")
        hold("hexadecimal differs in case only", Hexadecimal.encode(bytes) == text.lowercased())
    }
}

private func identifiers(_ text: String) {
    if let id = AppID(rawValue: text) {
        reached("an app id")
        hold(
            "an app id is 12 to 64 letters and digits",
            (12...64).contains(id.rawValue.utf8.count)
                && id.rawValue.unicodeScalars.allSatisfy { scalar in
                    scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
                })
    }
    if let trace = TraceID(rawValue: text) {
        reached("a trace id")
        hold("a trace id is sixteen bytes", Hexadecimal.decode(trace.rawValue)?.count == 16)
    }
    let grammars = [CredentialGrammar.token, .scrip, .nonce].filter { $0.matches(text) }
    hold("a credential is of one kind", grammars.count <= 1)
    if !grammars.isEmpty { reached("a credential") }
}
