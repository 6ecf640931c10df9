// RADIUS datagrams: decoding, every accessor of every attribute, the accounting request they make, and the answer.
//
// Covers: Server/Sources/RADIUS/Packet.swift
// Covers: Server/Sources/RADIUS/Packet+Authenticators.swift
// Covers: Server/Sources/RADIUS/Attribute.swift
// Covers: Server/Sources/RADIUS/Attribute+Addresses.swift
// Covers: Server/Sources/RADIUS/VendorAttribute.swift
// Covers: Server/Sources/RADIUS/TLV.swift
// Covers: Server/Sources/RADIUS/PortAttribute.swift
// Covers: Server/Sources/RADIUS/AccountingRequest+Reading.swift
// Covers: Server/Sources/RADIUS/AccountingRequest+Building.swift
@_spi(Server) @testable import BenjiProtocol
@testable import RADIUS

private let secret = SharedSecret("a secret of 16 b")!

func target(_ input: [UInt8]) {
    guard let packet = try? Packet(decoding: input) else { return }
    reached("a packet")
    hold("a packet is the front of its datagram", input.starts(with: packet.bytes))
    var laidOut = Array(packet.bytes.prefix(Packet.headerLength))
    for attribute in packet.attributes {
        laidOut += [attribute.type.rawValue, UInt8(attribute.value.count + 2)] + attribute.value
        look(into: attribute)
    }
    hold("the attributes are all that a packet holds", laidOut == packet.bytes)
    _ = packet.hasValidRequestAuthenticator(secret: secret)
    _ = try? packet.hasValidMessageAuthenticator(secret: secret)
    if let request = try? AccountingRequest(packet) { rebuild(request) }
    resign(packet)
    answer(packet)
}

private func look(into attribute: Attribute) {
    _ = try? attribute.integer()
    _ = try? attribute.text()
    _ = try? attribute.ipv4Address()
    _ = try? attribute.ipv6Address()
    if let prefix = try? attribute.ipv6Prefix() {
        reached("an IPv6 prefix")
        let again = hold("a prefix can be written") { try Attribute.ipv6Prefix(attribute.type, prefix) }
        hold("a prefix survives writing", (try? again.ipv6Prefix()) == prefix)
    }
    if let vendorAttributes = try? attribute.vendorAttributes() {
        for vendorAttribute in vendorAttributes {
            reached("a vendor's attribute")
            _ = try? vendorAttribute.integer()
            _ = try? vendorAttribute.text()
        }
    }
    if let read = try? PortAttribute(attribute) {
        reached("a port attribute")
        let again = hold("a port attribute can be written") { try read.encoded() }
        hold("a port attribute survives writing", (try? PortAttribute(again)) == read)
    }
}

/// What is read from a packet can be written, and reads the same again.
private func rebuild(_ request: AccountingRequest) {
    reached("an accounting request")
    hold(
        "a request prints nothing of its subscriber",
        "\(request)" == "AccountingRequest(status: \(request.status.rawValue))")
    // Only a packet that is as long as packets may be cannot be written again: its attributes may take more room apart.
    guard let bytes = try? request.packet(identifier: 7, secret: secret) else { return }
    let packet = hold("a built request decodes") { try Packet(decoding: bytes) }
    hold("a built request is signed", packet.hasValidRequestAuthenticator(secret: secret))
    var expected = request
    // The inside address is written into the first block; without one there is no place for it.
    if request.portBlocks.isEmpty { expected.internalAddress = nil }
    let again = hold("a built request is read") { try AccountingRequest(packet) }
    hold("a request survives writing and reading", again == expected)
}

/// The same attributes under a right authenticator, as the fuzzer cannot guess it.
private func resign(_ packet: Packet) {
    let attributes = packet.attributes.filter { $0.type != .messageAuthenticator }
    guard
        let bytes = try? Packet.accountingRequest(
            identifier: packet.identifier, attributes: attributes, secret: secret, withMessageAuthenticator: true)
    else { return }
    let signed = hold("a signed packet decodes") { try Packet(decoding: bytes) }
    reached("a signed packet")
    hold("its attributes are the same", Array(signed.attributes.dropLast()) == attributes)
    hold("its authenticator is right", signed.hasValidRequestAuthenticator(secret: secret))
    hold("its Message-Authenticator is right", (try? signed.hasValidMessageAuthenticator(secret: secret)) == true)
}

private func answer(_ packet: Packet) {
    guard let bytes = try? packet.accountingResponse(secret: secret) else { return }
    let answer = hold("an answer decodes") { try Packet(decoding: bytes) }
    reached("an answer")
    hold("an answer is believed", answer.hasValidResponseAuthenticator(to: packet, secret: secret))
    hold("an answer repeats the proxies' states", answer.all(.proxyState) == packet.all(.proxyState))
    let isAuthenticated = try? answer.hasValidMessageAuthenticator(answering: packet, secret: secret)
    hold("an answer's Message-Authenticator is right", isAuthenticated != .some(false))
}
