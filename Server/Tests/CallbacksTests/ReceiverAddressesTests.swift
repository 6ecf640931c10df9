import BenjiProtocol
import Callbacks
import Testing

@Suite("Which addresses a callback may lead to")
struct ReceiverAddressesTests {
    /// Whatever leads inside, in each form that a resolver can give.
    static let inside = [
        "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.127.255.254", "127.0.0.1", "127.255.255.254",
        "169.254.0.1", "169.254.169.254", "169.254.170.2", "172.16.0.1", "172.31.255.254", "192.0.0.1", "192.0.0.192",
        "192.0.2.1", "192.88.99.1", "192.168.0.1", "198.18.0.1", "198.19.255.254", "198.51.100.1", "203.0.113.1",
        "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", "168.63.129.16", "100.100.100.200",
        "::", "::1", "::ffff:127.0.0.1", "::ffff:169.254.169.254", "::ffff:10.0.0.1", "::127.0.0.1", "::a9fe:a9fe",
        "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::a00:1", "2002:7f00:1::", "2002:a9fe:a9fe::1",
        "2001:0:7f00:1::", "2001::1", "2001:db8::1", "2001:20::1", "100::1", "fc00::1", "fd00:ec2::254", "fe80::1",
        "fec0::1", "ff02::1", "3fff::1", "5f00::1", "::ffff:0:127.0.0.1",
    ]

    @Test("nothing that leads inside is called", arguments: inside)
    func refused(text: String) throws {
        let address = try #require(InternetAddress(text))
        #expect(!ReceiverAddresses().mayBeCalled(address))
        let isThisMachine = ["127.0.0.1", "127.255.255.254", "::1", "::ffff:127.0.0.1"].contains(text)
        #expect(ReceiverAddresses().mayBeCalled(address, isPlain: true) == isThisMachine)
    }

    @Test(
        "a public address is called",
        arguments: [
            "8.8.8.8", "1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2a00:1450::1", "::ffff:8.8.8.8",
        ])
    func called(text: String) throws {
        let address = try #require(InternetAddress(text))
        #expect(ReceiverAddresses().mayBeCalled(address))
        #expect(!ReceiverAddresses().mayBeCalled(address, isPlain: true), "without TLS only this machine is called")
    }

    @Test("a check of a few textual prefixes, as many servers have it, lets forms of the same addresses through")
    func naive() throws {
        func naive(_ text: String) -> Bool {
            !["127.", "10.", "192.168.", "169.254.", "::1"].contains { text.hasPrefix($0) }
        }
        let through = Self.inside.filter(naive)
        #expect(through.contains("::ffff:127.0.0.1") && through.contains("64:ff9b::a9fe:a9fe"))
        #expect(through.allSatisfy { InternetAddress($0).map { !ReceiverAddresses().mayBeCalled($0) } ?? false })
    }

    @Test("networks that the operator allows are called, but never where clouds tell credentials")
    func allowed() throws {
        let addresses = ReceiverAddresses(allowing: [IPPrefix("10.20.0.0/16")!, IPPrefix("169.254.0.0/16")!])
        #expect(addresses.mayBeCalled(InternetAddress("10.20.3.4")!))
        #expect(!addresses.mayBeCalled(InternetAddress("10.21.0.1")!))
        #expect(addresses.mayBeCalled(InternetAddress("169.254.7.7")!))
        #expect(!addresses.mayBeCalled(InternetAddress("169.254.169.254")!))
    }
}
