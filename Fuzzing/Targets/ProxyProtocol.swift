// The PROXY header of a load balancer: whole, cut off at every byte, and from a peer that may not send one.
//
// Covers: Server/Sources/Gateway/ProxyProtocolHeader.swift
import BenjiProtocol

@testable import Gateway

private let peer = ProxyProtocolHeader.Endpoint(address: InternetAddress("192.0.2.1")!, port: 4711)
private let trusted = [IPPrefix("192.0.2.0/24")!]

func target(_ input: [UInt8]) {
    let stranger = hold("a stranger's bytes are never an error") {
        try ProxyProtocolHeader.read(input, from: peer, trusted: [])
    }
    hold("a stranger is believed nothing", stranger == ProxyProtocolHeader(source: peer, length: 0))

    let whole = result(input)
    switch whole {
    case .success(let header?):
        reached("a header")
        if header.source != nil { reached("a header with a source") }
        hold("a header ends within its input", (1...input.count).contains(header.length))
        hold("what follows a header does not change it", result(Array(input.prefix(header.length))) == whole)
        for count in cuts(before: header.length) {
            hold("the front of a header asks for more", result(Array(input.prefix(count))) == .success(nil))
        }
    case .success(nil):
        hold("a header that is still open is short", input.count < 16 + 65535)
        for count in cuts(before: input.count) {
            hold("the front of an open header is open too", result(Array(input.prefix(count))) == .success(nil))
        }
    case .failure(let problem):
        reached("a refusal")
        hold("more bytes do not mend a refused header", result(input + [0x0d, 0x0a]) == .failure(problem))
    }
}

private func result(_ bytes: [UInt8]) -> Result<ProxyProtocolHeader?, ProxyProtocolHeader.Problem> {
    Result { () throws(ProxyProtocolHeader.Problem) in
        try ProxyProtocolHeader.read(bytes, from: peer, trusted: trusted)
    }
}

/// Every count below `length`, thinned out where a header is long.
private func cuts(before length: Int) -> [Int] {
    Array(0..<min(length, 256)) + Array(stride(from: 256, to: length, by: 997))
}
