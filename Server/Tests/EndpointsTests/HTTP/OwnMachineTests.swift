import Testing

@testable import ServerHTTP

@Suite("Hosts that are this machine")
struct OwnMachineTests {
    @Test(
        "addresses of the loopback and localhost are",
        arguments: ["127.0.0.1", "127.8.0.1", "::1", "[::1]", "localhost"])
    func own(host: String) { #expect(OwnMachine.isNamed(host)) }

    @Test(
        "a name that begins or ends like one is not, nor is any other address",
        arguments: [
            "127.evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "evil.localhost", "128.0.0.1",
            "10.0.0.1",
            "::2", "[::]", "[localhost]", "",
        ])
    func others(host: String) { #expect(!OwnMachine.isNamed(host)) }
}
