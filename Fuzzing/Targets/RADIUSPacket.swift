// RADIUS packets, as datagrams and in a stream: decoding, every accessor of every attribute, the accounting request
// they make, and the answer.
//
// Covers: Server/Sources/RADIUS/Packet.swift
// Covers: Server/Sources/RADIUS/PacketLayout.swift
// Covers: Server/Sources/RADIUS/PacketStream.swift
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
    readInPlace(input)
    takeFromStream(input)
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

/// A stream yields the same packets and the same error wherever it is cut, and keeps an incomplete packet.
private func takeFromStream(_ input: [UInt8]) {
    func taken(_ size: Int) -> (packets: [[UInt8]], rest: Int, isBroken: Bool) {
        var (stream, packets, isBroken) = (PacketStream(), [[UInt8]](), false)
        for start in stride(from: 0, to: input.count, by: size) {
            stream.append(input[start..<min(start + size, input.count)])
            do { while let packet = try stream.next() { packets.append(Array(packet)) } } catch { isBroken = true }
        }
        return (packets, stream.count, isBroken)
    }
    let whole = taken(max(input.count, 1))
    let pieces = taken(Int(input.first ?? 0) % 7 + 1)
    hold("a stream is cut anyhow", whole == pieces)
    if !whole.packets.isEmpty { reached("a packet of a stream") }
    hold("nothing is lost or added", whole.packets.flatMap { $0 } == Array(input.prefix(input.count - whole.rest)))
    hold("less than a packet is kept", whole.isBroken || whole.rest < Packet.maximumLength)
    for packet in whole.packets {
        hold("a packet has the length that it says", (try? Packet.length(of: packet.span)) == packet.count)
    }
}

/// A packet that is read where it lies says what it says as a value, or has the same fault.
private func readInPlace(_ input: [UInt8]) {
    // One layout reads every input, as a server's does.
    let whole = Result { try Packet(decoding: input) }
    let lies = Result { try layout.read(input.span) }
    hold("a packet has the same fault where it lies", fault(lies.map { _ in }) == fault(whole.map { _ in }))
    guard let packet = try? whole.get() else { return }
    hold("a packet has the same head where it lies", layout.code == packet.code && layout.length == packet.bytes.count)
    for type in UInt8.min...UInt8.max {
        let type = AttributeType(rawValue: type)
        let isThere = packet.attributes.contains {
            $0.type == type && (!$0.value.isEmpty || type == .messageAuthenticator)
        }
        hold("the same types are there", layout.has(type) == isThere)
    }
    let states = packet.all(.proxyState)
    hold("the same Proxy-States are there", layout.proxyStates.count == states.count)
    let there = Result { try AccountingRequest(layout, in: input.span) }
    let here = Result { try AccountingRequest(packet) }
    hold("padding is no part of a request", (try? there.get()) == (try? here.get()))
    hold("a request has the same fault where it lies", fault(there.map { _ in }) == fault(here.map { _ in }))
    hold(
        "a packet is believed alike where it lies",
        Packet.hasValidRequestAuthenticator(packet.bytes.span, secret: secret)
            == packet.hasValidRequestAuthenticator(secret: secret))
    let answer = try? packet.accountingResponse(secret: secret)
    hold("an answer's room is known", layout.hasRoomForAnswer == (answer != nil))
    guard packet.code == .accountingRequest, let answer else { return }
    var written: [UInt8] = [7]
    Packet.appendAccountingResponse(to: packet.bytes.span, secret: secret, onto: &written)
    hold("a packet is answered alike where it lies", written == [7] + answer)
}

nonisolated(unsafe) private var layout = PacketLayout()

private func fault(_ result: Result<Void, any Error>) -> PacketError? {
    if case .failure(let error) = result { return error as? PacketError }
    return nil
}

private func look(into attribute: Attribute) {
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
        }
    }
    if let read = try? PortAttribute(attribute) {
        reached("a port attribute")
        let again = hold("a port attribute can be written") { try read.encoded() }
        hold("a port attribute survives writing", (try? PortAttribute(again)) == read)
    }
}

/// A request that was read can be written, and then reads as the same request.
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
