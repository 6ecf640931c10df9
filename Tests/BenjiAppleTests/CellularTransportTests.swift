import BenjiClient
import BenjiProtocol
import Foundation
import Network
import Security
import Testing
import Waiting

/// The network of the stand-ins is one for the process.
@Suite(.serialized) struct CellularTransportTests {
    private func request(_ url: String) throws -> TransportRequest {
        TransportRequest(method: "POST", url: try ServerURL(url), body: Array("hello".utf8))
    }

    private func network(_ types: NWInterface.InterfaceType...) {
        let network = StandInNetwork.shared
        network.denied = []
        network.localAddress = .ipv4(IPv4Address("10.0.0.7"))
        network.interfaces = types.map { NWInterface(standIn: $0, name: "\($0)") }
        network.asked = []
        network.answer = { sent in
            guard sent.suffix(5) == Data("hello".utf8) else { return nil }
            return Data("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok".utf8)
        }
    }

    @Test("A request leaves by mobile data while Wi-Fi is up, by TLS 1.2 or later, and says its own address")
    func exchange() async throws {
        network(.wifi, .cellular)
        let answer = try await CellularTransport().send(request("https://gateway.example/x"), timeout: Patience.limit)
        #expect(answer.status == 200)
        #expect(answer.body == Array("ok".utf8))
        #expect(answer.localAddress == InternetAddress("10.0.0.7"))
        let asked = try #require(StandInNetwork.shared.asked.first)
        #expect(asked.requiredInterfaceType == .cellular)
        #expect(asked.prohibitedInterfaceTypes == [.wifi, .wiredEthernet])
        #expect(asked.preferNoProxies)
        #expect(asked.standInTLS?.securityProtocolOptions.standInLeastVersion == .TLSv12)
    }

    @Test("Plain http, for the sandbox, asks for no TLS")
    func plain() async throws {
        network(.cellular)
        _ = try await CellularTransport().send(request("http://127.0.0.1:8080/x"), timeout: Patience.limit)
        #expect(try #require(StandInNetwork.shared.asked.first).standInTLS == nil)
    }

    @Test("The networks that are up are told apart, and a cable counts as Wi-Fi does")
    func status() async {
        network(.wifi)
        #expect(
            await AppleNetworkStatusSource().networkStatus()
                == NetworkStatus(cellular: false, wifi: true, cellularDenied: false))
        network(.cellular)
        #expect(await AppleNetworkStatusSource().networkStatus() == NetworkStatus(cellular: true, wifi: false))
        network(.wiredEthernet)
        #expect(
            await AppleNetworkStatusSource().networkStatus()
                == NetworkStatus(cellular: false, wifi: true, cellularDenied: false))
        network(.cellular, .wifi)
        StandInNetwork.shared.denied = [.cellular]
        let denied = NetworkStatus(cellular: false, wifi: true, cellularDenied: true)
        #expect(await AppleNetworkStatusSource().networkStatus() == denied)
        #expect(AppleNetworkStatusSource().networkStatus(within: 1000) == denied)
    }

    @Test(
        """
        Mobile data that is switched off and mobile data that has no signal are different errors, and both say what to \
        do
        """
    )
    func reasons() async throws {
        network(.wifi)
        let nothing = await #expect(throws: TransportError.self) {
            try await CellularTransport().send(request("https://gateway.example/x"), timeout: Patience.limit)
        }
        #expect(nothing?.code == .cellularUnavailable)
        #expect(nothing?.detail.contains("no signal, no SIM") == true)
        network(.wifi, .cellular)
        StandInNetwork.shared.denied = [.cellular]
        let denied = await #expect(throws: TransportError.self) {
            try await CellularTransport().send(request("https://gateway.example/x"), timeout: Patience.limit)
        }
        #expect(denied?.code == .cellularDenied)
        #expect(denied?.detail.contains("Settings") == true)
        #expect(denied.map { BenjiError($0).situation } == .cellularDataOff)
    }

    @Test("A person whom the system asks at the first launch may take longer than the radio; then the request goes")
    func firstLaunch() async throws {
        for asksForAddress in [false, true] {
            network(.wifi, .cellular)
            let network = StandInNetwork.shared
            network.denied = [.cellular, .wifi]
            async let allowed: Void = {
                try await until { network.waitingCount == 1 }
                // The time for the radio is over when a later request fails that waits for no person.
                let failed = await #expect(throws: TransportError.self) {
                    try await InternetTransport().send(
                        request("https://gateway.example/x"), timeout: Patience.limit)
                }
                #expect(failed?.code == .noNetwork)
                network.denied = []
            }()
            if asksForAddress {
                let address = try await CellularTransport().localAddress(
                    towards: ServerURL("https://gateway.example/x"))
                #expect(address == InternetAddress("10.0.0.7"))
            } else {
                let answer = try await CellularTransport().send(
                    request("https://gateway.example/x"), timeout: Patience.limit)
                #expect(answer.status == 200)
            }
            try await allowed
        }
    }

    @Test("The address of a translator in the phone is nobody's, and is not named")
    func translator() async throws {
        let server = try ServerURL("https://gateway.example/x")
        for (address, named) in [("192.0.0.2", false), ("192.0.0.7", false), ("192.0.0.8", true), ("10.0.0.7", true)] {
            network(.cellular)
            StandInNetwork.shared.localAddress = .ipv4(IPv4Address(address))
            #expect(
                try await CellularTransport().localAddress(towards: server)
                    == (named ? InternetAddress(address) : nil))
        }
        StandInNetwork.shared.localAddress = .ipv4(IPv4Address("10.0.0.7"))
    }
}
