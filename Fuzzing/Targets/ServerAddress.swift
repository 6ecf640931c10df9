// Server addresses. Only the strict form is accepted, and the proof's normal form leaves it unchanged. No path that is
// appended leads to another server.
//
// Covers: Sources/BenjiClient/Transport/ServerURL.swift
// Covers: Sources/BenjiClient/Transport/ServerURLParser.swift
@testable import BenjiClient
@testable import BenjiProtocol

func target(_ input: [UInt8]) {
    let halves = input.split(separator: 0x0a, maxSplits: 1, omittingEmptySubsequences: false)
    let text = String(decoding: halves[0], as: UTF8.self)
    let url: ServerURL
    do throws(ServerURLError) { url = try ServerURL(text) } catch {
        reached("a refusal")
        hold("an error lies within the text", (0...max(text.utf8.count, 2048)).contains(error.offset))
        return
    }
    reached("an address")
    if url.address != nil { reached("an address by number") }
    let again = hold("a written address is read") { try ServerURL(url.text) }
    hold("an address survives writing and reading", again == url && again.text == url.text)
    hold("an address is one line of ASCII", url.text.utf8.allSatisfy { (0x21...0x7e).contains($0) })
    hold("an address has no user and no fragment", !url.authority.utf8.contains(0x40) && !url.text.utf8.contains(0x23))
    hold("a path starts with a slash", url.path.utf8.first == 0x2f && url.target.utf8.first == 0x2f)
    hold("a port is not zero", url.port > 0)
    hold("a query is not printed", !"\(url)".utf8.contains(0x3f))
    let bare = url.withoutQuery
    hold("a proof names the address as it is", DeviceProof.normalized(bare.text) == Array(bare.text.utf8))
    hold("a proof leaves the query out", DeviceProof.normalized(url.text) == Array(bare.text.utf8))

    guard halves.count == 2, let longer = try? url.appending(path: String(decoding: halves[1], as: UTF8.self)) else {
        return
    }
    reached("a longer address")
    hold(
        "an appended path leads to the same server",
        longer.scheme == url.scheme && longer.host == url.host && longer.port == url.port)
    let base = url.path.utf8.last == 0x2f ? String(url.path.dropLast()) : url.path
    hold("an appended path comes after the path", longer.path.hasPrefix(base))
}
