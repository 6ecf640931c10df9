import BenjiClient
import BenjiProtocol
import Testing

@Suite("Network status")
struct NetworkStatusTests {
    private func interface(
        _ name: String, _ addresses: [String] = ["10.0.0.1"], type: String? = nil, running: Bool = true
    ) -> NetworkInterface {
        NetworkInterface(
            name: name, deviceType: type, isRunning: running, addresses: addresses.compactMap { InternetAddress($0) })
    }

    @Test(
        "a name tells the kind of an interface when the driver does not",
        arguments: [
            ("wwan0", NetworkInterface.Kind.cellular), ("wwp0s20u4", .cellular), ("rmnet_data0", .cellular),
            ("ppp0", .cellular), ("wlan0", .wifi), ("wlp3s0", .wifi), ("eth0", .wired), ("enp0s31f6", .wired),
            ("lo", .other), ("docker0", .other), ("veth1a2b", .other), ("tun0", .other), ("br-1", .other), ("", .other),
        ])
    func kindByName(name: String, kind: NetworkInterface.Kind) {
        #expect(interface(name).kind == kind)
    }

    @Test("the driver's word goes before the name: a modem that poses as Ethernet is cellular")
    func kindByDriver() {
        #expect(interface("enx0011", type: "wwan").kind == .cellular)
        #expect(interface("phone0", type: "wlan").kind == .wifi)
        #expect(interface("eth0", type: "bridge").kind == .wired)
    }

    @Test("only a running interface with an address beyond its link counts")
    func whatCounts() {
        #expect(NetworkStatus([interface("wwan0")]) == NetworkStatus(cellular: true, wifi: false))
        #expect(NetworkStatus([interface("wwan0", running: false)]).isConnected == false)
        #expect(NetworkStatus([interface("wwan0", ["fe80::1", "169.254.3.4"])]).isConnected == false)
        #expect(NetworkStatus([interface("wwan0", ["fe80::1", "2001:db8::1"])]).cellular)
        #expect(NetworkStatus([interface("wwan0", [])]).isConnected == false)
        #expect(NetworkStatus([interface("lo", ["127.0.0.1"]), interface("docker0")]).isConnected == false)
    }

    @Test("Wi-Fi and a cable both count as Wi-Fi, beside mobile data")
    func both() {
        #expect(NetworkStatus([interface("eth0")]) == NetworkStatus(cellular: false, wifi: true))
        #expect(NetworkStatus([interface("wlan0"), interface("ppp0")]) == NetworkStatus(cellular: true, wifi: true))
    }

    #if os(Linux)
    @Test("this machine's loopback is listed, with its address, and counts as no network")
    func thisMachine() throws {
        let loopback = try #require(LinuxNetworkStatusSource.interfaces().first { $0.name == "lo" })
        #expect(loopback.addresses.contains { $0 == InternetAddress("127.0.0.1") })
        #expect(loopback.isRunning)
        #expect(NetworkStatus([loopback]).isConnected == false)
    }
    #endif
}
